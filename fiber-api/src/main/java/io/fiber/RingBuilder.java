// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteRunnable;
import io.fiber.spi.Resources;
import java.util.Map;

/**
 * Makes a {@link Ring} with choices named. Each may be made once; what is not said has a default. Ends with
 * {@link #build()}. Belongs to one thread.
 */
public interface RingBuilder {

    /**
     * Names the ring; its members' names, logs and errors show it.
     *
     * @param ringName not blank. Default: {@code ring-} and a number
     * @throws IllegalArgumentException when it is blank
     * @throws IllegalStateException when it was set before
     */
    RingBuilder named(String ringName);

    /**
     * Says what each member needs of its machine.
     *
     * @param needed default: what {@link Meta} or the function itself says; else it is left to the backend
     * @throws IllegalStateException when it was set before
     */
    RingBuilder resources(Resources needed);

    /**
     * Adds variables to the environment of each member.
     *
     * @param variables copied; by default none. Not the place for secrets: other programs of the machine may see them
     * @throws IllegalStateException when it was set before
     */
    RingBuilder environment(Map<String, String> variables);

    /**
     * Gives what each member runs first; no function begins before all have run it.
     *
     * @param program when it throws, the run fails as when the function throws. Default: nothing
     * @throws IllegalStateException when it was set before
     */
    RingBuilder initializer(RemoteRunnable program);

    /**
     * Makes the ring; nothing is started before it runs.
     *
     * @throws IllegalStateException when this builder has made a ring before, or the session is closed
     */
    Ring build();
}
