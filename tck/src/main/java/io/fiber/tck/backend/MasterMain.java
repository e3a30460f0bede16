// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import io.fiber.spec.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.probe.ProbeMain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The main class of a second JVM in a backend's test. It submits probes and waits to be killed. The kit starts it;
 * authors of backends do not.
 */
public final class MasterMain {

    static final String WAIT = "wait";
    static final String CONSOLE = "console";

    private MasterMain() {}

    /**
     * Runs the master.
     *
     * @param arguments the class name of the fixture, what to do, the kit's address, a token, the number of jobs
     * @throws ReflectiveOperationException if the fixture cannot be created
     * @throws InterruptedException if it is interrupted while it waits
     */
    public static void main(String[] arguments) throws ReflectiveOperationException, InterruptedException {
        int count = arguments.length > 4 ? Integer.parseInt(arguments[4]) : 1;
        try (BackendFixture fixture = Class.forName(arguments[0])
                        .asSubclass(BackendFixture.class)
                        .getConstructor()
                        .newInstance();
                KitBackendContext context = new KitBackendContext(fixture);
                Backend backend = fixture.backend(context)) {
            JobSpec.Builder spec = fixture.javaJob(ProbeMain.class, arguments[2], arguments[3]);
            if (arguments[1].equals(CONSOLE)) {
                spec.output(new JobOutput.Console());
            }
            List<Submission.Instance> instances = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                instances.add(new Submission.Instance("tck-" + context.sessionId() + "-" + i, Secret.empty()));
            }
            CountDownLatch ends = new CountDownLatch(count);
            List<Job> jobs = backend.submit(new Submission(spec.build(), instances), event -> {
                if (event instanceof JobEvent.Ended) {
                    ends.countDown();
                }
            });
            System.out.println("submitted " + jobs.stream().map(Job::id).toList());
            ends.await();
        }
    }
}
