// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Volume;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a builder was told of the jobs it is for, beside their name and resources. Immutable.
 *
 * @param environment variables on top of the platform's
 * @param image of their containers; empty for the session's
 * @param volumes storage that they see; empty for the session's
 * @param labels on the platform's record of them
 * @param workingDirectory where they start; empty for the platform's default
 * @param timeLimit after which the platform ends them; empty for its default
 * @param options of backends, by their whole names: {@code slurm.partition}
 */
public record JobChoices(
        Map<String, String> environment,
        Optional<String> image,
        List<Volume> volumes,
        Map<String, String> labels,
        Optional<Path> workingDirectory,
        Optional<Duration> timeLimit,
        Map<String, String> options) {

    /** Returns what a spec says of this. */
    public static JobChoices of(JobSpec spec) {
        return new JobChoices(
                spec.environment(),
                spec.image(),
                spec.volumes(),
                spec.labels(),
                spec.workingDirectory(),
                spec.timeLimit(),
                spec.options());
    }

    /** Adds it to a spec; what is not said is left as it is. */
    public JobSpec.Builder addTo(JobSpec.Builder spec) {
        spec.environment(environment).labels(labels).options(options);
        if (!volumes.isEmpty()) {
            spec.volumes(volumes);
        }
        image.ifPresent(spec::image);
        workingDirectory.ifPresent(spec::workingDirectory);
        timeLimit.ifPresent(spec::timeLimit);
        return spec;
    }

    /** Writes what {@link #read} reads. */
    public void write(PayloadOutput out) {
        out.writeTextMap(environment);
        out.writeTextMap(labels);
        out.writeTextMap(options);
        out.writeOptionalText(image);
        out.writeOptionalText(workingDirectory.map(Path::toString));
        out.writeOptionalText(timeLimit.map(Duration::toString));
        out.writeVarLong(volumes.size());
        for (Volume volume : volumes) {
            out.writeText(volume.name());
            out.writeText(volume.mountPath());
            out.writeText(volume.access().name());
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException when it is something else
     * @throws IllegalArgumentException when a value is out of its range
     */
    public static JobChoices read(PayloadInput in) throws IOException {
        Map<String, String> environment = in.readTextMap();
        Map<String, String> labels = in.readTextMap();
        Map<String, String> options = in.readTextMap();
        Optional<String> image = in.readOptionalText();
        Optional<Path> workingDirectory = in.readOptionalText().map(Path::of);
        Optional<Duration> timeLimit = in.readOptionalText().map(JobChoices::duration);
        List<Volume> volumes = new ArrayList<>();
        for (long left = in.readVarLong(); left > 0; left--) {
            volumes.add(new Volume(in.readText(), in.readText(), Volume.Access.valueOf(in.readText())));
        }
        return new JobChoices(environment, image, volumes, labels, workingDirectory, timeLimit, options);
    }

    private static Duration duration(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
