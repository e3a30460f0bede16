// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker.main;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.runtime.protocol.Bootstrap;
import io.fiber.runtime.protocol.ExitCode;
import io.fiber.runtime.worker.ExitCleanup;
import io.fiber.runtime.worker.ExitWatch;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Submission;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The main class of a training run for a class-data archive. A session whose only worker is a thread of the same JVM
 * does what a worker does when it starts, so that all its classes are loaded when the archive is written at the exit.
 */
public final class CdsTrainingRun {

    private static final int ITEMS = 100;

    private CdsTrainingRun() {}

    /** A typical item: an object with a few plain values. */
    private record Item(int number, String text, double amount) implements Serializable {}

    /** Runs the training; not for programs. */
    public static void main(String[] args) {
        readFirst();
        ExitWatch exits = WorkerMain.load(new ExitCleanup());
        int done;
        try (Fiber fiber =
                        Fiber.builder().backend(new Stage()).set("cds", "false").open();
                Pool pool = fiber.pool(1)) {
            done = pool.map(item -> "result " + item, IntStream.range(0, ITEMS)).size()
                    + pool.map(
                                    item -> item.hashCode(),
                                    List.of("text", 1L, 1.5, new double[1], new Item(1, "text", 1.5)))
                            .size();
        }
        exits.exit((done > ITEMS ? ExitCode.DONE : ExitCode.INTERNAL).code());
    }

    /**
     * Deserializes an object first. In a worker, the JDK's object reader is the first to request a logger, which takes
     * another path.
     */
    private static void readFirst() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(ExitCode.DONE);
            out.flush();
            ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
            in.setObjectInputFilter(info -> ObjectInputFilter.Status.UNDECIDED);
            in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A backend whose jobs are threads of this JVM. */
    private static final class Stage implements BackendProvider, Backend {
        @Override
        public String name() {
            return "training";
        }

        @Override
        public Probe probe(Environment environment) {
            return new Probe.Usable("it is this JVM");
        }

        @Override
        public Backend create(BackendContext context) {
            return this;
        }

        @Override
        public CallerHost callerHost() {
            return CallerHost.sameHost();
        }

        @Override
        public List<Job> submit(Submission submission, JobListener listener) {
            List<Job> jobs = new ArrayList<>();
            for (Submission.Instance instance : submission.instances()) {
                Actor actor = new Actor(instance);
                jobs.add(actor);
                Thread thread = new Thread(() -> actor.play(listener), instance.name());
                thread.setDaemon(true);
                thread.start();
            }
            return jobs;
        }

        @Override
        public void close() {}
    }

    /** The job of a worker that is a thread. */
    private record Actor(Submission.Instance instance) implements Job {
        void play(JobListener listener) {
            listener.onEvent(new JobEvent.Running(this, "this JVM"));
            int code;
            try {
                code = WorkerMain.work(Bootstrap.decode(instance.bootstrap().copyBytes()), new ExitCleanup());
            } catch (IOException e) {
                code = ExitCode.BAD_BOOTSTRAP.code();
            }
            listener.onEvent(new JobEvent.Ended(this, JobTermination.exited(code)));
        }

        @Override
        public String name() {
            return instance.name();
        }

        @Override
        public String id() {
            return instance.name();
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
