// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.spi.Resources;
import io.fiber.spi.backend.Volume;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What the builders of processes, pools, rings and managers have in common: what their jobs are called, need and get.
 * Each choice may be made once; what is not said has a default. A builder makes one object. What a backend does not
 * offer is refused when jobs are submitted (FBR-106), and nothing is started; only labels are ignored where the
 * platform has none. Belongs to one thread.
 *
 * @param <B> the builder itself
 */
public interface JobBuilder<B extends JobBuilder<B>> {

    /**
     * Names it; logs, errors and the names of its jobs, as in {@code process-train-1}, show that.
     *
     * @param name not blank. Default: what it is and a number, as in {@code pool-1}
     * @throws IllegalArgumentException (FBR-305) when it is blank
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    B name(String name);

    /**
     * Says what each of its processes needs of its machine.
     *
     * @param needed default, also for {@link Resources#unspecified()}: what {@link Meta} says of the function that runs
     *     there; else it is left to the backend
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

    /**
     * Names the image of the containers that its processes run in, in place of the setting {@code image}.
     *
     * @param image a name as the platform takes it, not blank. It has a Java of this JVM's feature release or later
     * @throws IllegalArgumentException (FBR-305) when it is blank
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    B image(String image);

    /**
     * Says which storage each of its processes sees, and where.
     *
     * @param volumes copied; by default those of the setting {@code volumes}
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    B volumes(List<Volume> volumes);

    /**
     * Puts labels on the platform's record of each of its jobs, where the platform has such a thing.
     *
     * @param labels copied; by default none beside Fiber's own
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    B labels(Map<String, String> labels);

    /**
     * Says in which directory its processes start.
     *
     * @param directory of the machine or container that they run on. Default: the platform's
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    B workingDirectory(Path directory);

    /**
     * Has the platform end each of its jobs after this time. A process then has an exit code that is not 0, 143 after SIGTERM; a
     * worker of a pool is replaced.
     *
     * @param limit above 0. Default: the platform's
     * @throws IllegalArgumentException (FBR-305) when it is 0 or less
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    B timeLimit(Duration limit);

    /**
     * Sets options of the backend for its jobs, in place of the session's settings of the same names.
     *
     * <pre>{@code fiber.poolBuilder(8).backendOptions(Map.of("slurm.partition", "gpu")).start(); }</pre>
     *
     * <p>Options of backends that the session does not use are passed over, so one program may name those of several.
     * In a worker, its master checks them when it is asked for jobs; everywhere else {@code start} and {@code build}
     * throw {@link ConfigurationException}: FBR-106 for a setting that holds for a session only, FBR-107 or FBR-120
     * for an unknown name, FBR-121 for a value that cannot be read.
     *
     * @param options copied; by default none
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    B backendOptions(Map<String, String> options);
}
