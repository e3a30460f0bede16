// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.slurm.ssh.SshOptions;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the user said of the site. Immutable.
 *
 * @param directives options of sbatch by their names, from options that have the same name
 * @param sbatchLines further lines of #SBATCH, checked
 * @param timeLimit of every job that has none of its own
 * @param notice how long before its end a job is told of it; zero for never
 * @param memory of every job that asks for none; empty when the option is not set
 * @param steps whether workers are steps of the job around this process while there is room
 * @param prologue shell lines in front of the program
 * @param java the java to run
 * @param wrapper words in front of the program
 * @param networkInterface whose address jobs dial
 * @param pollInterval the shortest time between two questions to Slurm
 * @param given all of it as it was given
 */
record SiteOptions(
        Map<String, String> directives,
        List<String> sbatchLines,
        Optional<Duration> timeLimit,
        Duration notice,
        OptionalLong memory,
        boolean steps,
        String prologue,
        Optional<String> java,
        List<String> wrapper,
        Optional<String> networkInterface,
        Duration pollInterval,
        Options given) {

    static final String DIRECTORY = "directory";
    private static final String NODES = "nodes";

    private static final List<String> DIRECTIVES =
            List.of("partition", "account", "qos", "constraint", "reservation", "exclude", "gres");
    private static final Set<String> OWN = Set.of(
            "--array",
            "-a",
            "--job-name",
            "-J",
            "--output",
            "-o",
            "--error",
            "-e",
            "--chdir",
            "-D",
            "--requeue",
            "--no-requeue",
            "--parsable",
            "--wrap",
            "--signal",
            "--wait",
            "-W",
            "--ntasks",
            "-n",
            "--nodes",
            "-N",
            "--open-mode",
            "--clusters",
            "-M");
    /** Behind short options that take no value. */
    private static final Pattern SHORT_OPTION = Pattern.compile("-[HOQVhuv]*([A-Za-z]).*");

    private static final long DEFAULT_MEMORY_BYTES = 1L << 30;
    private static final Duration DEFAULT_NOTICE = Duration.ofSeconds(30);
    private static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(2);

    static List<OptionKey> keys() {
        List<OptionKey> keys = new ArrayList<>();
        keys.add(OptionKey.of(
                DIRECTORY,
                OptionType.PATH,
                "~/.fiber/slurm",
                "where scripts, bootstrap files and output of jobs lie; this host and all nodes must see it"));
        keys.add(text("partition", "the partition of all jobs").perJob());
        keys.add(text("account", "the account that pays").perJob());
        keys.add(text("qos", "the quality of service").perJob());
        keys.add(text("constraint", "features that nodes must have, as sbatch --constraint has them")
                .perJob());
        keys.add(text("reservation", "the reservation that jobs run in").perJob());
        keys.add(text("exclude", "nodes that take no job, as sbatch --exclude has them")
                .perJob());
        keys.add(text("gres", "generic resources beside GPUs, as sbatch --gres has them")
                .perJob());
        keys.add(
                OptionKey.of(
                        NODES,
                        OptionType.INTEGER,
                        "1",
                        "nodes of each job, with one task on each, as sbatch --nodes has them; a program's workers are steps there"));
        keys.add(OptionKey.of(
                "time-limit", OptionType.DURATION, "the partition's", "after which Slurm ends a job; whole minutes"));
        keys.add(OptionKey.of(
                "notice",
                OptionType.DURATION,
                "30s",
                "how long before Slurm ends a job its worker finishes what it runs and takes nothing more; 0s: never"));
        keys.add(OptionKey.of("memory", OptionType.SIZE, "1g", "memory of a job that asks for none"));
        keys.add(OptionKey.of(
                "steps",
                OptionType.SWITCH,
                "true",
                "whether workers of a program that is itself a job are steps of that job while it has room"));
        keys.add(text("prologue", "shell lines before the program, for example module load openjdk")
                .perJob());
        keys.add(text("sbatch", "further options of sbatch, as in a line of #SBATCH")
                .perJob());
        keys.add(OptionKey.of("java", OptionType.TEXT, "this JVM's own", "the java that nodes run"));
        keys.add(text("wrapper", "words in front of the program, separated by blanks, for example numactl -l")
                .perJob());
        keys.add(OptionKey.of(
                "interface",
                OptionType.TEXT,
                "the one that leads to Slurm's controller",
                "network interface of this host whose address jobs dial"));
        keys.add(OptionKey.of(
                "poll-interval", OptionType.DURATION, "2s", "shortest time between two questions to Slurm"));
        keys.addAll(SshOptions.keys());
        return List.copyOf(keys);
    }

    private static OptionKey text(String name, String description) {
        return OptionKey.of(name, OptionType.TEXT, "none", description);
    }

    /**
     * Reads options.
     *
     * @throws BackendException when one of them says what the backend itself has to say
     */
    static SiteOptions of(Options options) {
        Map<String, String> directives = new TreeMap<>();
        DIRECTIVES.forEach(name -> options.text(name).ifPresent(value -> directives.put(name, value.strip())));
        options.integer(NODES).ifPresent(value -> {
            if (value < 1) {
                throw new BackendException("FBR-135 Option 'fiber.slurm.nodes' is " + value
                        + "; expected 1 or more, as for sbatch --nodes.");
            }
            directives.put(NODES, Long.toString(value));
        });
        return new SiteOptions(
                directives,
                options.text("sbatch").map(SiteOptions::checkedLines).orElse(List.of()),
                options.duration("time-limit"),
                options.duration("notice").orElse(DEFAULT_NOTICE),
                options.sizeBytes("memory"),
                options.isOn("steps").orElse(true),
                options.text("prologue").map(String::strip).orElse(""),
                options.text("java"),
                options.text("wrapper")
                        .map(text -> List.of(text.strip().split("\\s+")))
                        .orElse(List.of()),
                options.text("interface").map(String::strip),
                options.duration("poll-interval").orElse(DEFAULT_POLL_INTERVAL),
                options);
    }

    /** Returns what holds for jobs with options of their own. */
    SiteOptions of(JobSpec spec) {
        return spec.options().isEmpty() ? this : of(given.with(spec.options(), keys()));
    }

    /**
     * Returns the words of sbatch that say what a job has of its own: they win over variables of the user's profile, as a
     * script does not. They win over its lines, too: so nodes are those that both exclude, and resources, for which no
     * variable counts, are left to the script.
     */
    static List<String> words(JobSpec spec, BadNodes badNodes) {
        List<String> words = new ArrayList<>();
        new TreeMap<>(spec.options()).forEach((name, value) -> {
            if (name.equals("exclude")) {
                words.add(
                        "--exclude=" + badNodes.with(Optional.of(value.strip())).orElse(""));
            } else if (DIRECTIVES.contains(name) && !name.equals("gres")) {
                words.add("--" + name + "=" + value.strip());
            }
        });
        spec.timeLimit().ifPresent(limit -> words.add("--time=" + JobScript.minutes(limit)));
        return words;
    }

    /** Returns how many nodes a job has, in sbatch's word for it. */
    String nodes() {
        return directives.getOrDefault(NODES, "1");
    }

    /** Returns the memory in bytes of a job that asks for none. */
    long memoryBytes() {
        return memory.orElse(DEFAULT_MEMORY_BYTES);
    }

    private static List<String> checkedLines(String text) {
        List<String> lines = text.strip().lines().map(String::strip).toList();
        for (String line : lines) {
            if (!line.startsWith("-")) {
                throw new BackendException("FBR-135 Option 'fiber.slurm.sbatch' has the line '" + line
                        + "'; expected options of sbatch, for example --licenses=matlab:1 --switches=1.");
            }
        }
        requireUnset(lines, OWN);
        return lines;
    }

    /**
     * Checks that lines of #SBATCH set none of the backend's own options.
     *
     * @throws BackendException FBR-135 when they do
     */
    static void requireUnset(List<String> lines, Set<String> own) {
        for (String line : lines) {
            for (String word : line.split("\\s+", -1)) {
                own.stream()
                        .filter(name -> sets(word, name))
                        .sorted()
                        .findFirst()
                        .ifPresent(name -> {
                            throw new BackendException("FBR-135 Option 'fiber.slurm.sbatch' sets " + name + " ('" + line
                                    + "'), which the backend itself sets. Leave it out.");
                        });
            }
        }
    }

    /** As sbatch reads a word: it takes the beginning of a name for the name, and what follows a short one for its value. */
    private static boolean sets(String word, String option) {
        Matcher shortOption = SHORT_OPTION.matcher(word);
        if (shortOption.matches()) {
            return option.equals("-" + shortOption.group(1));
        }
        String name = word.split("=", 2)[0];
        return name.length() > "--".length() && option.startsWith(name);
    }

    /** Returns the shared directory that was named, or the one in the user's home. */
    static Path directory(Options options, Path home) {
        return options.path(DIRECTORY)
                .orElse(home.resolve(".fiber").resolve("slurm"))
                .toAbsolutePath();
    }

    /** Returns the shared directory as the login node has it: what is relative is so to the user's home there. */
    static Path remoteDirectory(Options options, Path home) {
        return home.resolve(options.path(DIRECTORY).orElse(Path.of(".fiber", "slurm")));
    }

    /**
     * Tells whether sbatch may see a variable that stands for one of its options: users have such defaults in their
     * profile. What is said here goes before them; what the script itself says is not theirs to change.
     */
    boolean leavesToTheUser(String variable) {
        return switch (variable) {
            case "SBATCH_PARTITION",
                    "SBATCH_ACCOUNT",
                    "SBATCH_QOS",
                    "SBATCH_CONSTRAINT",
                    "SBATCH_RESERVATION",
                    "SBATCH_EXCLUDE" ->
                !directives.containsKey(variable.substring("SBATCH_".length()).toLowerCase(Locale.ROOT));
            case "SBATCH_TIMELIMIT" -> timeLimit.isEmpty();
            default -> false;
        };
    }
}
