// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteRunnable;

/** Makes a {@link Ring} with choices named; made by {@link Fiber#ringBuilder}. */
public interface RingBuilder extends JobBuilder<RingBuilder> {

    /**
     * Gives what each member runs first; no function begins before all have run it.
     *
     * @param program when it throws, the run fails as when the function throws. Default: nothing
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    RingBuilder initializer(RemoteRunnable program);

    /**
     * Makes the ring; nothing is started before it runs.
     *
     * @throws IllegalStateException (FBR-302) when the session is closed, (FBR-306) when this builder was used before
     */
    Ring build();
}
