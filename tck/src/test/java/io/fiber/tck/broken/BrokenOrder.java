// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;

/** Changes what is submitted, as a backend with one bug does. */
@NullUnmarked
final class BrokenOrder {

    /** The length that a prefix leaves of 63. */
    private static final int SHORT_NAME = 57;

    private static final int SHORT_LABEL = 50;

    private final BackendBug bug;
    private final BrokenTraces traces;
    private final Map<String, String> kept = new HashMap<>();

    BrokenOrder(BackendBug bug, BrokenTraces traces) {
        this.bug = bug;
        this.traces = traces;
    }

    private boolean has(BackendBug other) {
        return bug == other;
    }

    /** Returns what the platform gets in place of a submission. */
    Submission change(Submission submission) {
        List<Submission.Instance> instances = submission.instances();
        if (has(BackendBug.BOOTSTRAP_SHARED)) {
            Secret first = instances.get(0).bootstrap();
            instances = instances.stream()
                    .map(each -> new Submission.Instance(each.name(), first))
                    .toList();
        }
        if (has(BackendBug.BOOTSTRAP_CUT)) {
            instances = instances.stream()
                    .map(each -> new Submission.Instance(each.name(), cut(each.bootstrap())))
                    .toList();
        }
        if (has(BackendBug.BOOTSTRAPS_IN_TEXT_ORDER)) {
            instances = inTextOrder(instances);
        }
        if (has(BackendBug.LONG_NAMES_CUT)) {
            instances = instances.stream().map(BrokenOrder::withShortName).toList();
        }
        Map<String, String> environment = environment(submission);
        if (has(BackendBug.VARIABLES_STAY)) {
            kept.putAll(environment);
            environment = Map.copyOf(kept);
        }
        if (environment.getOrDefault(JobSpec.BOOTSTRAP_VARIABLE, "").startsWith("file:")) {
            instances = instances.stream()
                    .map(each -> new Submission.Instance(each.name(), Secret.empty()))
                    .toList();
        }
        JobSpec spec = submission.spec();
        Resources asked = spec.resources();
        boolean isLimitIgnored = has(BackendBug.WISH_IGNORED)
                || (has(BackendBug.PROCESSORS_IGNORED) && asked.cpus().isPresent())
                || (has(BackendBug.MEMORY_IGNORED) && asked.memoryBytes().isPresent())
                || has(BackendBug.HEAP_BEHIND_OPTIONS)
                || (has(BackendBug.GPUS_IGNORED) && asked.gpus() > 0)
                || (has(BackendBug.GPUS_SHARED) && asked.gpus() == 1);
        return new Submission(
                new JobSpec(
                        change(spec.program(), asked),
                        isLimitIgnored ? Resources.unspecified() : asked,
                        has(BackendBug.WISH_IGNORED) ? Optional.empty() : spec.image(),
                        has(BackendBug.WISH_IGNORED) ? List.of() : spec.volumes(),
                        labels(spec.labels()),
                        environment,
                        directory(spec.workingDirectory()),
                        output(spec.output()),
                        has(BackendBug.TIME_LIMIT_IGNORED) || has(BackendBug.TIME_COUNTS_FROM_SUBMISSION)
                                ? Optional.empty()
                                : spec.timeLimit(),
                        restarts(spec),
                        spec.options()),
                instances);
    }

    private static Submission.Instance withShortName(Submission.Instance instance) {
        String name = instance.name();
        return new Submission.Instance(name.substring(0, Math.min(SHORT_NAME, name.length())), instance.bootstrap());
    }

    private static List<Submission.Instance> inTextOrder(List<Submission.Instance> instances) {
        List<Integer> sorted = IntStream.range(0, instances.size())
                .boxed()
                .sorted(Comparator.comparing(String::valueOf))
                .toList();
        return IntStream.range(0, instances.size())
                .mapToObj(index -> new Submission.Instance(
                        instances.get(index).name(),
                        instances.get(sorted.get(index)).bootstrap()))
                .toList();
    }

    private Map<String, String> labels(Map<String, String> labels) {
        Map<String, String> changed = new HashMap<>();
        labels.forEach((name, value) -> {
            switch (bug) {
                case LABELS_DROPPED -> {}
                case LABELS_IN_SMALL_LETTERS -> changed.put(name, value.toLowerCase(Locale.ROOT));
                case LABELS_CUT -> changed.put(name, value.substring(0, Math.min(SHORT_LABEL, value.length())));
                default -> changed.put(name, value);
            }
        });
        return changed;
    }

    private Optional<Path> directory(Optional<Path> directory) {
        boolean isIgnored = has(BackendBug.DIRECTORY_IGNORED)
                || (has(BackendBug.MISSING_DIRECTORY_IGNORED)
                        && !directory.map(Files::isDirectory).orElse(true));
        return isIgnored ? Optional.empty() : directory;
    }

    private int restarts(JobSpec spec) {
        if (has(BackendBug.RESTARTS_IGNORED)) {
            return 0;
        }
        return has(BackendBug.ONE_RESTART_TOO_MANY) && spec.restarts() > 0 ? spec.restarts() + 1 : spec.restarts();
    }

