// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.EndCause;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.clause.Clause;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Clauses BKD-2xx: what a submission starts. */
abstract class SubmissionContract extends BackendContract {

    private static final String NO_SUCH_PROGRAM = "/no/such/program";
    private static final int LONG_WORD = 100_000;
    private static final long OWN_HEAP_BYTES = 32L << 20;
    private static final String SHOWN = "fiber-tck-preview-5d07c2e9";

    @Clause(
            id = "BKD-201",
            says = "submit returns a job for each instance, in order and with its name",
            check = "how jobs are matched with instances when the platform takes several at once.")
    void submitReturnsJobsInOrder() {
        String token = nextName();
        EventRecorder recorder = recorder();
        List<Job> jobs = submit(backend(), submission(token, fixture().slots()), recorder);
        assertThat(jobs).hasSize(fixture().slots());
        awaitCalls(jobs, recorder, token);
    }

    private Submission submission(String token, int count) {
        List<Submission.Instance> instances = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            instances.add(new Submission.Instance(nextName(), Secret.empty()));
        }
        return new Submission(probe(token).build(), instances);
    }

    @Clause(
            id = "BKD-202",
            says = "the program runs with its arguments exactly as written",
            check = "that no shell splits, expands or unquotes them on the way, and that empty ones survive.")
    void argumentsArriveAsWritten() {
        String token = nextName();
        List<String> arguments =
                List.of("two words", "", "$HOME", "a'b\"c", "*", "back\\slash", "semi;colon", "--x=1", " ");
        ProbeJob job = start(probe(token, arguments.toArray(String[]::new)).build(), token);
        assertThat(job.call().list("arguments"))
                .as("arguments that the program saw")
                .isEqualTo(arguments);
    }

    @Clause(
            id = "BKD-203",
            says = "each instance's program is started once and left running until it ends by itself",
            check = "retries of the platform (restart policies, requeue), and double submission after a time-out.")
    void eachInstanceRunsOnce() {
        String token = nextName();
        EventRecorder recorder = recorder();
        int count = Math.min(2, fixture().slots());
        List<Job> jobs = submit(backend(), submission(token, count), recorder);
        awaitCalls(jobs, recorder, token);
        exitAll(jobs, recorder, token, "3");
        letOthersPass();
        assertThat(beacon().calls(token)).as("starts of %s instances", count).hasSize(count);
    }

    @Clause(
            id = "BKD-204",
            says = "a job's id is not empty, does not change, is unique among live jobs, and is not given at once to"
                    + " another job when its job has ended",
            check = "that the id is the platform's and known when submit returns, and where the platform counts on"
                    + " after a restart.")
    void idsAreUniqueAndConstant() {
        String token = nextName();
        EventRecorder recorder = recorder();
        List<Job> jobs =
                submit(backend(), submission(token, Math.min(3, fixture().slots())), recorder);
        List<String> ids = jobs.stream().map(Job::id).toList();
        assertThat(ids)
                .as("ids of living jobs")
                .doesNotHaveDuplicates()
                .allSatisfy(id -> assertThat(id).isNotBlank());
        awaitCalls(jobs, recorder, token);
        assertThat(jobs.stream().map(Job::id).toList()).as("ids while running").isEqualTo(ids);
        exitAll(jobs, recorder, token, "0");
        assertThat(jobs.stream().map(Job::id).toList()).as("ids after the end").isEqualTo(ids);
        String later = start().job().id();
        assertThat(ids)
                .as("ids of jobs that have ended, when another job has the id '%s'", later)
                .doesNotContain(later);
    }

    @Clause(
            id = "BKD-205",
            says = "a plain command runs exactly as written, without a shell",
            check = "how a Program.Command is rendered, and fixture.commandJob when java is not called java there.")
    void plainCommandRuns() {
        String token = nextName();
        ProbeJob job = start(
                fixture()
                        .commandJob(io.fiber.tck.probe.ProbeMain.class, beacon().address(), token, "a  b", "$(id)", "")
                        .build(),
                token);
        assertThat(job.call().list("arguments"))
                .as("arguments that the command saw")
                .containsExactly("a  b", "$(id)", "");
    }

    @Clause(
            id = "BKD-206",
            says = "JVM options of a Java program reach the JVM and override the backend's own",
            check = "that the command line is Program.Java.commandLine, with the backend's own options in front.")
    void jvmOptionsReachTheJvm() {
        String token = nextName();
        JobSpec spec = probe(token).build();
        assume(spec.program() instanceof Program.Java, "runs no Program.Java by its fixture's javaJob");
        Program.Java java = (Program.Java) spec.program();
        List<String> options = new ArrayList<>(java.jvmOptions());
        options.add("-Dprobe.marker=some where");
        boolean hasLimit = fixture().capabilities().contains(Capability.MEMORY_LIMIT);
        if (hasLimit) {
            options.add("-Xmx" + OWN_HEAP_BYTES);
        }
        Program.Java marked = new Program.Java(
                java.executable(), options, java.classPath(), java.modulePath(), java.main(), java.arguments());
        JobSpec.Builder changed = spec.toBuilder(marked);
        if (hasLimit) {
            changed.resources(spec.resources().withMemoryBytes(3 * OWN_HEAP_BYTES));
        }
        ProbeJob job = start(changed.build(), token);
        assertThat(job.call().fact("marker")).as("system property set by -D").isEqualTo("some where");
        if (hasLimit) {
            assertThat(Long.parseLong(job.call().fact("heap")))
                    .as("heap of a program whose own options say -Xmx%s", OWN_HEAP_BYTES)
                    .isLessThan(2 * OWN_HEAP_BYTES);
        }
    }

    @Clause(
            id = "BKD-207",
            says = "a program that does not exist is rejected, or its job fails with START_FAILED or code 126 or 127",
            check = "what the platform reports when it cannot execute, and that the error names the program.")
    void missingProgramFails() {
        EventRecorder recorder = recorder();
        JobSpec spec = probe(nextName()).build().toBuilder(new Program.Command(List.of(NO_SUCH_PROGRAM)))
                .build();
        Job job;
        try {
            job = submitOne(spec, recorder);
        } catch (JobRejectedException e) {
            assertThat(e.getMessage()).as("text of the refusal").contains(NO_SUCH_PROGRAM);
            return;
        }
        JobTermination end = new ProbeJob(this, job, recorder, "none").ended("BKD-207");
        checkThatLogsCanBeRead(job);
        assertThat(end.state()).as("state of a job without program").isEqualTo(JobState.FAILED);
        boolean said = end.cause() == EndCause.START_FAILED
                || end.exitCode().orElse(0) == 126
                || end.exitCode().orElse(0) == 127;
        assertThat(said)
                .as("cause or exit code of %s says that it was not started", end)
                .isTrue();
    }

    @Clause(
            id = "BKD-208",
            says = "several threads may submit at the same time",
            check = "for unguarded state of the backend.")
    void threadsSubmitAtTheSameTime() throws Exception {
        int count = Math.min(3, fixture().slots());
        backend();
        Map<String, EventRecorder> recorders = new LinkedHashMap<>();
        Map<String, CompletableFuture<Job>> futures = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String token = nextName();
            EventRecorder recorder = recorder();
            Submission submission = Submission.of(probe(token).build(), nextName(), Secret.empty());
            recorders.put(token, recorder);
            futures.put(
                    token,
                    CompletableFuture.supplyAsync(
                            () -> submit(backend(), submission, recorder).get(0)));
        }
        Map<String, Job> jobs = new LinkedHashMap<>();
        for (Map.Entry<String, CompletableFuture<Job>> future : futures.entrySet()) {
            jobs.put(
                    future.getKey(),
                    future.getValue().get(fixture().startLimit().toMillis(), TimeUnit.MILLISECONDS));
        }
        await(
                "BKD-208",
                fixture().startLimit(),
                () -> jobs.keySet().stream()
                        .noneMatch(token -> beacon().calls(token).isEmpty()),
                () -> "not all of " + count + " programs that were submitted at the same time called the kit.");
        jobs.forEach(
                (token, job) -> exitAll(List.of(job), requireNonNull(recorders.get(token), "recorder"), token, "0"));
        letOthersPass();
        assertThat(jobs.keySet())
                .as("programs submitted at the same time")
                .allSatisfy(
                        token -> assertThat(beacon().calls(token)).as("starts").hasSize(1));
    }

    @Clause(
            id = "BKD-209",
            says = "a preview shows what would run but no bootstrap bytes, is the same each time, and starts nothing",
            check = "that preview only renders, and whether the documents for the platform contain bootstrap bytes.")
    void previewShowsAndStartsNothing() {
        String token = nextName();
        Submission submission = new Submission(
                probe(token).build(),
                List.of(
                        new Submission.Instance(nextName(), Secret.of(SHOWN.getBytes(StandardCharsets.UTF_8))),
                        new Submission.Instance(nextName(), Secret.empty())));
        Optional<String> shown = backend().preview(submission);
        assertThat(backend().preview(submission))
                .as("the preview, asked for again")
                .isEqualTo(shown);
        shown.ifPresent(text -> assertThat(text)
                .as("preview of a program with the argument %s", token)
                .contains(token)
                .doesNotContain(SHOWN)
                .doesNotContain(
                        Base64.getEncoder().withoutPadding().encodeToString(SHOWN.getBytes(StandardCharsets.UTF_8)))
                .doesNotContain(HexFormat.of().formatHex(SHOWN.getBytes(StandardCharsets.UTF_8))));
        letOthersPass();
        assertThat(beacon().calls(token)).as("starts by a preview").isEmpty();
    }

    @Clause(
            id = "BKD-210",
            says = "words with line breaks and non-ASCII characters arrive as written or are rejected",
            check = "the quoting in scripts, their charset and that of this JVM (sun.jnu.encoding), and"
                    + " what removes carriage returns.")
    void oddWordsArriveAsWritten() {
        String token = nextName();
        List<String> arguments = List.of(
                "two\nlines",
                "dos\r\nline",
                "\ttab",
                "ends\n",
                "gr\u00fc\u00dfe",
                "\u65e5\u672c",
                "\ud83d\ude00",
                "~",
                "!!",
                "{a,b}",
                "%s",
                "#",
                "@x",
                "a\\nb");
        ProbeJob job;
        try {
            job = start(probe(token, arguments.toArray(String[]::new)).build(), token);
        } catch (JobRejectedException e) {
            return;
        }
        assertThat(job.call().list("arguments"))
                .as("arguments that the program saw")
                .isEqualTo(arguments);
    }

    @Clause(
            id = "BKD-211",
            says = "if many jobs are submitted together, each of them runs and its end is reported",
            check = "limits of requests and answers, and the names that the platform gets for jobs.")
    void manyJobsAreRemembered() {
        EventRecorder recorder = recorder();
        List<Submission.Instance> instances = new ArrayList<>();
        for (int i = 0; i < fixture().manyJobs(); i++) {
            instances.add(new Submission.Instance(nextName(), Secret.empty()));
        }
        List<Job> jobs = submit(backend(), new Submission(fixture().briefJob().build(), instances), recorder);
        await(
                "BKD-211",
                fixture().startLimit().plus(fixture().endLimit()).multipliedBy(2),
                () -> jobs.stream().allMatch(job -> recorder.termination(job).isPresent()),
                () -> "of " + jobs.size() + " jobs that end at once, the ends of these were not reported: "
                        + jobs.stream()
                                .filter(job -> recorder.termination(job).isEmpty())
                                .map(Job::name)
                                .toList() + ".");
        assertThat(jobs.stream()
                        .map(job -> recorder.termination(job).orElseThrow())
                        .distinct())
                .as("how the jobs ended")
                .containsExactly(JobTermination.exited(0));
    }

    @Clause(
            id = "BKD-212",
            says = "a word of 100,000 letters arrives complete or is rejected",
            check = "limits of lines in scripts, of records and of what is copied into a field of fixed size.")
    void longWordArrives() {
        String token = nextName();
        String word = "w".repeat(LONG_WORD);
        ProbeJob job;
        try {
            job = start(probe(token, word).build(), token);
        } catch (JobRejectedException e) {
            return;
        }
        List<String> seen = job.call().list("arguments");
        assertThat(seen.stream().map(String::length))
                .as("lengths of the arguments that the program saw")
                .containsExactly(LONG_WORD);
        assertThat(seen.get(0).equals(word)).as("it is the word").isTrue();
    }

    @Clause(
            id = "BKD-213",
            says = "jobs of two sessions may have the same name",
            check = "that the session is part of the platform's name of a job: a program that is started"
                    + " twice gives its jobs the same names.")
    void sessionsMayNameTheirJobsAlike() {
        String name = nextName();
        String token = nextName();
        for (Backend session : List.of(backend(), open().backend())) {
            EventRecorder recorder = recorder();
            int before = beacon().calls(token).size();
            submit(session, Submission.of(probe(token).build(), name, Secret.empty()), recorder);
            await(
                    "BKD-213",
                    fixture().startLimit(),
                    () -> beacon().calls(token).size() > before,
                    () -> "of two jobs with the name '" + name + "' of two sessions " + before + " ran.");
        }
        assertThat(beacon().calls(token).stream().filter(ProbeCall::isGone))
                .as("programs of the two that are gone")
                .isEmpty();
    }
}
