// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.spi.Resources;
import io.fiber.spi.backend.Volume;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Options that the builders of processes, pools, rings and managers share: the names, resources and environment of
 * their jobs. You may set each option once, and each has a default. A builder creates one object. If the backend does
 * not offer an option, the jobs are rejected at submission (FBR-106) and nothing starts. Only labels are ignored if the
 * platform has none. Not thread-safe.
 *
 * @param <B> the builder itself
 */
public interface JobBuilder<B extends JobBuilder<B>> {

    /**
     * Sets the name, which appears in logs, errors and the names of the jobs, for example {@code process-train-1}.
     *
     * @param name not blank. The default is the kind and a number, for example {@code pool-1}
     * @throws IllegalArgumentException (FBR-305) if {@code name} is blank
     * @throws IllegalStateException (FBR-306) if the name has been set
     */
    B name(String name);

    /**
     * Sets what each process needs of its machine.
     *
     * @param needed the default, which {@link Resources#unspecified()} also stands for, is the {@link Meta} of the
     *     function that runs there; without that, the backend decides
     * @throws IllegalStateException (FBR-306) if the resources have been set
     */
    B resources(Resources needed);

    /**
     * Adds variables to the environment of each process. Do not put secrets there: other programs on the machine may
     * see them.
     *
     * @param variables the variables, which are copied; none by default
     * @throws IllegalArgumentException (FBR-305) if a variable has 128 KiB or more with its name
     * @throws IllegalStateException (FBR-306) if the variables have been set
     */
    B environment(Map<String, String> variables);

    /**
     * Sets the image of the containers in which the processes run, in place of the setting {@code image}.
     *
     * @param image a name that the platform understands, not blank. The image needs a Java of at least this JVM's
     *     feature release
     * @throws IllegalArgumentException (FBR-305) if {@code image} is blank
     * @throws IllegalStateException (FBR-306) if the image has been set
     */
    B image(String image);

    /**
     * Sets which storage each process sees, and where.
     *
     * @param volumes the volumes, which are copied; by default those of the setting {@code volumes}
     * @throws IllegalStateException (FBR-306) if the volumes have been set
     */
    B volumes(List<Volume> volumes);

    /**
     * Adds labels to the platform's record of each job, if the platform has labels.
     *
     * @param labels the labels, which are copied; by default only Fiber's own
     * @throws IllegalStateException (FBR-306) if the labels have been set
     */
    B labels(Map<String, String> labels);

    /**
     * Sets the directory in which the processes start.
     *
     * @param directory a path on the machine or in the container where they run; the platform's default if not set
     * @throws IllegalStateException (FBR-306) if the directory has been set
     */
    B workingDirectory(Path directory);

    /**
     * Sets the time after which the platform ends each job. The exit code of a process is then not 0, for example 143
     * after SIGTERM. A pool replaces its worker.
     *
     * @param limit greater than 0; the platform's default if not set
     * @throws IllegalArgumentException (FBR-305) if {@code limit} is 0 or less
     * @throws IllegalStateException (FBR-306) if the limit has been set
     */
    B timeLimit(Duration limit);

    /**
     * Sets options of the backend for these jobs, in place of the session's settings of the same names.
     *
     * <pre>{@code fiber.poolBuilder(8).backendOptions(Map.of("slurm.partition", "gpu")).start(); }</pre>
     *
     * <p>Options of other backends than the session's are ignored, so one program may set options for several. In a
     * worker, the master checks the options when the worker asks it for jobs. Everywhere else {@code start} and {@code
     * build} throw {@link ConfigurationException}: FBR-106 for a setting that applies only to a session, FBR-107 or
     * FBR-120 for an unknown name, FBR-121 for an invalid value.
     *
     * @param options the options, which are copied; none by default
     * @throws IllegalStateException (FBR-306) if the options have been set
     */
    B backendOptions(Map<String, String> options);
}
