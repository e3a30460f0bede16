// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.Ring;
import io.fiber.RingBuilder;
import io.fiber.runtime.collective.RingSettings;
import java.util.function.Function;

/** Checks and collects the choices of a ring for its session. Belongs to one thread. */
final class SessionRingBuilder extends SessionJobBuilder<RingBuilder> implements RingBuilder {
    private final int size;
    private final Function<RingSettings, Ring> maker;

    SessionRingBuilder(int size, Function<RingSettings, Ring> maker) {
        super("ring");
        this.size = size;
        this.maker = maker;
        settings();
    }

    @Override
    RingBuilder self() {
        return this;
    }

    @Override
    public Ring build() {
        use();
        return maker.apply(settings());
    }

    private RingSettings settings() {
        return new RingSettings(name(), size, job(), initializer());
    }
}
