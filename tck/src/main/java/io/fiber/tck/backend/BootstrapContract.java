// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.Secret;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.probe.ExitMain;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Clauses BKD-70x and BKD-71x: what a program receives when it starts. */
abstract class BootstrapContract extends BackendContract {

    /** More than ten, because numbers may be sorted as text. */
    private static final int INSTANCES = 12;

    private static final String SECRET_BEGIN = "fiber-tck-secret-";
    private static final int LONG = 100_000;

    /** A new secret for each test, because other tests may run at the same time on this host. */
    private final String secretText = SECRET_BEGIN + Long.toHexString(new SecureRandom().nextLong());

    private final SecretForms forms = new SecretForms(secretText);

    @Clause(
            id = "BKD-701",
            says = "each instance gets its own bootstrap bytes, complete",
            check = "that no byte is translated (0, 10, 13, 255), that the elements of an array do not"
                    + " share one file, and that none gets the file of another: element 10 comes after 2.")
    void eachInstanceGetsItsBytes() {
        List<Integer> codes = IntStream.rangeClosed(1, INSTANCES).boxed().toList();
        List<Submission.Instance> instances = codes.stream()
                .map(code -> new Submission.Instance(nextName(), Secret.of(ExitMain.bytes(code))))
                .toList();
        EventRecorder recorder = recorder();
        List<Job> jobs = submit(
                backend(), new Submission(fixture().javaJob(ExitMain.class).build(), instances), recorder);
        await(
                "BKD-211",
                fixture().startLimit().plus(fixture().endLimit()).multipliedBy(2),
                () -> jobs.stream().allMatch(job -> recorder.termination(job).isPresent()),
                () -> "of " + INSTANCES
                        + " programs that read their bootstrap bytes and end, the ends of these were not reported:"
                        + " "
                        + jobs.stream()
                                .filter(job -> recorder.termination(job).isEmpty())
                                .map(Job::name)
                                .toList() + ".");
        assertThat(jobs.stream()
                        .map(job -> recorder.termination(job).orElseThrow().exitCode())
                        .toList())
                .as("exit codes, which the programs have read; %s of damaged bytes", ExitMain.DAMAGED)
                .isEqualTo(codes.stream().map(OptionalInt::of).toList());
    }

    private ProbeJob startWithSecret() {
        String token = nextName();
        byte[] secret = secretText.getBytes(StandardCharsets.US_ASCII);
        ProbeJob job = start(backend(), probe(token).build(), token, Secret.of(secret));
        job.call();
        return job;
    }

    @Clause(
            id = "BKD-702",
            says = "standard input stays open after the bootstrap bytes and carries nothing more",
            check = "that the stream is neither closed after the bytes nor connected to this process's own input.")
    void standardInputStaysOpen() {
        ProbeJob job = startWithSecret();
        assume(job.call().fact("bootstrap-form").equals("stdin"), "does not hand the bootstrap over by standard input");
        letOthersPass();
        job.tell("print", "still here");
        assertThat(job.call().saw("stdin-ended")).as("standard input has ended").isFalse();
        assertThat(job.call().saw("stdin-continued"))
                .as("standard input has carried more")
                .isFalse();
    }

    @Clause(
            id = "BKD-703",
            says = "a bootstrap file can be read by its owner only",
            check = "that the file is made with mode 0600 (a mounted secret: nothing for others), not changed later.")
    void bootstrapFileIsPrivate() {
        ProbeJob job = startWithSecret();
        assume(job.call().fact("bootstrap-form").equals("file"), "does not hand the bootstrap over by a file");
        assertThat(job.call().fact("bootstrap-mode"))
                .as("permissions of the bootstrap file")
                .doesNotContain("OTHERS")
                .doesNotContain("GROUP_WRITE");
    }

    @Clause(
            id = "BKD-704",
            says = "the bootstrap bytes appear in no command line, variable, log or event, in any encoding",
            check = "what is visible to other users: the list of processes, commands for the reaper, the job's record,"
                    + " docker inspect.")
    void bootstrapIsNotVisible() {
        ProbeJob job = startWithSecret();
        ProbeCall call = job.call();
        String commands = context().childReaper().pending().toString();
        job.exit(0);
        job.ended();
        Map<String, String> places = new TreeMap<>();
        places.put("command line", call.fact("command-line"));
        places.put("arguments", call.fact("arguments"));
        places.put("environment", call.fact("environment"));
        places.put("commands of the reaper", commands);
        places.put("output", outputOf(job.job()));
        places.put("job", job.job() + " " + job.job().id());
        places.put(
                "events",
                job.events().story(job.job()).stream().map(JobEvent::toString).collect(Collectors.joining(" ")));
        places.forEach((place, text) -> assertThat(forms.areIn(text))
                .as("the secret can be read in the %s", place)
                .isFalse());
    }

    @Clause(
            id = "BKD-705",
            says = "the bootstrap variable is set if and only if there are bootstrap bytes, and its form is documented",
            check = "FIBER_BOOTSTRAP: stdin, or file: and an absolute path; not inherited from this process.")
    void variableIsSetWhenNeeded() {
        ProbeJob without = start();
        assertThat(variable(without, JobSpec.BOOTSTRAP_VARIABLE))
                .as("%s of a job without bootstrap", JobSpec.BOOTSTRAP_VARIABLE)
                .isEmpty();
        ProbeJob with = startWithSecret();
        assertThat(with.call().fact("bootstrap-form"))
                .as("form of the bootstrap")
                .isIn("stdin", "file");
    }

