// SPDX-License-Identifier: Apache-2.0
package com.example.fiber.shell;

import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A job is a process that a shell script starts, watches and ends. */
final class ShellBackend implements Backend {

    private final Path directory;
    private final Map<Path, ShellJob> jobs = new ConcurrentHashMap<>();
    private final ScheduledExecutorService signals =
            Executors.newSingleThreadScheduledExecutor(run -> new Thread(run, "shell-signals"));
    private final Starter starter;
    private boolean isClosed;

    ShellBackend(Path sessionDirectory) throws IOException {
        directory = Files.createDirectory(sessionDirectory.resolve("shell"));
        starter = new Starter(new Starter.Listener() {
            @Override
            public void running(Path job) {
                jobs.get(job).hasBegun();
            }

            @Override
            public void ended(Path job, int code) {
                jobs.remove(job).hasEnded(code);
            }

            @Override
            public void gone() {
                jobs.keySet().forEach(job -> jobs.remove(job).isLost());
            }
        });
    }

    Starter starter() {
        return starter;
    }

    ScheduledExecutorService signals() {
        return signals;
    }

    @Override
    public CallerHost callerHost() {
        return CallerHost.sameHost();
    }

    @Override
    public synchronized List<Job> submit(Submission submission, JobListener listener) {
        if (isClosed) {
            throw new BackendException("The backend is closed; open another one.");
        }
        submission.requireOffered(ShellBackendProvider.NAME, ShellBackendProvider.CAPABILITIES);
        List<ShellJob> made = new ArrayList<>();
        try {
            for (Submission.Instance instance : submission.instances()) {
                JobDirectory files = JobDirectory.make(directory, submission.spec(), instance);
                ShellJob job = new ShellJob(instance.name(), files, listener, this);
                jobs.put(files.path(), job);
                made.add(job);
            }
            for (ShellJob job : made) {
                starter.order("start", Path.of(job.id()));
            }
        } catch (IOException e) {
            made.forEach(job -> jobs.remove(Path.of(job.id())));
            throw new BackendException("The job cannot be handed to the starter: " + e.getMessage(), e);
        }
        return List.copyOf(made);
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        jobs.values().forEach(ShellJob::markCancelled);
        boolean interrupted = Thread.interrupted();
        starter.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        signals.shutdownNow();
        try {
            JobDirectory.delete(directory);
        } catch (IOException e) {
            throw new BackendException("The files of backend 'shell' cannot be removed: " + e.getMessage(), e);
        }
    }
}
