// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.Options;
import io.fiber.spi.backend.Job;
import io.fiber.tck.backend.BackendFixture;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A real cluster as a program sees it that is a job itself, and whose jobs are steps of that one. Slurm keeps no comment of a
 * step, and takes the place of none but by that of the whole job, the program included.
 */
public final class StepsFixture extends SlurmFixture {

    @Override
    public Options options() {
        return options(
                Map.of(SiteOptions.DIRECTORY, directory().resolve("shared").toString()));
    }

    @Override
    public Optional<Class<? extends BackendFixture>> masterFixture() {
        return Optional.of(StepsFixture.class);
    }

    @Override
    public Optional<Consumer<Job>> killer() {
        return Optional.of(job -> Cluster.run("scancel", "--signal=KILL", stepOf(job)));
    }

    /** The backend names a step by its job and its name, Slurm by its job and a number. */
    private static String stepOf(Job job) {
        String[] name = job.id().split("\\.", 2);
        return Cluster.run("squeue", "-h", "-s", "-j", name[0], "-o", "%i %j")
                .lines()
                .map(line -> line.strip().split(" ", 2))
                .filter(step -> step[1].equals(name[1]))
                .map(step -> step[0])
                .findFirst()
                .orElseThrow();
    }

    /** As many as its job has places for: further ones are jobs of their own, which wait for the nodes that this job holds. */
    @Override
    public int manyJobs() {
        return 12;
    }

    /** They are jobs of their own, too. */
    @Override
    public boolean hasRoomForRuns() {
        return false;
    }

    /** Slurm suspends whole jobs. */
    @Override
    public Optional<Suspension> suspension() {
        return Optional.empty();
    }

    @Override
    public Optional<String> hostOf(Job job) {
        return Optional.empty();
    }

    @Override
    public Optional<Consumer<Job>> preempter() {
        return Optional.empty();
    }

    @Override
    public Optional<Fullness> fullness() {
        return Optional.empty();
    }

    @Override
    public Optional<Map<String, String>> labelsOf(Job job) {
        return Optional.empty();
    }
}
