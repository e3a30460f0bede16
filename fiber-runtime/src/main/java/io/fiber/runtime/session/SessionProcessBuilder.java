// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.FiberProcess;
import io.fiber.FiberProcessBuilder;
import io.fiber.runtime.process.ProcessClient;
import io.fiber.runtime.process.ProcessSettings;
import java.util.Optional;
import java.util.function.Function;

/** Checks and collects the choices of a process for its session. Belongs to one thread. */
final class SessionProcessBuilder extends SessionJobBuilder<FiberProcessBuilder> implements FiberProcessBuilder {
    private final Function<ProcessSettings, ProcessClient> maker;
    private ProcessSettings.AtClose atClose = ProcessSettings.AtClose.JOINED;

    /** Creates a builder; {@code maker} makes its process, not started. */
    SessionProcessBuilder(Function<ProcessSettings, ProcessClient> maker) {
        super("process");
        this.maker = maker;
    }

    @Override
    FiberProcessBuilder self() {
        return this;
    }

    @Override
    public FiberProcessBuilder daemon() {
        atClose = ProcessSettings.AtClose.TERMINATED;
        return this;
    }

    @Override
    public FiberProcess start() {
        use();
        return maker.apply(settings()).start();
    }

    @Override
    public Optional<String> preview() {
        return maker.apply(settings()).preview();
    }

    private ProcessSettings settings() {
        return new ProcessSettings(name(), job(), atClose);
    }
}
