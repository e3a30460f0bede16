// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.spec.Resources;
import io.fiber.spec.Volume;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Options that the builders of processes, pools, rings and managers share: the names, resources and environment of
 * their jobs. Each option has a default. If you set it again, the new value replaces the old one. A builder may create
 * any number of objects, each with the values of that moment. If the backend does not offer an option, the jobs are
 * rejected at submission (FBR-106) and nothing starts. Only labels are ignored if the platform has none. Not
 * thread-safe.
 *
 * @param <B> the builder itself
 */
public interface JobBuilder<B extends JobBuilder<B>> {

    /**
     * Sets the name, which appears in logs, errors and the names of the jobs, for example {@code process-train-1}.
     *
     * @param name not blank, and not necessarily unique. The default is the kind and a number, for example {@code
     *     pool-1} or {@code Process-1}
     * @throws IllegalArgumentException (FBR-305) if {@code name} is blank
     */
    B name(String name);

    /**
     * Sets what each process needs of its machine.
     *
     * @param needed the default, which {@link Resources#unspecified()} also stands for, is the {@link Needs} of the
     *     function that runs there, except in a manager; without that, the backend decides
     */
    B resources(Resources needed);

    /**
     * Sets the variables that each process has in addition to its environment. Do not put secrets there: other programs
     * on the machine may see them.
     *
     * @param variables the variables, which are copied; none by default
     * @throws IllegalArgumentException (FBR-305) if a variable has 128 KiB or more with its name
     */
    B environment(Map<String, String> variables);

    /**
     * Sets the image of the containers in which the processes run, in place of the setting {@code image}.
     *
     * @param image a name that the platform understands, not blank. The image needs a Java of at least this JVM's
     *     feature release
     * @throws IllegalArgumentException (FBR-305) if {@code image} is blank
     */
    B image(String image);

    /**
     * Sets which storage each process sees, and where.
     *
     * @param volumes the volumes, which are copied; by default those of the setting {@code volumes}
     */
    B volumes(List<Volume> volumes);

    /**
     * Sets the labels that the platform's record of each job gets, if the platform has labels.
     *
     * @param labels the labels, which are copied; by default only Fiber's own
     */
    B labels(Map<String, String> labels);

    /**
     * Sets the directory in which the processes start.
     *
     * @param directory a path on the machine or in the container where they run; the platform's default if not set
     */
    B workingDirectory(Path directory);

    /**
     * Sets the time after which the platform ends each job. The exit code of a process is then not 0, for example 143
     * after SIGTERM. A pool replaces its worker.
     *
     * @param limit greater than 0; the platform's default if not set
     * @throws IllegalArgumentException (FBR-305) if {@code limit} is 0 or less
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
     */
    B backendOptions(Map<String, String> options);
}
