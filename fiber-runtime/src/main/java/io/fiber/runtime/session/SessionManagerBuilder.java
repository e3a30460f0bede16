// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static java.util.Objects.requireNonNull;

import io.fiber.Manager;
import io.fiber.ManagerBuilder;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.process.ProcessSettings;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Checks and collects the choices of a manager for its session. Belongs to one thread. */
final class SessionManagerBuilder extends SessionJobBuilder<ManagerBuilder> implements ManagerBuilder {
    private final BiFunction<RemoteRunnable, ProcessSettings, Manager> starter;
    private @Nullable RemoteRunnable initializer;

    SessionManagerBuilder(BiFunction<RemoteRunnable, ProcessSettings, Manager> starter) {
        super("manager");
        this.starter = starter;
    }

    @Override
    ManagerBuilder self() {
        return this;
    }

    @Override
    public ManagerBuilder initializer(RemoteRunnable program) {
        initializer = Choice.once("initializer", initializer, requireNonNull(program, "program"));
        return this;
    }

    @Override
    public Manager start() {
        use();
        RemoteRunnable first = initializer;
        return starter.apply(
                first == null ? () -> {} : first,
                new ProcessSettings(name(), resources(), choices(), ProcessSettings.AtClose.TERMINATED));
    }
}
