// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.Resources;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.CallerHost;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;

/** The simulated backend with one bug. */
@NullUnmarked
final class BrokenBackend implements Backend {

    private final Backend real;
    private final BackendContext context;
    private final BackendBug bug;
    private final BrokenBackendProvider provider;
    private final List<BrokenJob> jobs = new CopyOnWriteArrayList<>();
    private boolean closed;
    private boolean outageSeen;

    BrokenBackend(Backend real, BackendContext context, BackendBug bug, BrokenBackendProvider provider) {
        this.real = real;
        this.context = context;
        this.bug = bug;
        this.provider = provider;
    }

    private boolean has(BackendBug other) {
        return bug == other;
    }

    List<BrokenJob> jobs() {
        return jobs;
    }

    @Override
    public CallerHost callerHost() {
        CallerHost host = real.callerHost();
        return has(BackendBug.CALLER_HOST_CHANGES) && !jobs.isEmpty()
                ? new CallerHost(host.bind(), "elsewhere", host.reach())
                : host;
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        if (closed && has(BackendBug.CLOSED_TAKES_MORE)) {
            return List.of();
        }
        if (has(BackendBug.LABELS_REFUSED) && !submission.spec().labels().isEmpty()) {
            throw new JobRejectedException("no labels");
        }
        prepare();
        JobListener broken = new BrokenListener(listener, this, bug);
        if (has(BackendBug.RUNS_TWICE)) {
            broken = runningAgain(submission, broken);
        }
        List<Job> submitted;
        try {
            submitted = real.submit(change(submission), broken);
        } catch (BackendUnavailableException e) {
            outageSeen = true;
            throw has(BackendBug.OUTAGE_IS_REJECTION) ? new JobRejectedException("refused", e) : e;
        } catch (JobRejectedException e) {
            throw has(BackendBug.REFUSAL_WITHOUT_CODE) ? new JobRejectedException("will not work", e) : e;
        }
        List<Job> returned = new ArrayList<>();
        submitted.forEach(job -> returned.add(new BrokenJob(job, this, bug, listener)));
        returned.forEach(job -> jobs.add((BrokenJob) job));
        if (has(BackendBug.JOBS_REVERSED)) {
            Collections.reverse(returned);
        }
        return has(BackendBug.SUBMIT_RETURNS_NULL) ? null : returned;
    }

    @Override
    public Optional<String> preview(Submission submission) {
        if (has(BackendBug.PREVIEW_STARTS)) {
            real.submit(submission, ignored -> {});
        }
        Submission shown = has(BackendBug.PREVIEW_SHOWS_BOOTSTRAP) ? withBootstrapAsArgument(submission) : submission;
        return Optional.of(((Program.Java) shown.spec().program())
                .commandLine("java", List.of(), ":")
                .toString());
    }

    private static Submission withBootstrapAsArgument(Submission submission) {
        Program.Java java = (Program.Java) submission.spec().program();
        List<String> arguments = new ArrayList<>(java.arguments());
        submission
                .instances()
                .forEach(each -> arguments.add(
                        Base64.getEncoder().encodeToString(each.bootstrap().copyBytes())));
        Program.Java telling = new Program.Java(
                java.executable(), java.jvmOptions(), java.classPath(), java.modulePath(), java.main(), arguments);
        return new Submission(JobSpec.builder(telling).build(), submission.instances());
    }

    /** As a platform does that starts again what has ended; before the end is told, so that nobody can be too early. */
    private JobListener runningAgain(Submission submission, JobListener listener) {
        return event -> {
            if (event instanceof JobEvent.Ended ended && ended.termination().cause() == JobTermination.Cause.EXITED) {
                submission.instances().stream()
                        .filter(each -> each.name().equals(ended.job().name()))
                        .map(each -> Submission.of(submission.spec(), each.name(), each.bootstrap()))
                        .forEach(again -> real.submit(again, ignored -> {}));
            }
            listener.onEvent(event);
        };
    }

