// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spec.Volume;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.clause.Clause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;

/** Clauses BKD-5xx: declared capabilities work, and requests for others are rejected. */
abstract class CapabilityContract extends BackendContract {

    private static final long LITTLE_MEMORY_BYTES = 96L << 20;
    /** A collector may count a part of its heap twice, or round it up. */
    private static final double ROUNDED = 1.1;

    /** A busy machine may take longer than a limit until a program calls; the next attempt allows more time. */
    private static final int TRIES = 3;

    private static final int MORE_TIME = 4;

    /** More than any machine has. */
    private static final int TOO_MANY_GPUS = 4_096;

    /** Returns a request for each capability that a field of the spec can request. */
    private static Map<Capability, UnaryOperator<JobSpec.Builder>> wishes() {
        Map<Capability, UnaryOperator<JobSpec.Builder>> wishes = new EnumMap<>(Capability.class);
        Resources nothing = Resources.unspecified();
        wishes.put(Capability.CONSOLE, spec -> spec.output(new JobOutput.Console()));
        wishes.put(Capability.CPU_LIMIT, spec -> spec.resources(Resources.cpus(1)));
        wishes.put(Capability.MEMORY_LIMIT, spec -> spec.resources(nothing.withMemory("256m")));
        wishes.put(Capability.GPU, spec -> spec.resources(nothing.withGpus(1)));
        wishes.put(Capability.IMAGE, spec -> spec.image("fiber-tck-no-such-image"));
        wishes.put(
                Capability.VOLUMES,
                spec -> spec.volumes(
                        List.of(Volume.of("fiber-tck", "/fiber-tck").readOnly())));
        wishes.put(Capability.TIME_LIMIT, spec -> spec.timeLimit(Duration.ofMinutes(10)));
        wishes.put(Capability.RESTARTS, spec -> spec.restarts(1));
        wishes.put(Capability.WORKING_DIRECTORY, spec -> spec.workingDirectory(Path.of("/")));
        return wishes;
    }

    @Clause(
            id = "BKD-501",
            says = "a request that needs an undeclared capability is rejected with FBR-106, starts nothing, and"
                    + " has no preview",
            check = "that submit and preview look at every field first; the text must name the backend and the"
                    + " capability.")
    void undeclaredWishIsRefused() {
        var wishes = wishes();
        wishes.keySet().removeAll(fixture().capabilities());
        assume(!wishes.isEmpty(), "declares every capability that a spec can ask for");
        String token = nextName();
        wishes.forEach((capability, wish) -> {
            JobSpec spec = wish.apply(probe(token)).build();
            assertThatItIsRefused(capability, catchThrowable(() -> submitOne(spec, recorder())), "submit");
            // A backend may have nothing to show for any submission.
            Throwable unshown =
                    catchThrowable(() -> assertThat(backend().preview(Submission.of(spec, nextName(), Secret.empty())))
                            .isEmpty());
            if (unshown != null) {
                assertThatItIsRefused(capability, unshown, "preview");
            }
        });
        letOthersPass();
        assertThat(beacon().calls(token)).as("programs of refused submissions").isEmpty();
    }

    private void assertThatItIsRefused(Capability capability, Throwable thrown, String method) {
        assertThat(thrown)
                .as("what %s throws for a wish of %s", method, capability)
                .isInstanceOf(JobRejectedException.class);
        assertThat(thrown)
                .as("text of the refusal of %s", capability)
                .hasMessageContaining("FBR-106")
                .hasMessageContaining(capability.name())
                .hasMessageContaining("'" + fixture().name() + "'");
    }

