// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteRunnable;

/** Sets the options of a {@link Ring} and creates it. {@link Fiber#ringBuilder} creates the builder. */
public interface RingBuilder extends JobBuilder<RingBuilder> {

    /**
     * Sets what each member runs first. No function starts before all members have run it.
     *
     * @param program if it throws, the run fails as if the function had thrown. Nothing by default
     */
    RingBuilder initializer(RemoteRunnable program);

    /**
     * Creates the ring. Processes start when it runs.
     *
     * @throws IllegalStateException (FBR-302) if the session is closed
     */
    Ring build();
}
