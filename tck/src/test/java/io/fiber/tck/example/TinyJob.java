// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.example;

import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One process and the thread that waits for it. */
final class TinyJob implements Job {

    private final String name;
    private final Process process;
    private final JobListener listener;
    private final Thread watcher;
    private volatile JobState state = JobState.QUEUED;
    private volatile boolean cancelled;
    private volatile long killAtNs;

    private TinyJob(String name, Process process, JobListener listener) {
        this.name = name;
        this.process = process;
        this.listener = listener;
        this.watcher = new Thread(this::watch, "tiny-" + name);
    }

    static TinyJob start(JobSpec spec, Submission.Instance instance, JobListener listener) throws IOException {
        List<String> words = spec.program() instanceof Program.Java java
                ? java.commandLine("java", List.of(), File.pathSeparator)
                : ((Program.Command) spec.program()).words();
        words.forEach(word -> requireWritable("the word '" + word + "'", word));
        spec.environment()
                .forEach((variable, value) -> requireWritable("the variable '" + variable + "'", variable + value));
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(target(spec, instance));
        builder.environment().remove(JobSpec.BOOTSTRAP_VARIABLE);
        builder.environment().putAll(spec.environment());
        if (instance.bootstrap().length() > 0) {
            builder.environment().put(JobSpec.BOOTSTRAP_VARIABLE, "stdin");
        }
        TinyJob job = new TinyJob(instance.name(), builder.start(), listener);
        if (instance.bootstrap().length() > 0) {
            DataOutputStream in = new DataOutputStream(job.process.getOutputStream());
            in.writeInt(instance.bootstrap().length());
            in.write(instance.bootstrap().copyBytes());
            in.flush();
        }
        job.watcher.start();
        return job;
    }

    /** The JDK hands letters that its locale lacks to a process as question marks. */
    private static void requireWritable(String what, String letters) {
        String charset = System.getProperty("sun.jnu.encoding", "US-ASCII");
        if (!Charset.forName(charset).newEncoder().canEncode(letters)) {
            throw new JobRejectedException(
                    "The locale's charset, " + charset + ", lacks letters of " + what + "; use one of UTF-8.");
        }
    }

    private static ProcessBuilder.Redirect target(JobSpec spec, Submission.Instance instance) throws IOException {
        if (!(spec.output() instanceof JobOutput.Files files)) {
            return ProcessBuilder.Redirect.DISCARD;
        }
        Path directory = Files.createDirectories(files.directory());
        return ProcessBuilder.Redirect.appendTo(
                directory.resolve(instance.name() + ".log").toFile());
    }

    private void watch() {
        state = JobState.RUNNING;
        listener.onEvent(new JobEvent.Running(this, "localhost"));
        try {
            while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
                if (cancelled && System.nanoTime() - killAtNs >= 0) {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly();
                }
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
        JobTermination end = cancelled ? JobTermination.cancelled() : JobTermination.exited(process.exitValue());
        state = end.state();
        listener.onEvent(new JobEvent.Ended(this, end));
    }

    @Override
    public synchronized void cancel(Duration grace) {
        if (!process.isAlive()) {
            return;
        }
        long atNs = System.nanoTime() + TimeUnit.NANOSECONDS.convert(grace);
        killAtNs = cancelled && killAtNs - atNs < 0 ? killAtNs : atNs;
        cancelled = true;
        if (!grace.isZero()) {
            process.destroy();
        }
    }

    void join() {
        try {
            watcher.join(9_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String id() {
        return String.valueOf(process.pid());
    }

    @Override
    public JobState state() {
        return state;
    }

    @Override
    public List<String> logs(int lastLines) {
        throw new UnsupportedOperationException("Backend 'tiny' keeps no logs.");
    }
}
