// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.spec.Resources;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

/** Programs whose workers have GPUs. */
final class GpuPrograms {

    private GpuPrograms() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "hold" -> hold(Integer.parseInt(args[1]));
            case "pass-on" -> passOn();
            case "inner" -> inner();
            case "kill-jobs" -> killJobs(Path.of(args[1]), Path.of(args[2]), Integer.parseInt(args[3]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void hold(int gpus) throws InterruptedException {
        try (Fiber fiber = LocalFiber.builder().set("local.gpus", "GPU-a,MIG-b").open();
                Pool pool = fiber.poolBuilder(1).resources(Resources.gpus(gpus)).build()) {
            System.out.println("worker has its GPUs " + pool.apply(LocalFiber::pid));
            new CountDownLatch(1).await();
        }
    }

    /** Starts jobs, each of which looks for a process that was given its GPU before it and still lives. */
    private static void killJobs(Path directory, Path held, int kills) {
        JobSpec.Builder spec = LocalSession.shell(
                        "d=" + held + "/$CUDA_VISIBLE_DEVICES; mkdir -p $d; cd $d; for p in *; do"
                                + " [ -e \"$p\" ] || continue; case $(cut -d' ' -f3 /proc/$p/stat 2>/dev/null) in ''|Z|X) rm -f $p;;"
                                + " *) echo twice $p; exit 7;; esac; done; : > $$; echo held; exec sleep 600")
                .resources(Resources.gpus(1));
        Random random = new Random(kills);
        Set<String> said = new TreeSet<>();
        try (LocalSession session = new LocalSession(directory, "session-" + LocalFiber.pid(), GpusTest.TWO)) {
            List<Job> jobs = new ArrayList<>(session.start(spec, 3));
            for (int i = 0; i < kills; i++) {
                boolean isSoon = random.nextBoolean();
                Job victim = await("a job with a GPU")
                        .pollInterval(Duration.ofMillis(5))
                        .atMost(LocalFiber.LIMIT)
                        .until(
                                () -> jobs.stream()
                                        .filter(job -> isSoon
                                                ? job.state() == JobState.RUNNING
                                                : !job.logs(1).isEmpty())
                                        .findFirst(),
                                Optional::isPresent)
                        .orElseThrow();
                ProcessHandle.of(Long.parseLong(victim.id())).ifPresent(ProcessHandle::destroyForcibly);
                session.awaitEnd(victim);
                said.addAll(victim.logs(9));
                jobs.remove(victim);
                jobs.addAll(session.start(spec, 1));
            }
        }
        System.out.println("jobs said " + said);
    }

    private static void passOn() {
        try (Fiber fiber = LocalFiber.builder().set("local.gpus", "MIG-b").open()) {
            fiber.processBuilder(GpuPrograms::startInner)
                    .resources(Resources.gpus(1))
                    .start()
                    .join();
        }
    }

    /** Starts a program that knows nothing of the session around it but its variables. */
    private static void startInner() throws Exception {
        List<String> command = new ArrayList<>(MasterJvm.command(
                Path.of(System.getProperty("java.io.tmpdir")), List.of(), GpuPrograms.class, "inner"));
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("exit code " + code);
        }
    }

    private static void inner() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.poolBuilder(1).resources(Resources.gpus(1)).build()) {
            System.out.println("inner worker has "
                    + pool.apply(() -> Fiber.current().currentProcess().gpus().toString()));
        }
    }
}
