// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/** The jobs of runs of the simulated platform, with one bug. */
record BrokenRuns(DetachedJobs real, String sessionId, BackendBug bug) implements DetachedJobs {

    @Override
    public boolean handOver() {
        return bug == BackendBug.RUNS_ARE_NOT_HANDED_OVER || real.handOver();
    }

    @Override
    public List<DetachedJob> all() {
        return real.all().stream()
                .filter(job -> bug != BackendBug.RUNS_OF_ITS_OWN_SESSION
                        || job.sessionId().equals(sessionId))
                .filter(job ->
                        bug != BackendBug.ENDED_RUNS_ARE_FORGOTTEN || job.end().isEmpty())
                .map(job -> bug == BackendBug.CODES_OF_RUNS_ARE_LOST
                        ? with(job, job.restarts(), job.end().map(known -> JobTermination.lost("nobody knows")))
                        : job)
                .map(job -> bug == BackendBug.RESTARTS_ARE_NOT_SEEN ? with(job, 0, job.end()) : job)
                .toList();
    }

    private static DetachedJob with(DetachedJob job, int restarts, Optional<JobTermination> end) {
        return new DetachedJob(
                job.run(),
                job.user(),
                job.sessionId(),
                job.id(),
                job.name(),
                job.submitted(),
                restarts,
                job.state(),
                end);
    }

    @Override
    public void copyLog(DetachedJob job, Until until, OutputStream to) throws IOException {
        real.copyLog(job, bug == BackendBug.LOGS_OF_RUNS_ARE_NOT_FOLLOWED ? Until.NOW : until, to);
    }

    @Override
    public void end(DetachedJob job, Ending ending) {
        boolean hasEnded = real.all().stream()
                .anyMatch(each -> each.id().equals(job.id()) && each.end().isPresent());
        if (bug == BackendBug.END_OF_AN_ENDED_RUN_THROWS && hasEnded) {
            throw new BackendException("there is no job " + job.id());
        }
        if ((bug == BackendBug.RUNS_ARE_NOT_ASKED && ending == Ending.ASKED)
                || (bug == BackendBug.RESTARTED_RUNS_ARE_NOT_ENDED && job.restarts() > 0)) {
            return;
        }
        real.end(job, bug == BackendBug.RUNS_ARE_ONLY_ASKED ? Ending.ASKED : ending);
    }
}
