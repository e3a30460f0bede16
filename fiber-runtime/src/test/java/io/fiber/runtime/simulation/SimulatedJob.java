// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.spec.EndCause;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Submission;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** One job of the simulated cluster. */
final class SimulatedJob implements Job {

    private static final long GREATEST_SILENCE_NS = 120_000_000_000L;

    private final World world;
    private final SimulatedCluster cluster;
    private final Submission.Instance instance;
    private final JobListener listener;
    private JobState state = JobState.QUEUED;
    private String id = "";
    private @Nullable SimulatedProcess process;
    private boolean over;
    private boolean cancelled;
    private boolean ended;
    private long lastToldNs;

    SimulatedJob(World world, SimulatedCluster cluster, Submission.Instance instance, JobListener listener) {
        this.world = world;
        this.cluster = cluster;
        this.instance = instance;
        this.listener = listener;
    }

    /** Enters the queue. */
    void enter(String newId) {
        id = newId;
        lastToldNs = world.nowNs();
        world.later(world.between(0, cluster.nature().queueNs()), this::start);
    }

    Submission.Instance instance() {
        return instance;
    }

    /** Tells whether nothing of it runs or will run. */
    boolean isOver() {
        return over;
    }

    @Nullable
    SimulatedProcess process() {
        return process;
    }

    void runs(@Nullable SimulatedProcess started) {
        process = started;
    }

    private void start() {
        if (over) {
            return;
        }
        boolean fails = world.chance(cluster.nature().failedStarts());
        if (fails && world.chance(0.4)) {
            over = true;
            end(JobTermination.failed(EndCause.START_FAILED, OptionalInt.empty(), "no such image"));
            return;
        }
        tell(new JobEvent.Running(this, "node"));
        long bootNs =
                world.between(cluster.nature().bootNs() / 4, cluster.nature().bootNs());
        if (!fails) {
            world.later(bootNs, () -> {
                if (!over) {
                    cluster.boot(this);
                }
            });
        } else if (world.chance(0.8)) {
            world.later(bootNs, () -> exited(1));
        }
        // Else it hangs, and never connects.
    }

    /** Its program has ended by itself. */
    void exited(int code) {
        if (!over) {
            over = true;
            end(JobTermination.exited(code));
        }
    }

    /** Its program was ended by something else. */
    void killed(EndCause cause) {
        if (!over) {
            over = true;
            world.tell(() -> name() + " ended: " + cause);
            SimulatedProcess running = process;
            if (running != null) {
                running.die("killed, " + cause);
            }
            end(JobTermination.failed(cause, OptionalInt.of(137), ""));
        }
    }

    /** The platform forgets it; what runs is gone. */
    void vanish() {
        if (!over) {
            over = true;
            SimulatedProcess running = process;
            if (running != null) {
                running.die("lost by the platform");
            }
            if (!ended) {
                ended = true;
                tellLater(
                        new JobEvent.Ended(this, JobTermination.lost("unknown job id")),
                        world.between(1_000_000, GREATEST_SILENCE_NS));
            }
        }
    }

    /** Tells that the platform will need its place, and takes it. */
    void preempt(long noticeNs) {
        tell(new JobEvent.Preempting(this, "a more important job"));
        world.later(noticeNs, () -> killed(EndCause.PREEMPTED));
    }

    private void end(JobTermination termination) {
        if (!ended) {
            ended = true;
            if (world.chance(cluster.nature().silentEnds())) {
                tellLater(new JobEvent.Ended(this, termination), GREATEST_SILENCE_NS);
            } else {
                tell(new JobEvent.Ended(this, termination));
            }
        }
    }

    private void tell(JobEvent event) {
        tellLater(event, world.between(100_000, cluster.nature().tellNs()));
    }

    /** In order, and not while the platform does not answer. */
    private void tellLater(JobEvent event, long delayNs) {
        long atNs = Math.max(lastToldNs + 1, world.nowNs() + delayNs + cluster.outageLeftNs());
        lastToldNs = atNs;
        world.later(atNs - world.nowNs(), () -> {
            if (event instanceof JobEvent.Ended last) {
                state = last.termination().state();
            } else if (event instanceof JobEvent.Running) {
                state = JobState.RUNNING;
            }
            listener.onEvent(event);
            cluster.wakeMaster();
        });
    }

    @Override
    public String name() {
        return instance.name();
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public JobState state() {
        return state;
    }

    @Override
    public void cancel(Duration grace) {
        if (cancelled) {
            return;
        }
        cancelled = true;
        long graceNs = grace.isZero() ? 0 : world.random().nextLong(grace.toNanos());
        world.later(world.between(100_000, 20_000_000) + cluster.outageLeftNs() + graceNs, () -> {
            if (!over) {
                over = true;
                SimulatedProcess running = process;
                if (running != null) {
                    running.die("cancelled");
                }
                end(JobTermination.cancelled());
            }
        });
    }

    @Override
    public List<String> logs(int lastLines) {
        return List.of("last line of " + name());
    }
}
