// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.spi.Resources;
import java.util.Map;

/**
 * What the builders of processes, pools, rings and managers have in common: what their jobs are called, need and get. Each
 * choice may be made once; what is not said has a default. A builder makes one object. Belongs to one thread.
 *
 * @param <B> the builder itself
 */
public interface JobBuilder<B extends JobBuilder<B>> {

    /**
     * Names it; logs, errors and the names of its jobs show that.
     *
     * @param name not blank. Default: what it is and a number, as in {@code pool-1}
     * @throws IllegalArgumentException (FBR-305) when it is blank
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    B name(String name);

    /**
     * Says what each of its processes needs of its machine.
     *
     * @param needed default: what {@link Meta} says of the function that runs there; else it is left to the backend
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    B resources(Resources needed);

    /**
     * Adds variables to the environment of each of its processes.
     *
     * @param variables copied; by default none. Not the place for secrets: other programs of the machine may see them
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    B environment(Map<String, String> variables);
}
