// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.Manager;
import io.fiber.ManagerBuilder;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.process.ProcessSettings;
import java.util.function.BiFunction;

/** Checks and collects the choices of a manager for its session. Belongs to one thread. */
final class SessionManagerBuilder extends SessionJobBuilder<ManagerBuilder> implements ManagerBuilder {
    private final BiFunction<RemoteRunnable, ProcessSettings, Manager> starter;

    SessionManagerBuilder(BiFunction<RemoteRunnable, ProcessSettings, Manager> starter) {
        super("manager");
        this.starter = starter;
    }

    @Override
    ManagerBuilder self() {
        return this;
    }

    @Override
    public Manager start() {
        use();
        return starter.apply(
                initializer().orElse(() -> {}), new ProcessSettings(name(), job(), ProcessSettings.AtClose.TERMINATED));
    }
}
