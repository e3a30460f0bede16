// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.process.RemoteWorker;
import io.fiber.spi.backend.Job;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;

/** The workers of a pool as the platform knows them: their names, their jobs, and why these wait. Belongs to the conductor. */
final class WorkerRegister implements ActivitySnapshot.Register, StalledPoolNotifier.Team {

    /** Whose last lines are still to be had. */
    private static final int GREATEST_ENDED_JOBS = 16;

    private final String jobPrefix;
    private final Int2ObjectHashMap<RemoteWorker> hired = new Int2ObjectHashMap<>();
    private final IntHashSet up = new IntHashSet();
    private final ArrayDeque<Job> endedJobs = new ArrayDeque<>();

    /** Creates one without workers; the names of their jobs will begin with {@code jobPrefix}. */
    WorkerRegister(String jobPrefix) {
        this.jobPrefix = jobPrefix;
    }

    void onRegistered(int number, RemoteWorker worker) {
        hired.put(number, worker);
    }

    void onReady(int number) {
        up.add(number);
    }

    void onEnded(int number) {
        up.remove(number);
        RemoteWorker ended = hired.remove(number);
        Job job = ended == null ? null : ended.job();
        if (job != null) {
            endedJobs.add(job);
        }
        if (endedJobs.size() > GREATEST_ENDED_JOBS) {
            endedJobs.remove();
        }
    }

    /** Returns the jobs that have ended last, and those that live. */
    List<Job> jobs() {
        List<Job> jobs = new ArrayList<>(endedJobs);
        for (RemoteWorker worker : hired.values()) {
            Job job = worker.job();
            if (job != null) {
                jobs.add(job);
            }
        }
        return jobs;
    }

    @Override
    public String name(int worker) {
        return jobPrefix + "-" + worker;
    }

    @Override
    public Optional<String> waitsFor(int worker) {
        return Optional.ofNullable(hired.get(worker)).flatMap(RemoteWorker::waitsFor);
    }

    @Override
    public boolean isAwaited() {
        return up.isEmpty() && !hired.isEmpty();
    }

    @Override
    public List<StalledPoolNotifier.Reason> reasons() {
        List<StalledPoolNotifier.Reason> reasons = new ArrayList<>();
        for (RemoteWorker worker : hired.values()) {
            worker.waitsFor().ifPresent(words -> reasons.add(new StalledPoolNotifier.Reason(worker.name(), words)));
        }
        return reasons;
    }
}
