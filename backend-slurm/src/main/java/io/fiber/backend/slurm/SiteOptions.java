// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.slurm.ssh.SshOptions;
import io.fiber.backend.support.batch.BatchOptions;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the user said of the site. Immutable.
 *
 * @param directives options of sbatch by their names, from options that have the same name
 * @param sbatchLines further lines of #SBATCH, checked
 * @param timeLimit of every job that has none of its own
 * @param notice how long before its end a job is told of it; zero for never
 * @param memory of every job that asks for none, and how Slurm is asked for it
 * @param steps whether workers are steps of the job around this process while there is room
 * @param prologue shell lines in front of the program
 * @param java the java to run
 * @param wrapper words in front of the program
 * @param networkInterface whose address jobs dial
 * @param pollInterval the shortest time between two queries to Slurm
 * @param commandLimit how long one of Slurm's programs may take; empty if the cluster's settings say it
 * @param cluster which of several clusters takes the jobs; empty if it is this host's, or variables name it
 * @param given all of it as it was given
 */
record SiteOptions(
        Map<String, String> directives,
        List<String> sbatchLines,
        Optional<Duration> timeLimit,
        Duration notice,
        MemoryOption memory,
        boolean steps,
        String prologue,
        Optional<String> java,
        List<String> wrapper,
        Optional<String> networkInterface,
        Duration pollInterval,
        Optional<Duration> commandLimit,
        Optional<String> cluster,
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
            "--open-mode");
    private static final Set<String> CLUSTERS = Set.of("--clusters", "-M");
    /** Behind short options that take no value. */
    private static final Pattern SHORT_OPTION = Pattern.compile("-[HOQVhuv]*([A-Za-z]).*");

    private static final Duration DEFAULT_NOTICE = Duration.ofSeconds(30);

    static List<OptionKey> keys() {
        List<OptionKey> keys = new ArrayList<>();
        keys.add(BatchOptions.directoryKey(SlurmBackendProvider.SHOWN));
        keys.add(text("partition", "the partition of all jobs").perJob());
        keys.add(text("account", "the account to charge").perJob());
        keys.add(text("qos", "the quality of service").perJob());
        keys.add(text("constraint", "features that nodes must have, as in sbatch --constraint")
                .perJob());
        keys.add(text("reservation", "the reservation that jobs run in").perJob());
        keys.add(
                text("exclude", "nodes that get no job, as in sbatch --exclude").perJob());
        keys.add(text("gres", "generic resources other than GPUs, as in sbatch --gres")
                .perJob());
        keys.add(OptionKey.of(
                NODES,
                OptionType.INTEGER,
                "1",
                "nodes of each job, with one task on each, as in sbatch --nodes; a program's workers are steps there"));
        keys.add(OptionKey.of(
                "time-limit", OptionType.DURATION, "the partition's", "when Slurm ends a job, in whole minutes"));
        keys.add(OptionKey.of(
                "notice",
                OptionType.DURATION,
                "30s",
                "how long before its time limit a worker finishes its tasks and takes no more; 0s: never"));
        keys.add(text("cluster", "cluster of a site with several, as in sbatch --clusters"));
        keys.add(OptionKey.of(
                MemoryOption.NAME,
                OptionType.TEXT,
                "1g per-node",
                "memory of a job that requests none, and how Slurm is asked for memory: per-node, per-cpu or none"));
        keys.add(OptionKey.of(
                "steps",
                OptionType.SWITCH,
                "true",
                "whether workers of a program that is itself a job are steps of that job while it has room"));
        keys.add(text("prologue", "shell lines before the program, for example module load openjdk")
                .perJob());
        keys.add(text("sbatch", "further options of sbatch, as in a line of #SBATCH")
                .perJob());
        keys.add(OptionKey.of("java", OptionType.TEXT, "this JVM's own", "java on the nodes"));
        keys.add(text("wrapper", "words before the program, separated by spaces, for example numactl -l")
                .perJob());
        keys.add(OptionKey.of(
                "interface",
                OptionType.TEXT,
                "the one that leads to Slurm's controller",
                "network interface of this host whose address jobs dial"));
        keys.add(BatchOptions.pollIntervalKey(SlurmBackendProvider.SHOWN));
        keys.add(OptionKey.of(
                "command-limit",
                OptionType.DURATION,
                "twice the cluster's MessageTimeout",
                "how long one of Slurm's programs may take"));
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
                MemoryOption.of(options),
                options.isOn("steps").orElse(true),
                options.text("prologue").map(String::strip).orElse(""),
                options.text("java"),
                options.text("wrapper")
                        .map(text -> List.of(text.strip().split("\\s+")))
                        .orElse(List.of()),
                options.text("interface").map(String::strip),
                BatchOptions.pollInterval(options),
                options.duration("command-limit"),
                options.text("cluster").map(SiteOptions::oneCluster),
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

    /** Returns the generic resources of a job, GPUs included, in the words of {@code --gres}. */
    List<String> gres(JobSpec spec) {
        List<String> gres = new ArrayList<>();
        if (spec.resources().gpus() > 0) {
            gres.add("gpu:" + spec.resources().gpus());
        }
        Optional.ofNullable(directives.get("gres")).ifPresent(gres::add);
        return gres;
    }

    /** Returns how many nodes a job has, in sbatch's word for it. */
    String nodes() {
        return directives.getOrDefault(NODES, "1");
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
        if (sets(lines, CLUSTERS)) {
            throw new BackendException("FBR-135 Option 'fiber.slurm.sbatch' sets --clusters ('" + text.strip()
                    + "'), but all of Slurm's programs need the cluster's name. Set fiber.slurm.cluster instead.");
        }
        return lines;
    }

    /**
     * Returns the name of a cluster.
     *
     * @throws BackendException FBR-135 when it is several names, between which Slurm would choose
     */
    private static String oneCluster(String name) {
        return oneCluster("Option 'fiber.slurm.cluster'", name);
    }

    /** Returns the name of a cluster, from an option or a variable. */
    static String oneCluster(String origin, String name) {
        String only = name.strip();
        if (!only.matches("[A-Za-z0-9_.-]+") || only.equals("all")) {
            throw new BackendException("FBR-135 " + origin + " is '" + only
                    + "'; expected the name of one cluster, as jobs of a session are on the same one."
                    + " Set fiber.slurm.cluster; 'sacctmgr show cluster' lists the names.");
        }
        return only;
    }

    /** Tells whether a line of #SBATCH that the user gave sets one of these options. */
    boolean setsOneOf(Set<String> names) {
        return sets(sbatchLines, names);
    }

    private static boolean sets(List<String> lines, Set<String> names) {
        return lines.stream()
                .flatMap(line -> Stream.of(line.split("\\s+", -1)))
                .anyMatch(word -> names.stream().anyMatch(name -> sets(word, name)));
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
            case "SBATCH_CLUSTERS" -> cluster.isEmpty();
            default -> false;
        };
    }
}
