// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.batch.BatchState;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.Commands.Answer;
import io.fiber.backend.support.batch.Commands.Command;
import io.fiber.backend.support.batch.Scheduler;
import io.fiber.backend.support.batch.Scheduler.Ending;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.TooManyJobsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Slurm by its programs: their words on the way out, their answers read on the way back. Thread-safe; blocks. */
final class Slurm implements Scheduler {

    /**
     * Slurm's programs give up by themselves when an answer takes longer than the cluster's MessageTimeout; only one that hangs
     * needs a limit of ours. Until that setting is known, it is assumed to be no longer than large sites have it.
     */
    private static final Duration FIRST_LIMIT = Duration.ofMinutes(1);

    /** Twice Slurm's default of 10 s. */
    private static final Duration LEAST_LIMIT = Duration.ofSeconds(20);

    /** Without the accounting data only details are missing. */
    private static final Duration BOOKS_LIMIT = Duration.ofSeconds(10);

    private static final Pattern JOB_ID = Pattern.compile("(?m)^(\\d+)(;\\S*)?$");
    /**
     * Not of an end {@code DUE TO TIME LIMIT}, {@code PREEMPTION} and the like; of a signal newer versions say which. The other
     * line comes when job.sh has ended before the signal of {@link #end} reaches it.
     */
    private static final Pattern END_NOTICE = Pattern.compile("slurmstepd\\S*: error: "
            + "(\\*\\*\\* (JOB|STEP) .+ CANCELLED AT \\S+( DUE (TO|to) SIGNAL .+)? \\*\\*\\*"
            + "|\\S+ failed signal \\d+ pid \\d+ StepId=\\S+ No such process)");

    private static final Pattern SECONDS = Pattern.compile("(\\d{1,6}) sec");
    private static final Pattern NODES = Pattern.compile(" NodeList=(\\S+)");
    private static final Pattern SETTING = Pattern.compile("(?m)^(\\w+)(?:\\[\\d+])?\\s*= (.*)$");

    /** What Slurm's programs say when the controller is down, is busy, or has not answered in time. */
    private static final List<String> UNREACHABLE = List.of(
            "Unable to contact slurm controller",
            "Socket timed out",
            "Connection refused",
            "Connection timed out",
            "Zero Bytes were transmitted",
            "Unable to establish connection",
            "Slurm temporarily unable to accept job",
            "Slurm backup controller in standby mode");

    private static final List<String> NOT_EVEN_SENT =
            List.of("Unable to contact slurm controller", "Connection refused", "temporarily unable to accept job");

    /** In the names of all limits on the number of a user's jobs. */
    private static final String LIMIT_OF_JOBS = "SubmitJob";

    private static final Pattern MOST_TASKS = Pattern.compile(".*\\bmax_array_tasks=(\\d+).*");

    private static final String UNKNOWN_ID = "Invalid job id specified";

    private static final int DEFAULT_ARRAY = 1000;

    private final Commands commands;
    private final Optional<String> cluster;
    private final Optional<Duration> limit;
    private final BadNodes badNodes = new BadNodes();
    private final Set<String> passedOn = new HashSet<>();
    private Map<String, String> known = Map.of();

    /**
     * Creates it.
     *
     * @param cluster that all programs are to use; empty for this host's
     * @param limit how long a program may take; empty if the cluster's settings decide
     */
    Slurm(Commands commands, Optional<String> cluster, Optional<Duration> limit) {
        this.commands = commands;
        this.cluster = cluster;
        this.limit = limit;
    }

