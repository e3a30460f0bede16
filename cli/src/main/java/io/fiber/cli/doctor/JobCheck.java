// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.doctor;

import io.fiber.cli.run.BackendAccess;
import io.fiber.runtime.platform.SessionDirectory;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Runs a small job on the backend and evaluates what it has found there. */
final class JobCheck {

    static final String SUBJECT = "job";

    private static final int LINES = 200;
    private static final String CLASS_FILE = ProbeJob.class.getName().replace('.', '/') + ".class";

    private final BackendAccess access;
    private final Dialled dialled;
    private final Terms terms;
    private final byte[] program;
    private final AtomicReference<String> lastSaid =
            new AtomicReference<>("the platform has reported nothing about it");
    private final CompletableFuture<JobTermination> end = new CompletableFuture<>();

    /**
     * How the job is run.
     *
     * @param image the image in which it runs; empty for the backend's own
     * @param java the java that starts it; empty for the backend's own
     * @param files a directory for its program, which is created and removed. Jobs' hosts may see their user's home,
     *     and have a {@code /tmp} of their own
     * @param limit how long to wait for it, including the time in the cluster's queue
     */
    record Terms(Optional<String> image, Optional<String> java, Path files, Duration limit) {}

    /** Creates a check with this class file as its program. */
    JobCheck(BackendAccess access, Dialled dialled, Terms terms, byte[] program) {
        this.access = access;
        this.dialled = dialled;
        this.terms = terms;
        this.program = program.clone();
    }

    /** Returns the class file of the program. */
    static byte[] program() throws IOException {
        try (InputStream file = JobCheck.class.getResourceAsStream("/" + CLASS_FILE)) {
            if (file == null) {
                throw new IOException("The class " + CLASS_FILE + " is missing in the jar of this command.");
            }
            return file.readAllBytes();
        }
    }

    /** Reports what was found. Blocks until the job has ended or the limit has passed. */
    void run(Consumer<Finding> findings) throws InterruptedException {
        try {
            Path file = terms.files().resolve(CLASS_FILE);
            Files.createDirectories(file.getParent());
            Files.write(file, program);
            try {
                runProgram(findings);
            } finally {
                for (Path made = file; made != null && made.startsWith(terms.files()); made = made.getParent()) {
                    Files.deleteIfExists(made);
                }
            }
        } catch (IOException e) {
            findings.accept(Finding.fault(
                    SUBJECT,
                    "FBR-546",
                    "The job did not start: its program cannot be written to '" + terms.files() + "': " + e,
                    "make that directory writable, or set XDG_CACHE_HOME to a writable directory that jobs see"));
        }
    }

    private void runProgram(Consumer<Finding> findings) throws InterruptedException {
        String word = SessionDirectory.newId();
        try (Echo echo = new Echo(dialled.bind(), dialled.ports(), word)) {
            Job job = submit(
                    access.backend(),
                    List.of(dialled.host(), Integer.toString(echo.udpPort()), Integer.toString(echo.tcpPort()), word));
            Optional<JobTermination> ended = await();
            if (ended.isEmpty()) {
                job.cancel(Duration.ZERO);
                findings.accept(Finding.note(
                        SUBJECT,
                        "FBR-543",
                        "The job " + job.id() + " has not ended within "
                                + terms.limit().toSeconds() + " s: " + lastSaid.get() + ". It was cancelled",
                        "wait longer (--wait 10m), or look at the platform's queue"));
                return;
            }
            new JobReport(job.logs(LINES), ended.get(), dialled).tell(findings);
        } catch (IOException e) {
            findings.accept(Finding.fault(
                    SUBJECT,
                    "FBR-544",
                    "This process cannot listen at " + dialled + ": " + e,
                    "correct bind-address or the transport's port-range, or end the process that listens there"));
        } catch (BackendException e) {
            findings.accept(Finding.thrown(SUBJECT, e));
        }
    }

    private Job submit(Backend backend, List<String> arguments) {
        JobSpec.Builder spec = JobSpec.builder(new Program.Java(
                terms.java(),
                List.of("-XX:+UseSerialGC"),
                List.of(terms.files().toString()),
                List.of(),
                ProbeJob.class.getName(),
                arguments));
        terms.image().ifPresent(spec::image);
        return backend.submit(Submission.of(spec.build(), "doctor", Secret.of(new byte[0])), this::note)
                .get(0);
    }

    private void note(JobEvent event) {
        if (event instanceof JobEvent.Waiting waiting) {
            lastSaid.set("it waits, " + waiting.reason());
        } else if (event instanceof JobEvent.Running running) {
            lastSaid.set("it runs on " + running.host());
        } else if (event instanceof JobEvent.Ended ended) {
            end.complete(ended.termination());
        }
    }

    private Optional<JobTermination> await() throws InterruptedException {
        try {
            return Optional.of(end.get(terms.limit().toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
