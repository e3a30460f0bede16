// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The jobs of runs on a simulated platform.
 *
 * @param leaving hands the jobs of a backend over, and returns whether it did
 */
record SimulatedRuns(SimulatedPlatform platform, BooleanSupplier leaving) implements DetachedJobs {

    private static final long LOOK_AGAIN_NS = 1_000_000;

    @Override
    public boolean handOver() {
        return leaving.getAsBoolean();
    }

    @Override
    public List<DetachedJob> all() {
        platform.checkReachable("list the jobs of runs");
        return platform.jobs().stream()
                .filter(SimulatedJob::isOfARun)
                .map(SimulatedJob::asDetached)
                .toList();
    }

    @Override
    public void copyLog(DetachedJob job, Until until, OutputStream to) throws IOException {
        SimulatedJob found = find(job)
                .orElseThrow(() -> new BackendException("The simulated platform has no job '" + job.id() + "'."));
        int copied = 0;
        boolean isOver;
        do {
            // Asked first, so that the last output is not missed.
            isOver = until == Until.NOW || found.termination().isPresent();
            List<String> lines = found.logs(Integer.MAX_VALUE);
            for (String line : lines.subList(copied, lines.size())) {
                to.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
            copied = lines.size();
            LockSupport.parkNanos(LOOK_AGAIN_NS);
        } while (!isOver);
    }

    @Override
    public void end(DetachedJob job, Ending ending) {
        platform.checkReachable("end job '" + job.name() + "'");
        find(job).ifPresent(found -> {
            if (ending == Ending.ASKED) {
                found.askToEnd();
            } else {
                found.cancel(Duration.ZERO);
            }
        });
    }

    private Optional<SimulatedJob> find(DetachedJob job) {
        return platform.jobs().stream()
                .filter(each -> each.id().equals(job.id()))
                .findFirst();
    }
}