    @Clause(
            id = "BKD-711",
            says = "the spec's environment variables arrive as written, and do not reach jobs of a later submission",
            check = "quoting of blanks, quotes, dollars, commas and equals signs; Slurm's --export splits at"
                    + " commas; and"
                    + " what is kept from one submission to the next.")
    void environmentArrivesAsWritten() {
        Map<String, String> variables = new TreeMap<>(Map.of(
                "TCK_PLAIN", "value",
                "TCK_BLANKS", " two  words ",
                "TCK_QUOTES", "a'b\"c",
                "TCK_SHELL", "$HOME `id` \\ ; & |",
                "TCK_COMMA", "a,b=c,d",
                "TCK_EMPTY", ""));
        assertThatTheyArrive(variables);
        ProbeJob later = start();
        assertThat(variables.keySet().stream()
                        .filter(name -> variable(later, name).isPresent())
                        .toList())
                .as("variables of an earlier submission that a later one's program saw")
                .isEmpty();
    }

    /** Shows only the variables that were set, because others of a job may be secrets of the machine. */
    private void assertThatTheyArrive(Map<String, String> variables) {
        String token = nextName();
        ProbeJob job = start(probe(token).environment(variables).build(), token);
        Map<String, String> seen = new TreeMap<>();
        variables.keySet().forEach(name -> variable(job, name).ifPresent(value -> seen.put(name, value)));
        assertThat(seen).as("variables that the program saw").isEqualTo(variables);
    }

    private static Optional<String> variable(ProbeJob job, String name) {
        return job.call().list("environment").stream()
                .filter(variable -> variable.startsWith(name + "="))
                .map(variable -> variable.substring(name.length() + 1))
                .findFirst();
    }

    @Clause(
            id = "BKD-712",
            says = "jobs are distinguished by the name that the submission gave",
            check = "that Job.name() is the instance's name, not the platform's.")
    void namesAreKept() {
        EventRecorder recorder = recorder();
        String token = nextName();
        String longest = "n" + "x".repeat(61) + "9";
        Job job = submit(backend(), Submission.of(probe(token).build(), longest, Secret.empty()), recorder)
                .get(0);
        new ProbeJob(this, job, recorder, token).call();
        assertThat(job.name()).as("name of 63 characters").isEqualTo(longest);
    }

    @Clause(
            id = "BKD-706",
            says = "100,000 bootstrap bytes arrive complete",
            check = "limits of pipes (64 KiB), lines (4 KiB), arguments and records on the way.")
    void longBootstrapArrivesWhole() {
        byte[] bytes = new byte[LONG];
        new Random(LONG).nextBytes(bytes);
        String token = nextName();
        ProbeJob job = start(backend(), probe(token).build(), token, Secret.of(bytes));
        byte[] seen = job.call().bytes("bootstrap");
        assertThat(seen.length).as("length of what the program read").isEqualTo(LONG);
        assertThat(Arrays.equals(seen, bytes)).as("it read what was sent").isTrue();
    }

    @Clause(
            id = "BKD-707",
            says = "no file of this host that others can read contains the bootstrap bytes, and after close no"
                    + " file does",
            check = "copies: scripts, staging directories, files for debugging, in the session's directory and"
                    + " elsewhere.")
    void noCopyIsLeftBehind() {
        SecretCopies copies = new SecretCopies(fixture().directory(), forms);
        ProbeJob job = startWithSecret();
        assertThat(copies.open())
                .as("files with the secret that others can read, while the job runs")
                .isEmpty();
        job.exit(0);
        job.ended();
        backend().close();
        assertThat(copies.all()).as("files with the secret after close").isEmpty();
    }

    @Clause(
            id = "BKD-708",
            says = "with SHARED_FILES, a bootstrap file is below a directory that others cannot enter",
            check = "that the file is in the session's directory, or in one of mode 0700: a user that can enter"
                    + " sees it come"
                    + " and go.")
    @Requires(Capability.SHARED_FILES)
    void bootstrapFileLiesBehindAClosedDirectory() {
        ProbeJob job = startWithSecret();
        assume(job.call().fact("bootstrap-form").equals("file"), "does not hand the bootstrap over by a file");
        assertThat(job.call().list("bootstrap-directories"))
                .as("permissions of the directories above the bootstrap file")
                .anyMatch(directory -> directory.startsWith("---", "rwxrwx".length()));
    }

    @Clause(
            id = "BKD-713",
            says = "variables with line breaks and non-ASCII characters arrive as written or are rejected",
            check = "the quoting in scripts and files of variables (--env-file ends at a line), and their charset.")
    void oddValuesArriveAsWritten() {
        assertThatTheyArriveOrAreRefused(Map.of(
                "TCK_LINES", "two\nlines\n",
                "TCK_DOS", "dos\r\nline",
                "TCK_LETTERS", "gr\u00fc\u00dfe \u65e5\u672c \ud83d\ude00",
                "TCK_TAB", "\ttab",
                "TCK_PARENTHESES", "$(TCK_TAB) $$ ${TCK_TAB}"));
    }

    @Clause(
            id = "BKD-714",
            says = "variables whose names a shell would not accept arrive as written or are rejected",
            check = "that names with a dot or a dash are set by env, not by export.")
    void oddNamesArriveAsWritten() {
        assertThatTheyArriveOrAreRefused(Map.of("tck.dotted.name", "dotted", "tck-dashed-name", "dashed"));
    }

    private void assertThatTheyArriveOrAreRefused(Map<String, String> variables) {
        try {
            assertThatTheyArrive(new TreeMap<>(variables));
        } catch (JobRejectedException e) {
            assertThat(e.getMessage())
                    .as("text of the refusal")
                    .matches(text -> variables.keySet().stream().anyMatch(text::contains), "names a variable");
        }
    }
}