    @Clause(
            id = "BKD-502",
            says = "without LOGS, logs throws UnsupportedOperationException",
            check = "that it neither returns an empty list nor blocks.")
    @Requires(absent = Capability.LOGS)
    void logsAreUnsupported() {
        ProbeJob job = start();
        assertThat(catchThrowable(() -> job.job().logs(10)))
                .as("what logs throws")
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Clause(
            id = "BKD-503",
            says = "without LABELS, labels are ignored and the job runs",
            check = "that labels do not cause a rejection.")
    @Requires(absent = Capability.LABELS)
    void labelsAreIgnored() {
        String token = nextName();
        ProbeJob job = start(probe(token).labels(Map.of("team", "tck")).build(), token);
        job.call();
    }

    @Clause(
            id = "BKD-511",
            says = "with CPU_LIMIT, a Java program that requests one processor sees one",
            check = "that the limit is one of the job's control group, or that its JVM gets -XX:ActiveProcessorCount.")
    @Requires(Capability.CPU_LIMIT)
    void oneProcessorIsCountedOn() {
        String token = nextName();
        ProbeJob job = start(probe(token).resources(Resources.cpus(1)).build(), token);
        assertThat(job.call().fact("processors"))
                .as("processors that the program's JVM counts on")
                .isEqualTo("1");
    }

    @Clause(
            id = "BKD-512",
            says = "with CPU_LIMIT, a job that requests 0.5 processors runs",
            check = "how cpus is rendered: a platform that assigns whole processors gives one.")
    @Requires(Capability.CPU_LIMIT)
    void halfAProcessorIsGiven() {
        String token = nextName();
        ProbeJob job = start(probe(token).resources(Resources.cpus(0.5)).build(), token);
        job.call();
    }

    @Clause(
            id = "BKD-513",
            says = "with MEMORY_LIMIT, a job that uses much more memory than it requested does not succeed",
            check = "that the limit reaches the JVM (-Xmx) or the job's cgroup.")
    @Requires(Capability.MEMORY_LIMIT)
    void memoryIsLimited() {
        String token = nextName();
        ProbeJob job = start(withLittleMemory(token), token);
        assertThat(heapOf(job))
                .as("heap of a program that asked for %s bytes", LITTLE_MEMORY_BYTES)
                .isLessThan(4 * LITTLE_MEMORY_BYTES);
        job.call().tell("eat", "");
        JobTermination end = job.ended("BKD-513");
        assertThat(end.state()).as("state of a job that took too much").isEqualTo(JobState.FAILED);
    }

    /** Removes what the fixture itself says about the heap, which any backend would honour. */
    private JobSpec withLittleMemory(String token) {
        JobSpec spec = probe(token)
                .resources(Resources.unspecified().withMemoryBytes(LITTLE_MEMORY_BYTES))
                .build();
        if (!(spec.program() instanceof Program.Java java)) {
            return spec;
        }
        List<String> options = java.jvmOptions().stream()
                .filter(option -> !option.startsWith("-Xmx"))
                .toList();
        return spec.toBuilder(new Program.Java(
                        java.executable(), options, java.classPath(), java.modulePath(), java.main(), java.arguments()))
                .build();
    }

    private static long heapOf(ProbeJob job) {
        return Long.parseLong(job.call().fact("heap"));
    }

    @Clause(
            id = "BKD-514",
            says = "with MEMORY_LIMIT, the heap of a Java program is at most the memory that it requested",
            check = "that -Xmx is rendered, or that the JVM sees the limit of its control group.")
    @Requires(Capability.MEMORY_LIMIT)
    void heapIsWhatWasAskedFor() {
        String token = nextName();
        ProbeJob job = start(withLittleMemory(token), token);
        assertThat(heapOf(job))
                .as("heap of a program that asked for %s bytes", LITTLE_MEMORY_BYTES)
                .isLessThan((long) (LITTLE_MEMORY_BYTES * ROUNDED));
    }

    @Clause(
            id = "BKD-515",
            says = "with IMAGE, a job whose image does not exist is rejected or fails, and the image is named",
            check = "how the platform reports an image that cannot be pulled.")
    @Requires(Capability.IMAGE)
    void missingImageIsTold() {
        String image = fixture().missingImage();
        EventRecorder recorder = recorder();
        try {
            var job = submitOne(probe(nextName()).image(image).build(), recorder);
            JobTermination end = new ProbeJob(this, job, recorder, "none").ended("BKD-515");
            assertThat(end.state()).as("state").isEqualTo(JobState.FAILED);
            assertThat(end.detail()).as("detail").contains(image);
        } catch (JobRejectedException e) {
            assertThat(e.getMessage()).as("text of the refusal").contains(image);
        }
    }

    @Clause(
            id = "BKD-516",
            says = "with GPU, a job that requests more GPUs than exist does not run",
            check = "that gpus reaches the platform: it refuses the job, lets it wait, or fails its start.")
    @Requires(Capability.GPU)
    void absentGpusAreNotGiven() {
        String token = nextName();
        EventRecorder recorder = recorder();
        JobSpec spec = probe(token).resources(Resources.gpus(TOO_MANY_GPUS)).build();
        try {
            Job job = submitOne(spec, recorder);
            letOthersPass();
            job.cancel(Duration.ZERO);
            new ProbeJob(this, job, recorder, token).ended("BKD-516");
        } catch (JobRejectedException e) {
            letOthersPass();
        }
        assertThat(beacon().calls(token))
                .as("programs with %s GPUs", TOO_MANY_GPUS)
                .isEmpty();
    }

    @Clause(
            id = "BKD-522",
            says = "with GPU, a job for which no GPU is free waits until the process of a job that holds one has ended",
            check = "that a GPU counts as taken until its process is gone, whatever ends it.")
    @Requires(Capability.GPU)
    void gpusBelongToOneJob() {
        int gpus = fixture().gpus();
        assume(gpus > 0, "is not tested for this: its fixture's gpus() is 0");
        String token = nextName();
        ProbeJob holder = start(probe(token).resources(Resources.gpus(gpus)).build(), token);
        holder.call();
        String lateToken = nextName();
        EventRecorder recorder = recorder();
        Job job = submitOne(probe(lateToken).resources(Resources.gpus(1)).build(), recorder);
        letOthersPass();
        assertThat(beacon().calls(lateToken))
                .as("programs with a GPU beside one that holds all %s", gpus)
                .isEmpty();

        holder.exit(3);

        new ProbeJob(this, job, recorder, lateToken).call();
        holder.gone("BKD-522");
    }

    @Clause(
            id = "BKD-517",
            says = "with TIME_LIMIT, a job that runs too long is ended with the cause TIME_LIMIT; waiting for a"
                    + " slot does not count",
            check = "that the end by the limit is not reported as a signal or as CANCELLED, and that the"
                    + " time counts from the start of the program.")
    @Requires(Capability.TIME_LIMIT)
    @Tag(Clause.WAITS)
    void timeIsLimited() {
        Duration limit = fixture().shortestTimeLimit();
        boolean hasCalled = runsUntilItsLimit(limit);
        for (int i = 1; i < TRIES && !hasCalled; i++) {
            limit = limit.multipliedBy(MORE_TIME);
            hasCalled = runsUntilItsLimit(limit);
        }
        assertThat(hasCalled)
                .as("one of %s programs, the last with a limit of %s, called before its end", TRIES, limit)
                .isTrue();
    }

    /** Starts a program with a time limit and waits until the limit ends it. Returns whether it has called before. */
    private boolean runsUntilItsLimit(Duration limit) {
        String token = nextName();
        ProbeJob job = start(probe(token).timeLimit(limit).build(), token);
        boolean hasCalled = job.hasCalledBeforeItsEnd();
        await(
                "BKD-517",
                limit.plus(fixture().endLimit()),
                () -> job.events().termination(job.job()).isPresent(),
                () -> "the job runs on after its limit of " + limit + ".");
        JobTermination end = job.ended();
        assertThat(end.cause()).as("cause").isEqualTo(EndCause.TIME_LIMIT);
        assertThat(end.state()).as("state").isEqualTo(JobState.FAILED);
        if (hasCalled) {
            job.gone("BKD-517");
        }
        return hasCalled;
    }

    @Clause(
            id = "BKD-518",
            says = "with WORKING_DIRECTORY, the program starts in that directory",
            check = "how workingDirectory is rendered.")
    @Requires(Capability.WORKING_DIRECTORY)
    void workingDirectoryIsHonoured() {
        String token = nextName();
        ProbeJob job = start(probe(token).workingDirectory(Path.of("/")).build(), token);
        assertThat(job.call().fact("directory"))
                .as("directory that the program saw")
                .isEqualTo("/");
    }

    @Clause(
            id = "BKD-519",
            says = "with LABELS, labels are on the platform's own record of the job",
            check = "how labels are rendered: capitals stay, and 63 letters fit.")
    @Requires(Capability.LABELS)
    void labelsAreOnTheRecord() {
        String token = nextName();
        Map<String, String> wished =
                Map.of("team", "tck", "Cost_Centre.of-Team", "Mixed-Case_1.x", "longest", "L" + "x".repeat(61) + "9");
        ProbeJob job = start(probe(token).labels(wished).build(), token);
        job.call();
        var labels = assumePresent(fixture().labelsOf(job.job()), "labelsOf");
        assertThat(labels).as("labels on the platform's record").containsAllEntriesOf(wished);
    }

    @Clause(
            id = "BKD-520",
            says = "with SHARED_FILES, the program reads a file of this host at the same path",
            check = "that the declaration is true where jobs run.")
    @Requires(Capability.SHARED_FILES)
    void filesAreShared() throws IOException {
        Path file = fixture().directory().resolve("shared.txt");
        Files.writeString(file, "seen from both sides");
        ProbeJob job = start();
        job.tell("read", file.toString());
        assertThat(job.call().fact("read")).as("content that the program read").isEqualTo("seen from both sides");
    }

    @Clause(
            id = "BKD-521",
            says = "Preempting is reported before the platform ends a job, and only by a backend that declares it",
            check = "that the announcement comes while the job still runs.")
    @Requires(Capability.PREEMPTION_NOTICE)
    @Tag(Clause.DISTURBS)
    void preemptionIsAnnounced() {
        var preempter = assumePresent(fixture().preempter(), "preempter");
        ProbeJob job = start().running();
        preempter.accept(job.job());
        await(
                "BKD-521",
                fixture().endLimit(),
                () -> job.events().story(job.job()).stream().anyMatch(JobEvent.Preempting.class::isInstance),
                () -> "no Preempting was reported; the events are "
                        + job.events().describe(job.job()) + ".");
        JobTermination end = job.ended("BKD-521");
        assertThat(end.cause()).as("cause of the end '%s'", end.describe()).isEqualTo(EndCause.PREEMPTED);
    }
}