    /**
     * Submits a script.
     *
     * @param name of the job, by which it is found again when the answer was lost
     * @param words of sbatch that win over the script and over variables
     * @return the number of the job
     * @throws JobRejectedException when Slurm will not take it; {@link TooManyJobsException} for a limit on their number
     * @throws BackendUnavailableException when Slurm does not answer; a job may have come into being nevertheless
     */
    String submit(String script, String name, List<String> words) {
        Answer answer;
        List<String> command = sbatch();
        command.addAll(words);
        try {
            answer = commands.run(new Command(command, script, limit()));
        } catch (BackendUnavailableException e) {
            return findByName(name).orElseThrow(() -> e);
        }
        List<String> numbers = JOB_ID.matcher(answer.output())
                .results()
                .map(line -> line.group(1))
                .toList();
        if (answer.isGood() && !numbers.isEmpty()) {
            passOn(answer.errors().strip());
            String last = numbers.get(numbers.size() - 1);
            // A site's own sbatch may write other numbers.
            return numbers.size() == 1 ? last : findByName(name).orElse(last);
        }
        if (!answer.isGood() && !isUnreachable(answer)) {
            throw rejected(answer);
        }
        if (NOT_EVEN_SENT.stream().anyMatch(answer.errors()::contains)) {
            throw unavailable("sbatch", answer);
        }
        // What was lost is the answer, perhaps, and not the request.
        return findByName(name).orElseThrow(() -> unavailable("sbatch", answer));
    }

    /** What a site has to say when it takes a job: once. */
    private synchronized void passOn(String message) {
        if (!message.isEmpty() && passedOn.add(message)) {
            System.getLogger(Slurm.class.getName())
                    .log(System.Logger.Level.INFO, "Slurm took the job and says: " + message);
        }
    }

    /** Returns the nodes on which jobs cannot be started. */
    BadNodes badNodes() {
        return badNodes;
    }

    private Optional<String> findByName(String name) {
        try {
            Answer answer = run("squeue", "-h", "-a", "-t", "all", "--name=" + name, "-O", "ArrayJobID");
            return answer.isGood()
                    ? answer.output()
                            .lines()
                            .map(String::strip)
                            .filter(line -> line.matches("\\d+"))
                            .findFirst()
                    : Optional.empty();
        } catch (BackendUnavailableException e) {
            return Optional.empty();
        }
    }

    private static JobRejectedException rejected(Answer answer) {
        String complaint = answer.complaint();
        String text =
                "FBR-131 Slurm refused the job: " + complaint + ". " + Advice.on(complaint) + " Nothing was started.";
        return complaint.contains(LIMIT_OF_JOBS) ? new TooManyJobsException(text) : new JobRejectedException(text);
    }

    @Override
    public Map<String, BatchState> states(Collection<String> ids) {
        Map<String, QueueRow> rows = new TreeMap<>(queue(arrays(ids)));
        badNodes.look(rows.values());
        Set<String> forgotten =
                arrays(ids.stream().filter(id -> !rows.containsKey(id)).toList());
        past(forgotten).forEach(rows::putIfAbsent);
        Map<String, BatchState> states = new TreeMap<>();
        rows.forEach((id, row) -> states.put(id, row.meaning()));
        return states;
    }