    private JobOutput output(JobOutput output) {
        boolean ignored = (output instanceof JobOutput.Files && has(BackendBug.FILES_IGNORED))
                || (output instanceof JobOutput.Console && has(BackendBug.CONSOLE_IGNORED));
        return ignored ? new JobOutput.None() : output;
    }

    private Map<String, String> environment(Submission submission) {
        Map<String, String> changed = new HashMap<>(has(BackendBug.VARIABLES_COME_ALONG) ? System.getenv() : Map.of());
        changed.putAll(submission.spec().environment());
        byte[] secret = submission.instances().get(0).bootstrap().copyBytes();
        if (has(BackendBug.ENVIRONMENT_TRIMMED)) {
            changed.replaceAll((name, value) -> value.trim());
        }
        if (has(BackendBug.VALUES_ON_ONE_LINE)) {
            changed.replaceAll((name, value) -> value.replaceAll("[\\r\\n]+", " "));
        }
        if (has(BackendBug.VALUES_IN_ASCII)) {
            changed.replaceAll((name, value) -> ascii(value));
        }
        if (has(BackendBug.ODD_NAMES_LOST)) {
            changed.keySet().removeIf(name -> !name.matches("\\w+"));
        }
        spelled(secret).ifPresent(text -> changed.put("TOKEN", text));
        if (secret.length > 0 && submission.instances().size() == 1) {
            traces.copyOf(secret).ifPresent(file -> changed.put(JobSpec.BOOTSTRAP_VARIABLE, "file:" + file));
        }
        if (has(BackendBug.VARIABLE_ALWAYS_SET)) {
            changed.put(JobSpec.BOOTSTRAP_VARIABLE, "none");
        }
        return changed;
    }

    private static String ascii(String text) {
        return new String(text.getBytes(StandardCharsets.US_ASCII), StandardCharsets.US_ASCII);
    }

    private static Secret cut(Secret secret) {
        return Secret.of(Arrays.copyOf(secret.copyBytes(), Math.min(secret.length(), 65_536)));
    }

    /** Returns the secret as it is shown in a variable; empty without such a bug. */
    private Optional<String> spelled(byte[] secret) {
        byte[] behindMore =
                ("x" + new String(secret, StandardCharsets.ISO_8859_1)).getBytes(StandardCharsets.ISO_8859_1);
        return switch (bug) {
            case BOOTSTRAP_IN_ENVIRONMENT -> Optional.of(new String(secret, StandardCharsets.ISO_8859_1));
            case BOOTSTRAP_IN_BASE64 -> Optional.of(Base64.getUrlEncoder().encodeToString(behindMore));
            case BOOTSTRAP_IN_BASE32 -> Optional.of(base32(behindMore));
            case BOOTSTRAP_IN_HEX ->
                Optional.of(HexFormat.ofDelimiter(":").withUpperCase().formatHex(secret));
            case BOOTSTRAP_IN_NUMBERS -> Optional.of(Arrays.toString(secret));
            case BOOTSTRAP_BACKWARDS ->
                Optional.of(new StringBuilder(new String(secret, StandardCharsets.ISO_8859_1))
                        .reverse()
                        .toString());
            default -> Optional.empty();
        };
    }

    private static String base32(byte[] bytes) {
        StringBuilder bits = new StringBuilder();
        for (byte octet : bytes) {
            bits.append(Integer.toBinaryString(256 | (octet & 0xff)).substring(1));
        }
        bits.append("0000");
        StringBuilder text = new StringBuilder();
        for (int at = 0; at + 5 <= bits.length(); at += 5) {
            text.append("abcdefghijklmnopqrstuvwxyz234567".charAt(Integer.parseInt(bits.substring(at, at + 5), 2)));
        }
        return text.toString();
    }

    private List<String> jvmOptions(Program.Java java, Resources asked) {
        List<String> options = new ArrayList<>(has(BackendBug.JVM_OPTIONS_DROPPED) ? List.of() : java.jvmOptions());
        if (has(BackendBug.HEAP_BEHIND_OPTIONS)) {
            asked.memoryBytes().ifPresent(bytes -> options.add("-Xmx" + bytes));
        }
        return options;
    }

    private Program change(Program program, Resources asked) {
        if (program instanceof Program.Command command && has(BackendBug.COMMAND_WORDS_TRIMMED)) {
            return new Program.Command(command.words().stream()
                    .map(word -> word.replaceAll(" +", " "))
                    .toList());
        }
        if (!(program instanceof Program.Java java)) {
            return program;
        }
        return new Program.Java(
                java.executable(),
                jvmOptions(java, asked),
                java.classPath(),
                java.modulePath(),
                java.main(),
                java.arguments().stream()
                        .filter(word -> !word.isEmpty() || !has(BackendBug.EMPTY_ARGUMENTS_LOST))
                        .map(word -> has(BackendBug.WORDS_IN_ASCII) ? ascii(word) : word)
                        .map(word -> has(BackendBug.LONG_WORDS_CUT)
                                ? word.substring(0, Math.min(4_096, word.length()))
                                : word)
                        .map(word -> has(BackendBug.WORDS_ON_ONE_LINE) ? word.replaceAll("[\\r\\n]+", " ") : word)
                        .toList());
    }
}
