// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Submission;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The backend of a simulated session: queues, starts that fail or hang, outages, ends that are told late or never. */
final class SimulatedCluster implements Backend {

    /**
     * How a cluster behaves.
     *
     * @param queueNs how long a job waits at most
     * @param bootNs how long a worker takes to boot at most
     * @param failedStarts share of starts that fail
     * @param rejections share of submissions that are refused
     * @param tellNs how late an event is told at most
     * @param silentEnds share of ends that the platform never tells by itself
     * @param workers how many jobs run at one time
     */
    record Nature(
            long queueNs,
            long bootNs,
            double failedStarts,
            double rejections,
            long tellNs,
            double silentEnds,
            int workers) {}

    private static final int REFUSALS = 6;
    private static final long LEAST_PATIENCE_NS = 1_000_000_000L;

    private final World world;
    private final Nature nature;
    private final Consumer<SimulatedJob> boot;
    private final List<SimulatedJob> jobs = new ArrayList<>();
    private long outageUntilNs;
    private Runnable wakeMaster = () -> {};
    private int ids;
    private int refusals;
    private long firstRefusalNs;

    /** Creates a cluster; {@code boot} makes the process of a job. */
    SimulatedCluster(World world, Nature nature, Consumer<SimulatedJob> boot) {
        this.world = world;
        this.outageUntilNs = world.nowNs();
        this.nature = nature;
        this.boot = boot;
    }

    Nature nature() {
        return nature;
    }

    /** The platform does not answer for a while; jobs run on. */
    void outage(long forNs) {
        outageUntilNs = Math.max(outageUntilNs, world.nowNs() + forNs);
    }

    /** Returns how long it will be until the platform answers. */
    long outageLeftNs() {
        return Math.max(0, outageUntilNs - world.nowNs());
    }

    /** Returns the jobs that have not ended. */
    List<SimulatedJob> living() {
        jobs.removeIf(SimulatedJob::isOver);
        return List.copyOf(jobs);
    }

    /** Tells whether every job has ended. */
    boolean isEmpty() {
        for (SimulatedJob job : jobs) {
            if (!job.isOver()) {
                return false;
            }
        }
        return true;
    }

    /** Says who is to look when something was told. */
    void onNews(Runnable waker) {
        wakeMaster = waker;
    }

    void wakeMaster() {
        wakeMaster.run();
    }

    void boot(SimulatedJob job) {
        boot.accept(job);
    }

    @Override
    public CallerHost callerHost() {
        return CallerHost.sameHost();
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        if (outageLeftNs() > 0) {
            refused();
            throw new BackendUnavailableException("The platform does not answer.");
        }
        if (world.chance(nature.rejections)) {
            throw new JobRejectedException("The platform takes no such job.");
        }
        refusals = 0;
        List<Job> taken = new ArrayList<>();
        for (Submission.Instance instance : submission.instances()) {
            SimulatedJob job = new SimulatedJob(world, this, instance, listener);
            job.enter("job-" + ++ids);
            jobs.add(job);
            taken.add(job);
        }
        return taken;
    }

    /** Whoever is refused waits longer and longer. */
    private void refused() {
        if (refusals++ == 0) {
            firstRefusalNs = world.nowNs();
        }
        world.require(
                refusals < REFUSALS + nature.workers || world.nowNs() - firstRefusalNs >= LEAST_PATIENCE_NS,
                () -> refusals + " submissions within " + (world.nowNs() - firstRefusalNs) / 1_000_000
                        + " ms, and the platform does not answer");
    }

    @Override
    public void close() {
        living().forEach(SimulatedJob::vanish);
    }
}