    private static Set<String> arrays(Collection<String> elements) {
        return elements.stream()
                .map(id -> id.replaceFirst("_\\d+$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void end(Collection<String> ids, Ending ending) {
        if (ending == Ending.ASKED) {
            cancel(ids, List.of("--state=PENDING"), List.of("--state=RUNNING", "--signal=TERM", "--full"));
        } else {
            // What kills a job by scancel alone waits for KillWait, 30 seconds as a rule; but when the batch script is
            // killed, Slurm kills what it has started.
            cancel(ids, List.of("--state=RUNNING", "--signal=KILL", "--batch"), List.of());
        }
    }

    @Override
    public boolean isEndNotice(String line) {
        return END_NOTICE.matcher(line).matches();
    }

    /** Asks about all elements of these arrays; those that are not known are not in the result. */
    Map<String, QueueRow> queue(Collection<String> arrays) {
        String numbers = String.join(",", arrays);
        Answer answer = run("squeue", "-h", "-r", "-t", "all", "-j", numbers, "-O", QueueRow.FORMAT);
        if (!answer.isGood() && !answer.errors().contains(UNKNOWN_ID)) {
            throw unavailable("squeue", answer);
        }
        Map<String, QueueRow> rows = new TreeMap<>();
        answer.output().lines().map(QueueRow::parse).flatMap(Optional::stream).forEach(row -> rows.put(row.id(), row));
        return rows;
    }

    /** Asks about all of this user's jobs, also those in partitions that are hidden. */
    List<DetachedRow> jobsOfThisUser() {
        return outputOf("squeue", "-h", "-a", "-r", "-t", "all", "--me", "-O", DetachedRow.FORMAT)
                .lines()
                .map(DetachedRow::parse)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns a line for each of this user's jobs that have not ended: its number, its state and its name. */
    List<String> jobsStatesAndNames() {
        return outputOf("squeue", "-h", "-a", "-r", "--me", "-o", "%A %T %j")
                .lines()
                .toList();
    }

    /** Cancels all jobs of a session. */
    void cancelSession(String sessionId) {
        Answer answer = commands.run(Command.of(limit(), cancelCommand(sessionId)));
        if (!answer.isGood()) {
            throw unavailable("scancel", answer);
        }
    }

    /** Returns a command that cancels the jobs of a session, pending or running: no option of scancel accepts several names. */
    List<String> cancelCommand(String sessionId) {
        String script = SlurmBackendProvider.UNSET_OPTIONS + "queue=$(squeue" + clusterWords()
                + " -h -a --me -o '%F %j') || exit 1;"
                + " jobs=$(printf '%s\\n' \"$queue\" | sed -n \"s/ fiber-$1-[0-9]*\\$//p\");"
                + " [ -z \"$jobs\" ] || scancel" + clusterWords() + " --quiet $jobs";
        return List.of("/bin/sh", "-c", script, "fiber-cancel", sessionId);
    }

    private String clusterWords() {
        return cluster.map(name -> " -M " + name).orElse("");
    }

    /** Returns the words of sbatch before all others. */
    List<String> sbatch() {
        return words("sbatch", "--parsable");
    }

    /** Returns a command of one of Slurm's programs, which all take the name of the cluster. */
    private List<String> words(String program, String... others) {
        List<String> words = new ArrayList<>(List.of(program));
        cluster.ifPresent(name -> words.addAll(List.of("-M", name)));
        words.addAll(List.of(others));
        return words;
    }

    /** Asks the books of the site about arrays that the queue does not know any more: only what has ended is in the result. */
    Map<String, QueueRow> past(Collection<String> arrays) {
        Map<String, QueueRow> rows = new TreeMap<>();
        try {
            if (!arrays.isEmpty() && keepsBooks()) {
                Answer answer = commands.run(Command.of(
                        BOOKS_LIMIT,
                        words("sacct", "-n", "-P", "-X", "-j", String.join(",", arrays), "-o", AccountingRow.FORMAT)));
                answer.output()
                        .lines()
                        .flatMap(AccountingRow::parse)
                        .filter(QueueRow::isEnded)
                        .forEach(row -> rows.put(row.id(), row));
            }
        } catch (BackendException e) {
            System.getLogger(Slurm.class.getName())
                    .log(
                            System.Logger.Level.DEBUG,
                            "The site's books say nothing of jobs that Slurm has forgotten.",
                            e);
        }
        return rows;
    }

    private boolean keepsBooks() {
        String storage = settings().getOrDefault("AccountingStorageType", "");
        return storage.startsWith("accounting_storage/") && !storage.endsWith("/none");
    }

    /** Sends SIGTERM to every process of these steps. */
    void endStepsPolitely(Collection<String> steps) {
        cancel(steps, List.of("--signal=TERM"));
    }

    /** Returns the names of the steps of a job that run, by their numbers. */
    Map<String, String> steps(String jobId) {
        Map<String, String> steps = new TreeMap<>();
        outputOf("squeue", "-h", "-s", "-j", jobId, "-o", "%i|%j")
                .lines()
                .map(line -> line.strip().split("\\|", 2))
                .filter(step -> step.length == 2)
                .forEach(step -> steps.put(step[0], step[1]));
        return steps;
    }

    /** Returns what Slurm has given to a job that runs; empty when Slurm does not say. */
    JobDetails details(String jobId) {
        String job = shown("-d", "-o", "show", "job", jobId);
        Matcher nodes = NODES.matcher(job);
        return JobDetails.parse(job, nodes.find() ? shown("-o", "show", "node", nodes.group(1)) : "");
    }

    /** Returns what scontrol says; nothing when it refuses to. */
    private String shown(String... words) {
        Answer answer = run("scontrol", words);
        if (!answer.isGood() && isUnreachable(answer)) {
            throw unavailable("scontrol", answer);
        }
        return answer.isGood() ? answer.output() : "";
    }

    /** Runs scancel once for each group of options. */
    @SafeVarargs
    private void cancel(Collection<String> ids, List<String>... options) {
        List<Command> cancels = new ArrayList<>();
        for (List<String> each : options) {
            List<String> words = words("scancel", "--quiet");
            words.addAll(each);
            words.addAll(ids);
            cancels.add(Command.of(limit(), words));
        }
        Answer answer = commands.runAll(cancels);
        // A job that has just ended is no reason to complain.
        if (!answer.isGood() && isUnreachable(answer)) {
            throw unavailable("scancel", answer);
        }
    }

    /** Returns how many elements an array may have; 0 where there are no arrays. */
    int longestArray() {
        if (settings().getOrDefault("MaxArraySize", "").equals("0")) {
            return 0;
        }
        return Stream.of(
                        settings().getOrDefault("MaxArraySize", ""),
                        MOST_TASKS
                                .matcher(settings().getOrDefault("SchedulerParameters", ""))
                                .replaceFirst("$1"))
                .filter(setting -> setting.matches("[1-9]\\d{0,8}"))
                .mapToInt(Integer::parseInt)
                .min()
                .orElse(DEFAULT_ARRAY);
    }

    /** Returns the name of the cluster; empty when it does not say. */
    String clusterName() {
        return settings().getOrDefault("ClusterName", "");
    }

    /** Returns the settings of the cluster, which are asked for once; of those with a number behind their name the first. */
    synchronized Map<String, String> settings() {
        if (known.isEmpty()) {
            known = askSettings();
        }
        return known;
    }

    private Map<String, String> askSettings() {
        Map<String, String> settings = new TreeMap<>();
        Answer answer = commands.run(Command.of(limit.orElse(FIRST_LIMIT), words("scontrol", "show", "config")));
        if (!answer.isGood()) {
            throw cluster.isPresent() && !isUnreachable(answer)
                    ? noCluster(cluster.get(), answer)
                    : unavailable("scontrol", answer);
        }
        Matcher setting = SETTING.matcher(answer.output());
        while (setting.find()) {
            settings.putIfAbsent(setting.group(1), setting.group(2).strip());
        }
        return settings;
    }

    /** Returns how long a program may take: long enough for Slurm's own limit to come first. */
    private Duration limit() {
        return limit.orElseGet(() -> {
            Matcher timeout = SECONDS.matcher(settings().getOrDefault("MessageTimeout", ""));
            Duration twice = timeout.matches() ? Duration.ofSeconds(2 * Long.parseLong(timeout.group(1))) : LEAST_LIMIT;
            return twice.compareTo(LEAST_LIMIT) < 0 ? LEAST_LIMIT : twice;
        });
    }

    private Answer run(String program, String... words) {
        return commands.run(Command.of(limit(), words(program, words)));
    }

    /** Returns what a program has written that must end well. */
    private String outputOf(String program, String... words) {
        Answer answer = run(program, words);
        if (!answer.isGood()) {
            throw unavailable(program, answer);
        }
        return answer.output();
    }

    private static BackendException noCluster(String name, Answer answer) {
        return new BackendException("FBR-135 Option 'fiber.slurm.cluster' (or else the variable SBATCH_CLUSTERS or"
                + " SLURM_CLUSTERS) is '" + name + "', which Slurm does not find: " + answer.complaint()
                + ". Correct it; 'sacctmgr show cluster' lists the names, if the site has slurmdbd.");
    }

    private static boolean isUnreachable(Answer answer) {
        return UNREACHABLE.stream().anyMatch(answer.errors()::contains);
    }

    private static BackendUnavailableException unavailable(String program, Answer answer) {
        return new BackendUnavailableException("FBR-130 Slurm does not answer: " + program + " ended with "
                + answer.exitCode() + ": " + answer.complaint()
                + ". Running jobs go on; try again when 'scontrol ping' says UP.");
    }
}
