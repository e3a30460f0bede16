// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A request for jobs that are equal except for their names and their bootstrap bytes.
 *
 * @param spec what every job runs
 * @param instances one for each job; at least one
 */
public record Submission(JobSpec spec, List<Instance> instances) {

    /**
     * What belongs to a single job.
     *
     * @param name {@code [a-z0-9]([a-z0-9-]*[a-z0-9])?}, at most 63 characters, unique in the session
     * @param bootstrap what the program reads first; empty if it reads nothing
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
     * @throws IllegalArgumentException if there is none, or if two have the same name
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

    /**
     * Rejects this submission if it needs a capability that the backend does not offer. A backend that calls this first
     * in its {@code submit} ignores no request.
     *
     * @param backend the backend's name
     * @param offered the capabilities that its provider declares
     * @throws JobRejectedException FBR-106 with the first capability that is missing, and the field that needs it
     */
    public void requireOffered(String backend, Set<Capability> offered) {
        for (Capability capability : Capability.values()) {
            String field = offered.contains(capability) ? "" : fieldThatNeeds(capability);
            if (!field.isEmpty()) {
                throw new JobRejectedException("FBR-106 Process '"
                        + instances.get(0).name() + "' needs " + capability
                        + " (" + field + "); backend '" + backend
                        + "' does not offer it. Leave it out, or choose a backend that offers " + capability + ".");
            }
        }
    }

    /** Returns the field with its value; empty if the spec does not need the capability. */
    private String fieldThatNeeds(Capability capability) {
        Resources resources = spec.resources();
        return switch (capability) {
            case CONSOLE -> spec.output() instanceof JobOutput.Console ? "output=console" : "";
            case CPU_LIMIT ->
                resources.cpus().isPresent() ? "cpus=" + resources.cpus().getAsDouble() : "";
            case MEMORY_LIMIT ->
                resources.memoryBytes().isPresent()
                        ? "memoryBytes=" + resources.memoryBytes().getAsLong()
                        : "";
            case GPU -> resources.gpus() > 0 ? "gpus=" + resources.gpus() : "";
            case IMAGE -> spec.image().isPresent() ? "image=" + spec.image().get() : "";
            case VOLUMES -> spec.volumes().isEmpty() ? "" : "volumes=" + spec.volumes();
            case TIME_LIMIT ->
                spec.timeLimit().isPresent() ? "timeLimit=" + spec.timeLimit().get() : "";
            case RESTARTS -> spec.restarts() > 0 ? "restarts=" + spec.restarts() : "";
            case WORKING_DIRECTORY ->
                spec.workingDirectory().isPresent()
                        ? "workingDirectory=" + spec.workingDirectory().get()
                        : "";
            case LOGS, LABELS, SHARED_FILES, PREEMPTION_NOTICE -> "";
        };
    }
}