    private void prepare() {
        if (has(BackendBug.LEAKS_THREAD)) {
            Thread thread = new Thread(provider::waitForFixture, "leaked-by-backend");
            thread.setDaemon(true);
            thread.start();
        }
        if (has(BackendBug.REAPER_FORGOTTEN)) {
            context.reaper().onDeath(List.of("true"));
        }
    }

    private Submission change(Submission submission) {
        List<Submission.Instance> instances = submission.instances();
        if (has(BackendBug.BOOTSTRAP_SHARED)) {
            Secret first = instances.get(0).bootstrap();
            instances = instances.stream()
                    .map(each -> new Submission.Instance(each.name(), first))
                    .toList();
        }
        JobSpec spec = submission.spec();
        return new Submission(
                new JobSpec(
                        change(spec.program()),
                        has(BackendBug.WISH_IGNORED) ? Resources.unspecified() : spec.resources(),
                        has(BackendBug.WISH_IGNORED) ? Optional.empty() : spec.image(),
                        has(BackendBug.WISH_IGNORED) ? List.of() : spec.volumes(),
                        has(BackendBug.LABELS_DROPPED) ? Map.of() : spec.labels(),
                        environment(submission),
                        has(BackendBug.DIRECTORY_IGNORED) ? Optional.empty() : spec.workingDirectory(),
                        output(spec.output()),
                        has(BackendBug.TIME_LIMIT_IGNORED) ? Optional.empty() : spec.timeLimit()),
                instances);
    }

    private JobOutput output(JobOutput output) {
        boolean ignored = (output instanceof JobOutput.Files && has(BackendBug.FILES_IGNORED))
                || (output instanceof JobOutput.Console && has(BackendBug.CONSOLE_IGNORED));
        return ignored ? new JobOutput.None() : output;
    }

    private Map<String, String> environment(Submission submission) {
        Map<String, String> changed = new HashMap<>(submission.spec().environment());
        byte[] secret = submission.instances().get(0).bootstrap().copyBytes();
        if (has(BackendBug.ENVIRONMENT_TRIMMED)) {
            changed.replaceAll((name, value) -> value.trim());
        }
        if (has(BackendBug.BOOTSTRAP_IN_ENVIRONMENT)) {
            changed.put("TOKEN", new String(secret, StandardCharsets.ISO_8859_1));
        }
        if (has(BackendBug.VARIABLE_ALWAYS_SET)) {
            changed.put(JobSpec.BOOTSTRAP_VARIABLE, "none");
        }
        return changed;
    }

    private Program change(Program program) {
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
                has(BackendBug.JVM_OPTIONS_DROPPED) ? List.of() : java.jvmOptions(),
                java.classPath(),
                java.modulePath(),
                java.main(),
                has(BackendBug.EMPTY_ARGUMENTS_LOST)
                        ? java.arguments().stream()
                                .filter(word -> !word.isEmpty())
                                .toList()
                        : java.arguments());
    }

    void tellEveryJobIsLost() {
        outageSeen = true;
        jobs.forEach(job -> job.listener().onEvent(new JobEvent.Ended(job, JobTermination.lost("no answer"))));
    }

    void sawOutage() {
        outageSeen = true;
    }

    void closeReally() {
        real.close();
    }

    @Override
    public void close() {
        if (closed && has(BackendBug.SECOND_CLOSE_THROWS)) {
            throw new IllegalStateException("closed already");
        }
        if (!closed && outageSeen && has(BackendBug.SLOW_CLOSE_IN_OUTAGE)) {
            long endNs = System.nanoTime() + Duration.ofMillis(12_500).toNanos();
            while (System.nanoTime() - endNs < 0) {
                LockSupport.parkNanos(10_000_000);
            }
        }
        closed = true;
        if (has(BackendBug.CLOSE_HITS_OTHERS)) {
            provider.closeOthers();
        }
        real.close();
        if (has(BackendBug.LEAVES_FILE)) {
            try {
                Files.writeString(context.directory().resolve("left"), "left");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
