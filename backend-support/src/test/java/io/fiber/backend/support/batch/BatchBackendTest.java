// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.spec.EndCause;
import io.fiber.spec.Secret;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose scripts a shell of this host runs at once, and whose system answers no question. */
class BatchBackendTest {

    private static final BatchName NAME = new BatchName("batch", "Batch", "KeepTime");

    private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private final List<List<String>> atDeath = new CopyOnWriteArrayList<>();
    private final SilentSystem system = new SilentSystem();

    @TempDir
    Path directory;

    private BatchBackend backend;

    /** Takes some jobs and says nothing of them: what becomes of them is known by their files alone. */
    private static final class SilentSystem implements BatchSystem {
        private final List<Integer> requests = new ArrayList<>();
        private final CountDownLatch asked = new CountDownLatch(3);
        private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
        private final Map<String, Process> shells = new ConcurrentHashMap<>();
        private int refusedRequest = Integer.MAX_VALUE;
        private RuntimeException answer = new BackendUnavailableException("FBR-130 no answer");
        private BatchScript.Exit exit = BatchScript.Exit.WITH_ZERO;
        private BatchScript.EndRequest endRequest = BatchScript.EndRequest.SIGNAL;
        private List<String> endSession = List.of("true", "session");
        private boolean losesAnswers;
        /** What it says of all jobs, which then are in the queue and never run. */
        private Optional<BatchState> state = Optional.empty();

        private Duration pauseAtEnd = Duration.ZERO;
        private int room;

        @Override
        public List<Place> places(JobSpec spec) {
            return List.of(new Room(), this);
        }

        /** Takes jobs while there is room. */
        private final class Room implements Place {
            @Override
            public int reserve(JobSpec spec, int count) {
                int taken = Math.min(count, room);
                room -= taken;
                return taken;
            }

            @Override
            public void release(JobSpec spec, int count) {
                room += count;
            }

            @Override
            public void ended(JobSpec spec, String id) {
                room++;
            }

            @Override
            public String script(Submission submission, SharedFolder.Part part) {
                return SilentSystem.this.script(submission, part);
            }

            @Override
            public List<String> submit(String script, Submission submission, SharedFolder.Part part) {
                return SilentSystem.this.submit(script, submission, part);
            }
        }

        @Override
        public String script(Submission submission, SharedFolder.Part part) {
            return BatchScript.of(submission, part)
                    .directives(List.of("#BATCH " + part.jobName()))
                    .index("$INDEX")
                    .exit(exit)
                    .endRequest(endRequest)
                    .render();
        }

        @Override
        public List<String> submit(String script, Submission submission, SharedFolder.Part part) {
            int count = submission.instances().size();
            requests.add(count);
            if (requests.size() == refusedRequest) {
                throw new JobRejectedException("FBR-131 no more jobs");
            }
            List<String> ids = IntStream.range(0, count)
                    .mapToObj(index -> state.isPresent() ? requests.size() + "." + index : start(script, index))
                    .toList();
            if (losesAnswers) {
                throw new BackendUnavailableException("FBR-130 no answer");
            }
            return ids;
        }

