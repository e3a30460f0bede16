// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.FiberException;
import io.fiber.spec.Resources;
import io.fiber.spec.Volume;
import io.fiber.spi.OptionType;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options for what a job needs. */
public final class JobOptions {

    private static final String DEFAULT_MOUNT = "/persistent";
    private static final String READ_ONLY = ":ro";

    /** As in sbatch: minutes, minutes:seconds, hours:minutes:seconds, and days in front of hours. */
    private static final Pattern TIME = Pattern.compile("(?:(\\d{1,4})-)?(\\d{1,6})(?::(\\d{1,2}))?(?::(\\d{1,2}))?");

    @Option(
            names = {"-c", "--cpus"},
            paramLabel = "N",
            description = "Processors; fractions are allowed: 0.5.")
    private Optional<Double> cpu = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "Memory: 512m, 4g. For a Java program this is its heap, as everywhere in Fiber.")
    private Optional<String> memory = Optional.empty();

    @Option(names = "--gpus", paramLabel = "N", description = "GPUs, a whole number.")
    private int gpu;

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "The image, on a backend with containers. With --push-image, this is the base image.")
    private Optional<String> image = Optional.empty();

    @Option(
            names = "--volume",
            paramLabel = "NAME[:PATH[:ro]]",
            description = "Storage that the job sees at PATH. Default path: " + DEFAULT_MOUNT + ". You can repeat this"
                    + " option.")
    private List<String> volumes = new ArrayList<>();

    @Option(
            names = {"-e", "--env"},
            paramLabel = "NAME[=VALUE]",
            description = "An environment variable of the job. Without a value, it gets the value that it has here."
                    + " You can repeat this option.")
    private List<String> variables = new ArrayList<>();

    @Option(names = "--workdir", paramLabel = "PATH", description = "The directory in which the job starts.")
    private Optional<Path> directory = Optional.empty();

    @Option(
            names = "--time-limit",
            paramLabel = "DURATION",
            description = "The platform ends the job after this" + " time: 2h.")
    private Optional<String> timeLimit = Optional.empty();

    @Option(
            names = {"-t", "--time"},
            paramLabel = "TIME",
            description = "The time limit as 'sbatch' writes it: minutes, H:M:S, D-H:M:S.")
    private Optional<String> time = Optional.empty();

    /** Creates options that request nothing. */
    public JobOptions() {}

    /** Returns the requested image. */
    public Optional<String> image() {
        return image;
    }

    /**
     * Returns the requested volumes.
     *
     * @throws FiberException FBR-530 if one cannot be parsed
     */
    public List<Volume> volumes() {
        try {
            return volumes.stream().map(JobOptions::volume).toList();
        } catch (IllegalArgumentException e) {
            throw unreadable(e);
        }
    }

    private static FiberException unreadable(IllegalArgumentException e) {
        return new FiberException("FBR-530", "An option of this command cannot be read: " + e.getMessage(), e);
    }

    /**
     * Returns the spec to submit.
     *
     * @param imaged the program and the image in which it runs
     * @param capabilities capabilities of the backend; if it cannot show output on the console, this is not requested
     * @param variables variables of the job, unless these options set variables of the same names
     * @throws FiberException FBR-530 if an option cannot be parsed
     */
    public JobSpec spec(Imaged imaged, Set<Capability> capabilities, Map<String, String> variables) {
        try {
            Resources resources = Resources.gpus(gpu);
            if (cpu.isPresent()) {
                resources = resources.withCpus(cpu.get());
            }
            if (memory.isPresent()) {
                resources = resources.withMemoryBytes(OptionType.parseSize(memory.get()));
            }
            Map<String, String> environment = new LinkedHashMap<>(variables);
            environment.putAll(environment());
            JobSpec.Builder spec = JobSpec.builder(imaged.program())
                    .resources(resources)
                    .environment(environment)
                    .volumes(volumes())
                    .output(capabilities.contains(Capability.CONSOLE) ? new JobOutput.Console() : new JobOutput.None());
            imaged.image().ifPresent(spec::image);
            directory.ifPresent(spec::workingDirectory);
            limit().ifPresent(spec::timeLimit);
            return spec.build();
        } catch (IllegalArgumentException e) {
            throw unreadable(e);
        }
    }

    private Optional<Duration> limit() {
        if (timeLimit.isPresent() && time.isPresent()) {
            throw new IllegalArgumentException("--time and --time-limit are the same; leave one out.");
        }
        return time.isPresent() ? time.map(JobOptions::duration) : timeLimit.map(OptionType::parseDuration);
    }

    private static Duration duration(String text) {
        Matcher parts = TIME.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("--time is '" + text
                    + "'; expected minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes or"
                    + " days-hours:minutes:seconds.");
        }
        boolean hoursFirst = parts.group(1) != null || parts.group(4) != null;
        Duration last = hoursFirst
                ? Duration.ofHours(number(parts, 2))
                        .plusMinutes(number(parts, 3))
                        .plusSeconds(number(parts, 4))
                : Duration.ofMinutes(number(parts, 2)).plusSeconds(number(parts, 3));
        return last.plusDays(number(parts, 1));
    }

    private static long number(Matcher parts, int group) {
        String digits = parts.group(group);
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String variable : variables) {
            int equals = variable.indexOf('=');
            String name = equals < 0 ? variable : variable.substring(0, equals);
            if (name.isEmpty()) {
                throw new IllegalArgumentException("--env is '" + variable + "'; expected NAME or NAME=VALUE.");
            }
            String value = equals < 0 ? System.getenv(name) : variable.substring(equals + 1);
            if (value == null) {
                throw new IllegalArgumentException("--env is '" + variable + "', and there is no such variable here;"
                        + " expected the name of one, or NAME=VALUE.");
            }
            environment.put(name, value);
        }
        return environment;
    }

    private static Volume volume(String text) {
        String whole = text.endsWith(READ_ONLY) ? text.substring(0, text.length() - READ_ONLY.length()) : text;
        return Volume.parse(whole.contains(":") ? text : whole + ":" + DEFAULT_MOUNT + text.substring(whole.length()));
    }
}
