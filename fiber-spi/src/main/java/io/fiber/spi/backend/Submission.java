// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.Secret;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A request for jobs that are equal but for their names and their bootstrap bytes.
 *
 * @param spec what every job of it runs
 * @param instances one for each job, at least one
 */
public record Submission(JobSpec spec, List<Instance> instances) {

    /**
     * What one job has for itself.
     *
     * @param name {@code [a-z0-9]([a-z0-9-]*[a-z0-9])?}, at most 63 characters, unique in the session
     * @param bootstrap what the program reads first; empty when it reads nothing
     */
    public record Instance(String name, Secret bootstrap) {
        public Instance {
            requireNonNull(bootstrap, "bootstrap");
            if (!name.matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")) {
                throw new IllegalArgumentException("Job name '" + name
                        + "' must be 1 to 63 characters of a-z, 0-9 and '-', and neither begin nor end with '-'.");
            }
        }
    }

    /**
     * Checks the instances.
     *
     * @throws IllegalArgumentException when there is none or two have one name
     */
    public Submission {
        requireNonNull(spec, "spec");
        instances = List.copyOf(instances);
        if (instances.isEmpty()) {
            throw new IllegalArgumentException("A submission needs at least one instance; there is none.");
        }
        Set<String> names = new HashSet<>();
        for (Instance instance : instances) {
            if (!names.add(instance.name())) {
                throw new IllegalArgumentException("Two jobs of a submission are named '" + instance.name() + "'.");
            }
        }
    }

    /** Returns a submission of one job. */
    public static Submission of(JobSpec spec, String name, Secret bootstrap) {
        return new Submission(spec, List.of(new Instance(name, bootstrap)));
    }
}