        private String start(String script, int index) {
            try {
                ProcessBuilder shell = new ProcessBuilder("setsid", "bash", "-c", "umask 027\n" + script)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
                shell.environment().put("INDEX", String.valueOf(index));
                String id = requests.size() + "." + index;
                shells.put(id, shell.start());
                return id;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Map<String, BatchState> states(Collection<String> ids) {
            asked.countDown();
            if (state.isPresent()) {
                return ids.stream().collect(Collectors.toMap(id -> id, id -> state.get()));
            }
            throw answer;
        }

        @Override
        public void end(Collection<String> ids, Ending ending) {
            try {
                Thread.sleep(pauseAtEnd.toMillis());
            } catch (InterruptedException e) {
                throw new BackendUnavailableException("FBR-130 interrupted", e);
            }
            ended.add(ending + " " + ids);
            if (ending == Ending.ASKED && endRequest == BatchScript.EndRequest.FILE) {
                return;
            }
            ids.stream()
                    .map(shells::get)
                    .filter(Objects::nonNull)
                    .forEach(shell -> signal(shell, ending == Ending.ASKED ? "TERM" : "KILL"));
        }

        private void signal(Process shell, String signal) {
            try {
                new ProcessBuilder("/bin/sh", "-c", "kill -s " + signal + " -- -" + shell.pid())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public int mostJobs() {
            return 2;
        }

        @Override
        public List<String> endSessionCommand() {
            return endSession;
        }

        @Override
        public List<String> endCommand(Collection<String> ids) {
            List<String> words = new ArrayList<>(List.of("true"));
            words.addAll(ids);
            return words;
        }
    }

    @BeforeEach
    void open() {
        BackendContext context = new BackendContext() {
            @Override
            public String sessionId() {
                return "abcdefghij01";
            }

            @Override
            public Path directory() {
                return directory;
            }

            @Override
            public Options options() {
                return Options.none();
            }

            @Override
            public Environment environment() {
                return Environment.system();
            }

            @Override
            public Reaper reaper() {
                return command -> {
                    atDeath.add(command);
                    return () -> atDeath.remove(command);
                };
            }
        };
        LocalCommands commands =
                new LocalCommands(NAME, directory, LocalCommands.Surroundings.without(context.environment(), "BATCH_"));
        backend = BatchBackend.open(
                system,
                new BatchBackend.Terms(
                        NAME,
                        Set.of(Capability.LOGS, Capability.CONSOLE, Capability.WORKING_DIRECTORY),
                        CallerHost.sameHost(),
                        Duration.ofMillis(20)),
                BatchHost.here(commands, directory.resolve("shared")),
                context);
    }

    @AfterEach
    void close() {
        backend.close();
        system.shells.values().forEach(shell -> system.signal(shell, "KILL"));
    }

    private static Submission submission(int count, String line) {
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("/bin/sh", "-c", line)))
                .output(new JobOutput.None())
                .build();
        return new Submission(
                spec,
                IntStream.range(0, count)
                        .mapToObj(index -> new Submission.Instance(
                                "worker-" + index, Secret.of(("secret " + index).getBytes(StandardCharsets.UTF_8))))
                        .toList());
    }

    private List<JobTermination> ends(int count) throws InterruptedException {
        List<JobTermination> ends = new ArrayList<>();
        while (ends.size() < count) {
            if (events.take() instanceof JobEvent.Ended ended) {
                ends.add(ended.termination());
            }
        }
        return ends;
    }

    @Test
    void endOfAProgramIsKnownWithoutAWordOfTheSystem() throws InterruptedException {
        Job job = backend.submit(
                        submission(1, "cat \"${FIBER_BOOTSTRAP#file:}\"; echo; echo wrong >&2; exit 7"), events::add)
                .get(0);

        assertThat(events.take()).isInstanceOf(JobEvent.Running.class);
        assertThat(ends(1)).containsExactly(JobTermination.exited(7));
        assertThat(job.logs(10)).containsExactly("secret 0", "wrong");
        assertThat(Objects.requireNonNull(system.shells.get(job.id())).waitFor())
                .as("what the system sees of it")
                .isZero();
    }

    @Test
    void faultOfTheBackendIsToldOnceWithTheJobs() throws Exception {
        system.answer = new IllegalStateException("no such column");
        Path result = directory.resolve("result");
        List<String> said = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("io.fiber.backend.support.batch");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                said.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            backend.submit(submission(1, "until [ -e '" + result + "' ]; do sleep 0.1; done"), events::add);
            assertThat(system.asked.await(1, TimeUnit.MINUTES))
                    .as("several requests")
                    .isTrue();
            Files.createFile(result);
            assertThat(ends(1)).containsExactly(JobTermination.exited(0));
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(said)
                .containsExactly("Backend 'batch' has a fault: asked for the states of the jobs [1.0], it threw an"
                        + " exception that is no BackendException. Fiber learns nothing about these jobs from Batch"
                        + " while that goes on.");
    }

    /** What it writes to a project's directory is for the others of the project. */
    @Test
    void programMakesFilesForThoseForWhomTheUserMakesThem() throws Exception {
        Path result = directory.resolve("result");
        backend.submit(submission(1, "echo 1 >'" + result + "'"), events::add);

        assertThat(ends(1)).containsExactly(JobTermination.exited(0));
        assertThat(Files.getPosixFilePermissions(result)).isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
    }

    @Test
    void moreJobsThanTheSystemTakesAreSeveralRequests() throws InterruptedException {
        List<Job> jobs = backend.submit(submission(5, "exit 0"), events::add);

        assertThat(system.requests).containsExactly(2, 2, 1);
        assertThat(jobs)
                .extracting(Job::name)
                .containsExactly("worker-0", "worker-1", "worker-2", "worker-3", "worker-4");
        assertThat(jobs).extracting(Job::id).containsExactly("1.0", "1.1", "2.0", "2.1", "3.0");
        assertThat(ends(5)).containsOnly(JobTermination.exited(0));
        assertThat(atDeath)
                .as("what the reaper would end")
                .hasSize(2)
                .asString()
                .contains("/rm, -rf", "true, session");
    }

    @Test
    void requestsBeforeOneThatIsRefusedAreTakenBack() throws InterruptedException {
        system.refusedRequest = 2;

        assertThatThrownBy(() -> backend.submit(submission(3, "sleep 60"), events::add))
                .isInstanceOf(JobRejectedException.class)
                .hasMessage("FBR-131 no more jobs");
        assertThat(system.ended.poll(30, TimeUnit.SECONDS)).isEqualTo("FORCED [1.0, 1.1]");
        assertThat(directory.resolve("shared/fiber-abcdefghij01/job-0")).doesNotExist();
        assertThat(directory.resolve("shared/fiber-abcdefghij01/job-1")).doesNotExist();
        assertThat(atDeath).as("what the reaper would end").hasSize(2);
        assertThat(events).isEmpty();
    }

    @Test
    void previewIsTheScriptsThatWouldBeSubmitted() {
        String shown = backend.preview(submission(3, "exit 0")).orElseThrow();

        assertThat(shown)
                .contains("#BATCH fiber-abcdefghij01-0\n", "#BATCH fiber-abcdefghij01-1\n")
                .doesNotContain("secret");
        assertThat(system.requests).isEmpty();
    }

    @Test
    void roomThatTheSystemPutsBeforeItsQueueIsFilledFirst() throws InterruptedException {
        system.room = 3;

        assertThat(backend.preview(submission(5, "exit 0")).orElseThrow())
                .contains("#BATCH fiber-abcdefghij01-1\n")
                .doesNotContain("#BATCH fiber-abcdefghij01-2\n");
        assertThat(system.room).as("room after a preview").isEqualTo(3);
        backend.submit(submission(5, "exit 0"), events::add);
        assertThat(system.requests).containsExactly(3, 2);
        assertThat(ends(5)).containsOnly(JobTermination.exited(0));
        assertThat(system.room).as("room after the ends").isEqualTo(3);
    }

    @Test
    void roomOfARequestThatIsTakenBackIsFreeAgain() {
        system.room = 1;
        system.refusedRequest = 2;

        assertThatThrownBy(() -> backend.submit(submission(2, "sleep 60"), events::add))
                .isInstanceOf(JobRejectedException.class);
        assertThat(system.room).isEqualTo(1);
    }

    @Test
    void jobThatIsHandedOverGoesOnAfterTheClose() throws Exception {
        Path result = directory.resolve("result");
        system.exit = BatchScript.Exit.AS_PROGRAM;
        Job job = backend.submit(
                        submission(1, "until [ -e '" + result + "' ]; do sleep 0.1; done; exit 7"), events::add)
                .get(0);
        assertThat(events.take()).isInstanceOf(JobEvent.Running.class);
        backend.handOver();
        backend.close();

        assertThat(atDeath).isEmpty();
        Process shell = Objects.requireNonNull(system.shells.get(job.id()));
        assertThat(shell.isAlive()).isTrue();
        Files.createFile(result);
        assertThat(shell.waitFor()).isEqualTo(7);
    }

    /** A system that cannot send it: the script sees the file of the cancellation. */
    @Test
    void programGetsOneSigtermWithoutTheSystem() throws Exception {
        system.endRequest = BatchScript.EndRequest.FILE;
        system.answer = new BackendUnavailableException("FBR-130 no answer");
        Path signals = directory.resolve("signals");
        Job job = backend.submit(
                        submission(
                                1,
                                "trap 'echo TERM >>\"" + signals + "\"' TERM; i=0; while [ $i -lt 50 ]; do sleep 0.1;"
                                        + " [ ! -e '" + signals + "' ] || i=$((i + 1)); done; exit 5"),
                        events::add)
                .get(0);
        assertThat(events.take()).isInstanceOf(JobEvent.Running.class);

        job.cancel(Duration.ofMinutes(5));

        assertThat(ends(1)).containsExactly(JobTermination.cancelled(OptionalInt.of(5)));
        assertThat(signals).hasContent("TERM");
    }

    /** Some systems read directives in all lines of a script. */
    @Test
    void noValueOfTheUserIsADirective() throws Exception {
        Path result = directory.resolve("result");
        String value = "first\n#BATCH --evil\n\rlast";
        JobSpec spec = JobSpec.builder(new Program.Command(
                        List.of("/bin/sh", "-c", "printf '%s|%s' \"$1\" \"$VALUE\" >\"$0\"", result.toString(), value)))
                .environment(Map.of("VALUE", value))
                .output(new JobOutput.None())
                .build();
        Submission one = Submission.of(spec, "worker", Secret.empty());

        assertThat(backend.preview(one).orElseThrow().lines()).noneMatch(line -> line.startsWith("#BATCH --evil"));
        backend.submit(one, events::add);
        assertThat(ends(1)).containsExactly(JobTermination.exited(0));
        assertThat(Files.readString(result)).isEqualTo(value + "|" + value);
    }

    /** They run nothing, but would wait for their turn, or stay in the queue for ever. */
    @Test
    void jobsOfASubmissionWhoseAnswerWasLostAreRemovedAtTheEnd() throws Exception {
        Path removed = directory.resolve("removed");
        system.losesAnswers = true;
        system.endSession = List.of("touch", removed.toString());
        assertThatThrownBy(() -> backend.submit(submission(1, "exit 0"), events::add))
                .isInstanceOf(BackendUnavailableException.class);
        assertThat(removed).doesNotExist();

        backend.close();

        await("the command of the session's end").atMost(Duration.ofMinutes(1)).until(() -> Files.exists(removed));
    }

    /** Its end was reported, but it is in the queue until the system has answered. */
    @Test
    void closeWaitsUntilAJobThatWillNeverRunHasLeftTheQueue() throws InterruptedException {
        system.state = Optional.of(new BatchState.Waiting("no such directory", Optional.of("Mend it.")));
        system.pauseAtEnd = Duration.ofSeconds(1);
        backend.submit(submission(1, "exit 0"), event -> {
            if (event instanceof JobEvent.Ended) {
                events.add(event);
            }
        });
        assertThat(ends(1)).extracting(JobTermination::cause).containsExactly(EndCause.START_FAILED);

        backend.close();

        assertThat(system.ended).contains("ASKED [1.0]");
    }

    @Test
    void closeCancelsJobsAndLeavesNothingInTheSharedDirectory() throws Exception {
        backend.submit(submission(2, "exec sleep 60"), events::add);
        assertThat(events.take()).isInstanceOf(JobEvent.Running.class);
        assertThat(events.take()).isInstanceOf(JobEvent.Running.class);
        backend.close();

        assertThat(ends(2)).extracting(JobTermination::state).containsOnly(JobState.CANCELLED);
        try (var files = Files.list(directory.resolve("shared"))) {
            assertThat(files).isEmpty();
        }
        assertThat(atDeath).isEmpty();
    }
}
