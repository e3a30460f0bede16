// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

import io.fiber.spec.Resources;
import io.fiber.spec.Volume;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a job runs and what it needs. Everything that the job must know is a field here; it inherits nothing by
 * accident. Immutable; created by {@link #builder}.
 *
 * @param program what to run
 * @param resources what it needs; the platform's default applies to everything that is not specified
 * @param image the container image to run in
 * @param volumes storage that the job sees
 * @param labels labels for the platform's record of the job, if it supports them
 * @param environment variables that are set for the job in addition to the platform's; no secrets
 * @param workingDirectory where the job starts; empty for the platform's default
 * @param output where its output goes
 * @param timeLimit time after which the platform ends the job; empty for the platform's default
 * @param restarts how many times the platform starts the program again after an end that is {@linkplain
 *     JobTermination#isRestartable restartable}; only for a job that the platform keeps, see {@link DetachedJobs}
 * @param options values of the backend's options that replace the session's, by the name of the option, such as {@code
 *     partition}. Their keys are {@linkplain io.fiber.spi.OptionKey#perJob() per job}, and the values have been checked
 */
public record JobSpec(
        Program program,
        Resources resources,
        Optional<String> image,
        List<Volume> volumes,
        Map<String, String> labels,
        Map<String, String> environment,
        Optional<Path> workingDirectory,
        JobOutput output,
        Optional<Duration> timeLimit,
        int restarts,
        Map<String, String> options) {

    /**
     * The environment variable with which a backend tells a job where its bootstrap bytes are. With {@code stdin},
     * standard input carries a length of 4 bytes (big endian) and the bytes, and then stays open until the submitting
     * process ends. With {@code file:} and an absolute path, that file holds the bytes. The variable is not set if the
     * instance's bootstrap is empty.
     */
    public static final String BOOTSTRAP_VARIABLE = "FIBER_BOOTSTRAP";

    /** Linux passes on no variable that is longer with its name, an equals sign and a byte at the end. */
    private static final int LIMIT_OF_A_VARIABLE_BYTES = 128 << 10;

    public JobSpec {
        requireNonNull(program, "program");
        requireNonNull(resources, "resources");
        requireNonNull(image, "image");
        volumes = List.copyOf(volumes);
        labels = Map.copyOf(labels);
        environment = Map.copyOf(environment);
        requireNonNull(workingDirectory, "workingDirectory");
        requireNonNull(output, "output");
        requireNonNull(timeLimit, "timeLimit");
        if (restarts < 0) {
            throw new IllegalArgumentException("restarts=" + restarts + "; expected 0 or more");
        }
        options = Map.copyOf(options);
    }

    private static void checkVariable(String name, String value) {
        long bytes = (name + "=" + value).getBytes(StandardCharsets.UTF_8).length;
        if (bytes >= LIMIT_OF_A_VARIABLE_BYTES) {
            throw new IllegalArgumentException("FBR-305 The environment variable '" + name + "' has " + bytes
                    + " bytes with its name; expected fewer than " + LIMIT_OF_A_VARIABLE_BYTES
                    + ", the limit of Linux. Pass the value as an argument, or put it into a file.");
        }
    }

    /** Returns a builder of a spec that runs {@code program}. */
    public static Builder builder(Program program) {
        return new Builder(program);
    }

    /** Returns a builder that starts from this spec. */
    public Builder toBuilder() {
        return toBuilder(program);
    }

    /** Returns a builder that starts from this spec but runs another program. */
    public Builder toBuilder(Program other) {
        Builder builder = new Builder(other)
                .resources(resources)
                .volumes(volumes)
                .labels(labels)
                .environment(environment)
                .output(output)
                .restarts(restarts)
                .options(options);
        image.ifPresent(builder::image);
        workingDirectory.ifPresent(builder::workingDirectory);
        timeLimit.ifPresent(builder::timeLimit);
        return builder;
    }

    /** Collects the fields of a {@link JobSpec}. Not thread-safe. */
    public static final class Builder {
        private final Program program;
        private Resources resources = Resources.unspecified();
        private Optional<String> image = Optional.empty();
        private List<Volume> volumes = List.of();
        private Map<String, String> labels = Map.of();
        private Map<String, String> environment = Map.of();
        private Optional<Path> workingDirectory = Optional.empty();
        private JobOutput output = new JobOutput.None();
        private Optional<Duration> timeLimit = Optional.empty();
        private int restarts;
        private Map<String, String> options = Map.of();

        private Builder(Program program) {
            this.program = requireNonNull(program, "program");
        }

        /** Sets what the job needs; unspecified by default. */
        public Builder resources(Resources value) {
            resources = requireNonNull(value, "resources");
            return this;
        }

        /** Sets the container image; by default, the platform's. */
        public Builder image(String value) {
            image = Optional.of(value);
            return this;
        }

        /** Sets the volumes; none by default. */
        public Builder volumes(List<Volume> value) {
            volumes = requireNonNull(value, "volumes");
            return this;
        }

        /** Sets the labels; none by default. */
        public Builder labels(Map<String, String> value) {
            labels = requireNonNull(value, "labels");
            return this;
        }

        /**
         * Sets the additional environment variables; none by default.
         *
         * @throws IllegalArgumentException FBR-305 if one has 128 KiB or more
         */
        public Builder environment(Map<String, String> value) {
            value.forEach(JobSpec::checkVariable);
            environment = value;
            return this;
        }

        /** Sets the directory in which the job starts; by default, the platform's. */
        public Builder workingDirectory(Path value) {
            workingDirectory = Optional.of(value);
            return this;
        }

        /** Sets where the output goes; {@link JobOutput.None} by default. */
        public Builder output(JobOutput value) {
            output = requireNonNull(value, "output");
            return this;
        }

        /** Sets the time after which the platform ends the job; by default, the platform's limit. */
        public Builder timeLimit(Duration value) {
            timeLimit = Optional.of(value);
            return this;
        }

        /** Sets how many times the platform starts the program again; 0 by default. */
        public Builder restarts(int value) {
            restarts = value;
            return this;
        }

        /** Sets options of the backend for this job; none by default. */
        public Builder options(Map<String, String> value) {
            options = requireNonNull(value, "options");
            return this;
        }

        /** Returns the spec. */
        public JobSpec build() {
            return new JobSpec(
                    program,
                    resources,
                    image,
                    volumes,
                    labels,
                    environment,
                    workingDirectory,
                    output,
                    timeLimit,
                    restarts,
                    options);
        }
    }
}
