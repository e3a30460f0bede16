// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.runtime.worker.LightWorkers;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.SpiVersion;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.Submission;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A backend whose jobs are light workers: many to a JVM, which ends with the backend. */
final class LightBackend implements BackendProvider {

    private static final int WORKERS_EACH = 1000;

    private final int jvms;

    LightBackend(int jvms) {
        this.jvms = jvms;
    }

    @Override
    public String name() {
        return "light";
    }

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public Probe probe(Environment environment) {
        return new Probe.Usable("this is a test");
    }

    @Override
    public Backend create(BackendContext context) {
        return new Jvms();
    }

    private final class Jvms implements Backend {
        private final List<Process> processes = new ArrayList<>();
        private final List<DataOutputStream> inputs = new ArrayList<>();
        private int next;

        @Override
        public CallerHost callerHost() {
            return CallerHost.sameHost();
        }

        @Override
        public synchronized List<Job> submit(Submission submission, JobListener listener) {
            List<Job> jobs = new ArrayList<>();
            for (Submission.Instance instance : submission.instances()) {
                if (processes.size() < jvms) {
                    start();
                }
                send(instance.bootstrap().copyBytes());
                jobs.add(new LightJob(instance.name()));
            }
            Thread teller = new Thread(
                    () -> jobs.forEach(job -> listener.onEvent(new JobEvent.Running(job, "localhost"))),
                    "light-teller");
            teller.setDaemon(true);
            teller.start();
            return jobs;
        }

        private void start() {
            try {
                Process process = new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:-UsePerfData",
                                "-cp",
                                System.getProperty("java.class.path"),
                                LightWorkers.class.getName(),
                                Integer.toString(WORKERS_EACH))
                        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                processes.add(process);
                inputs.add(new DataOutputStream(process.getOutputStream()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void send(byte[] bootstrap) {
            DataOutputStream input = inputs.get(next++ % inputs.size());
            try {
                input.writeInt(bootstrap.length);
                input.write(bootstrap);
                input.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public synchronized void close() {
            for (Process process : processes) {
                process.destroyForcibly();
                process.onExit().join();
            }
        }
    }

    /** A worker that ends when its JVM does. */
    private record LightJob(String name) implements Job {
        @Override
        public String id() {
            return name;
        }

        @Override
        public JobState state() {
            return JobState.RUNNING;
        }

        @Override
        public void cancel(Duration grace) {}

        @Override
        public List<String> logs(int lastLines) {
            return List.of();
        }
    }
}
