// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.fiber.backend.support.DetachedRuns;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.JobTermination;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A run as the cluster shows it.
 *
 * @param job the Job of the API that starts its program again; empty if there is none
 * @param pods its pods in the order of their creation; one, or if it has a Job, any number
 */
record KeptRun(Optional<Job> job, List<Pod> pods) {

    private static final String AGAIN = "waits to be started again";
    private static final Set<String> OVER = Set.of("Complete", "Failed");

    /** Joins Jobs and pods to runs. */
    static List<KeptRun> of(List<Job> jobs, List<Pod> pods) {
        Map<String, Job> jobsById = new TreeMap<>();
        Map<String, List<Pod>> podsById = new TreeMap<>();
        jobs.forEach(job -> {
            jobsById.put(job.getMetadata().getName(), job);
            podsById.put(job.getMetadata().getName(), new ArrayList<>());
        });
        pods.forEach(pod ->
                podsById.computeIfAbsent(idOf(pod), each -> new ArrayList<>()).add(pod));
        List<KeptRun> runs = new ArrayList<>();
        podsById.forEach((id, each) -> runs.add(new KeptRun(
                Optional.ofNullable(jobsById.get(id)),
                each.stream().sorted(Comparator.comparing(KeptRun::created)).toList())));
        return runs;
    }

    /** Returns the id of its job. */
    String id() {
        return job.map(each -> each.getMetadata().getName()).orElseGet(() -> idOf(pods.get(0)));
    }

    /** Returns the id of a pod's job: the name of the pod, or of the Job that created it. */
    static String idOf(Pod pod) {
        if (!Restarts.has(pod.getMetadata())) {
            return pod.getMetadata().getName();
        }
        return pod.getMetadata().getOwnerReferences().stream()
                .filter(each -> "Job".equals(each.getKind()))
                .map(OwnerReference::getName)
                .findFirst()
                .orElse(pod.getMetadata().getName());
    }

    private static Instant created(Pod pod) {
        return Instant.parse(pod.getMetadata().getCreationTimestamp());
    }

    /** Returns whether a Job of the API creates no further pod. */
    static boolean isOver(Job job) {
        return condition(job).isPresent();
    }

    private static Optional<JobCondition> condition(Job job) {
        return Stream.ofNullable(job.getStatus())
                .flatMap(status -> status.getConditions().stream())
                .filter(each -> OVER.contains(each.getType()) && "True".equals(each.getStatus()))
                .findFirst();
    }

    /** Returns the run as a job of its backend. */
    DetachedJob seen(PodPlan.Setting setting) {
        ObjectMeta first = job.map(Job::getMetadata).orElseGet(() -> pods.get(0).getMetadata());
        return DetachedRuns.of(
                first.getLabels(),
                new DetachedRuns.Seen(id(), Instant.parse(first.getCreationTimestamp()), restarts()),
                state(setting));
    }

    /**
     * The Job counts pods that are no longer there, except that Kubernetes before 1.26 forgets a pod that was deleted.
     */
    private int restarts() {
        int counted = job.map(Job::getStatus).map(KeptRun::counted).orElse(0);
        return Math.max(0, Math.max(counted, pods.size()) - 1);
    }

    private static int counted(JobStatus status) {
        return Stream.of(status.getActive(), status.getFailed(), status.getSucceeded())
                .mapToInt(each -> Optional.ofNullable(each).orElse(0))
                .sum();
    }

    /** Returns the state of the newest pod, or that of the Job if that pod is not the last one. */
    DetachedRuns.State state(PodPlan.Setting setting) {
        Optional<Pod> newest = pods.isEmpty() ? Optional.empty() : Optional.of(pods.get(pods.size() - 1));
        if (job.isEmpty()) {
            return DetachedPods.state(newest.orElseThrow(), setting);
        }
        Optional<JobCondition> over = condition(job.get());
        if (over.isPresent()) {
            return DetachedRuns.State.ended(lastEnd(setting).orElseGet(() -> endOf(over.get())));
        }
        if (job.get().getMetadata().getDeletionTimestamp() != null) {
            return DetachedRuns.State.open("is being deleted");
        }
        if (newest.isEmpty()) {
            return DetachedRuns.State.open("waits for its pod; 'kubectl describe job "
                    + job.get().getMetadata().getName() + "' may say why");
        }
        boolean isDeleted = newest.get().getMetadata().getDeletionTimestamp() != null
                && !PodReading.hasEnded(newest.get().getStatus());
        boolean isReplaced = isDeleted || PodReading.isReplaced(newest.get().getStatus());
        if (isReplaced) {
            return DetachedRuns.State.open(AGAIN);
        }
        DetachedRuns.State state = DetachedPods.state(newest.get(), setting);
        // A pod that cannot start stays while its Job does, and may start yet.
        boolean isWaiting = "Pending".equals(newest.get().getStatus().getPhase());
        return isWaiting && state.end().isPresent() ? DetachedRuns.State.open("waits: " + state.words()) : state;
    }

    /** Returns how the newest pod ended that has ended. */
    private Optional<JobTermination> lastEnd(PodPlan.Setting setting) {
        return pods.stream()
                .map(pod -> DetachedPods.state(pod, setting).end())
                .flatMap(Optional::stream)
                .reduce((earlier, later) -> later);
    }

    private static JobTermination endOf(JobCondition over) {
        return JobTermination.lost(
                over.getType().equals("Complete")
                        ? "its last pod is gone, and with it the exit code"
                        : over.getReason() + ": " + over.getMessage());
    }
}
