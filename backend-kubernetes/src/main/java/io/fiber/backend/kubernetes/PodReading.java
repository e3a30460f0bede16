// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fiber.backend.kubernetes.boot.Fetch;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.JobTermination;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Interprets a pod's status as the state of its job. */
sealed interface PodReading {

    /** Nothing to report. */
    record Nothing() implements PodReading {}

    /**
     * The job waits, for the reason that the cluster gives.
     *
     * @param isForImage whether it waits for its image, whose fetching failed and is tried again
     */
    record Waiting(String reason, boolean isForImage) implements PodReading {

        /** Creates the state of a job that does not wait for an image. */
        Waiting(String reason) {
            this(reason, false);
        }
    }

    /** The program has been started on a node. */
    record Running(String node) implements PodReading {}

    /** The job has ended. */
    record Ended(JobTermination termination) implements PodReading {}

    /** Why a pod ended that this program did not delete. */
    String DELETED = "the pod was deleted from outside";

    /** The reason of a container that used more memory than its limit. */
    String OUT_OF_MEMORY = "OOMKilled";

    /** Reasons of a waiting container that will never run. */
    Set<String> HOPELESS = Set.of(
            "CreateContainerConfigError",
            "CreateContainerError",
            "RunContainerError",
            "StartError",
            "ContainerCannotRun");

    /** Reasons of a node for a container that it no longer finds; the exit code beside them is not the program's. */
    Set<String> FORGOTTEN = Set.of("ContainerStatusUnknown", "Unknown");

    /** Messages of a registry that another attempt does not change. */
    Pattern FINAL_PULL = Pattern.compile(
            "not found|manifest unknown|denied|unauthorized|forbidden|does not exist|no such image|no match for platform"
                    + "|invalid reference|not authorized",
            Pattern.CASE_INSENSITIVE);

    /** Messages of an overloaded node, which will pass. */
    Pattern PASSING = Pattern.compile("timed out|timeout|deadline exceeded|cache", Pattern.CASE_INSENSITIVE);

    /**
     * Interprets a pod.
     *
     * @param earlier the last interpretation as waiting; empty if there is none
     */
    static PodReading of(Pod pod, PodPlan plan, Optional<Waiting> earlier) {
        PodStatus status = pod.getStatus();
        if (status == null) {
            return new Nothing();
        }
        PodReading reading = of(pod, status, plan, earlier);
        return reading instanceof Ended ended && pod.getMetadata().getDeletionTimestamp() != null
                ? new Ended(afterDeletion(
                        ended.termination(),
                        DELETED
                                + disruption(status)
                                        .map(each -> " (" + wordsOf(each) + ")")
                                        .orElse("")))
                : reading;
    }

    /** Returns the condition in which newer clusters say why they evict a pod. */
    private static Optional<PodCondition> disruption(PodStatus status) {
        return status.getConditions().stream()
                .filter(each -> "DisruptionTarget".equals(each.getType()) && "True".equals(each.getStatus()))
                .findFirst();
    }

    /** A deletion ends a program by a signal, but a node that has lost track of it may report that it never started. */
    private static JobTermination afterDeletion(JobTermination end, String deleted) {
        return switch (end.cause()) {
            case SIGNALLED -> JobTermination.failed(EndCause.PREEMPTED, end.exitCode(), deleted);
            case START_FAILED, UNKNOWN ->
                JobTermination.failed(EndCause.PREEMPTED, OptionalInt.empty(), deleted + ", and " + end.detail());
            default -> end;
        };
    }

    private static PodReading of(Pod pod, PodStatus status, PodPlan plan, Optional<Waiting> earlier) {
        Optional<ContainerState> worker = stateOf(status.getContainerStatuses(), Template.WORKER);
        Optional<ContainerStateTerminated> end =
                worker.map(ContainerState::getTerminated).map(each -> Restarts.ofProgram(pod, each));
        if ("Failed".equals(status.getPhase()) && status.getReason() != null) {
            return new Ended(endByPlatform(status, end, plan));
        }
        if (end.isPresent() && FORGOTTEN.contains(String.valueOf(end.get().getReason()))) {
            return new Ended(JobTermination.lost("the node has forgotten the container: "
                    + end.get().getReason() + ": " + words(end.get().getMessage())));
        }
        if (end.isPresent()) {
            return new Ended(ended(end.get(), plan));
        }
        if ("Failed".equals(status.getPhase())) {
            return new Ended(
                    disruption(status).map(PodReading::endByDisruption).orElseGet(() -> endBeforeStart(status, plan)));
        }
        if (worker.map(ContainerState::getRunning).isPresent()) {
            return new Running(String.valueOf(pod.getSpec().getNodeName()));
        }
        return waiting(status, worker, plan, earlier);
    }

    /** Returns whether the container of the program has ended. */
    static boolean hasEnded(PodStatus status) {
        return stateOf(status.getContainerStatuses(), Template.WORKER)
                .map(ContainerState::getTerminated)
                .isPresent();
    }

    /** Returns whether a Job of the API creates another pod in place of this one, as often as it may. */
    static boolean isReplaced(PodStatus status) {
        return "Failed".equals(status.getPhase())
                || stateOf(status.getContainerStatuses(), Template.WORKER)
                        .map(ContainerState::getTerminated)
                        .filter(PodReading::isFailure)
                        .isPresent();
    }

    /** Returns when the program's container started; empty if it is still waiting. */
    static Optional<Instant> started(PodStatus status) {
        return stateOf(status.getContainerStatuses(), Template.WORKER)
                .map(state -> state.getRunning() != null
                        ? state.getRunning().getStartedAt()
                        : state.getTerminated() != null ? state.getTerminated().getStartedAt() : null)
                .map(Instant::parse);
    }

    private static Optional<ContainerState> stateOf(List<ContainerStatus> statuses, String name) {
        return statuses.stream()
                .filter(each -> name.equals(each.getName()))
                .findFirst()
                .map(ContainerStatus::getState);
    }

    private static JobTermination endByPlatform(
            PodStatus status, Optional<ContainerStateTerminated> end, PodPlan plan) {
        OptionalInt code = end.map(each -> codeOf(each)).orElse(OptionalInt.empty());
        String words = status.getReason()
                + (status.getMessage() == null || status.getMessage().isBlank()
                        ? ""
                        : ": " + status.getMessage().strip());
        return switch (status.getReason()) {
            case "DeadlineExceeded" -> JobTermination.failed(EndCause.TIME_LIMIT, code, words);
            case "NodeLost" -> JobTermination.failed(EndCause.NODE_LOST, code, words);
            case "Evicted", "Preempting", "Preempted", "Terminated", "Shutdown", "NodeShutdown" ->
                JobTermination.failed(EndCause.PREEMPTED, code, words);
            // A node found less room than the scheduler had counted. The scheduler counts again for the next pod.
            case "OutOfcpu", "OutOfmemory", "OutOfpods", "OutOfephemeral-storage" ->
                JobTermination.failed(EndCause.NO_ROOM, code, words);
            default ->
                end.isPresent()
                        ? ended(end.get(), plan)
                        : JobTermination.failed(EndCause.START_FAILED, code, Advice.onStart(words, plan));
        };
    }

    private static JobTermination ended(ContainerStateTerminated end, PodPlan plan) {
        OptionalInt code = codeOf(end);
        String reason = String.valueOf(end.getReason());
        if (reason.equals(OUT_OF_MEMORY)) {
            return JobTermination.failed(EndCause.OUT_OF_MEMORY, code, Advice.onMemory(plan));
        }
        if (HOPELESS.contains(reason)) {
            return JobTermination.failed(
                    EndCause.START_FAILED, code, Advice.onStart(reason + ": " + words(end.getMessage()), plan));
        }
        return Advice.onExit(code);
    }

    /** The cluster may remove a pod whose node is gone, and so never report how its containers ended. */
    private static JobTermination endByDisruption(PodCondition condition) {
        EndCause cause = "DeletionByPodGC".equals(condition.getReason()) ? EndCause.NODE_LOST : EndCause.PREEMPTED;
        return JobTermination.failed(cause, OptionalInt.empty(), wordsOf(condition));
    }

    private static JobTermination endBeforeStart(PodStatus status, PodPlan plan) {
        Optional<ContainerStateTerminated> fetching = stateOf(status.getInitContainerStatuses(), PodRendering.INIT)
                .map(ContainerState::getTerminated)
                .filter(PodReading::isFailure);
        if (fetching.isEmpty()) {
            return Advice.notStarted(status.getInitContainerStatuses().stream()
                    .filter(each ->
                            each.getState() != null && isFailure(each.getState().getTerminated()))
                    .findFirst()
                    .map(each -> Advice.onTemplate(
                            initFailed(each.getName(), each.getState().getTerminated())))
                    .orElseGet(() -> Advice.onStart(words(status.getMessage()), plan)));
        }
        String reason = String.valueOf(fetching.get().getReason());
        String words = reason + ": " + words(fetching.get().getMessage());
        if (HOPELESS.contains(reason)) {
            return Advice.notStarted(Advice.onStart(words, plan));
        }
        boolean isOfCache =
                Integer.valueOf(Fetch.CACHE_FAILED).equals(fetching.get().getExitCode());
        return Advice.notStarted(isOfCache ? Advice.onCache(plan, words) : Advice.onFetch(words));
    }

    private static boolean isFailure(@Nullable ContainerStateTerminated end) {
        return end != null && !Integer.valueOf(0).equals(end.getExitCode());
    }

    private static String initFailed(String name, ContainerStateTerminated end) {
        String words = words(end.getMessage());
        return "the init container '" + name + "' of the pod template ended with exit code " + end.getExitCode() + " ("
                + end.getReason() + ")" + (words.isEmpty() ? "" : ": " + words);
    }

    private static OptionalInt codeOf(ContainerStateTerminated end) {
        Integer code = end.getExitCode();
        return code == null || code < 0 || code > 255 ? OptionalInt.empty() : OptionalInt.of(code);
    }

    private static PodReading waiting(
            PodStatus status, Optional<ContainerState> worker, PodPlan plan, Optional<Waiting> earlier) {
        Optional<ContainerStateWaiting> waiting = stateOf(status.getInitContainerStatuses(), PodRendering.INIT)
                .map(ContainerState::getWaiting)
                .or(() -> worker.map(ContainerState::getWaiting));
        PodReading ofOwn = waiting.map(each -> stuck(each, plan, earlier)).orElseGet(Nothing::new);
        if (!(ofOwn instanceof Nothing)) {
            return ofOwn;
        }
        Optional<PodReading> ofTemplate = status.getInitContainerStatuses().stream()
                .map(PodReading::stuckOfTemplate)
                .flatMap(Optional::stream)
                .findFirst();
        if (waiting.isPresent() || ofTemplate.isPresent()) {
            return ofTemplate.orElse(ofOwn);
        }
        return status.getConditions().stream()
                .filter(each -> "PodScheduled".equals(each.getType()) && "False".equals(each.getStatus()))
                .findFirst()
                .<PodReading>map(condition -> new Waiting(Advice.onWaiting(wordsOf(condition), plan)))
                .orElseGet(Nothing::new);
    }

    private static String wordsOf(PodCondition condition) {
        return condition.getReason() + ": " + words(condition.getMessage());
    }

    /**
     * Returns what a pod waits for whose containers are not created yet.
     *
     * @param event its last event, in words; empty if it is not known
     */
    static String preparation(Pod pod, Optional<String> event) {
        PodStatus status = pod.getStatus();
        Optional<String> init = Stream.ofNullable(status)
                .flatMap(each -> each.getInitContainerStatuses().stream())
                .filter(each -> each.getState() != null && each.getState().getRunning() != null)
                .map(ContainerStatus::getName)
                .findFirst();
        String state = init.map(name -> name.equals(PodRendering.INIT)
                        ? "the pod fetches the class path"
                        : "the init container '" + name + "' of the pod template runs")
                .orElseGet(() -> pod.getSpec().getNodeName() == null
                        ? "the scheduler has not chosen a node"
                        : "the node '" + pod.getSpec().getNodeName() + "' prepares " + unready(status));
        return state
                + (init.isPresent()
                        ? ""
                        : event.map(words -> "; " + words)
                                .orElse("; 'kubectl describe pod "
                                        + pod.getMetadata().getName() + "' may say what it waits for"));
    }

    /** Newer nodes say when volumes and network are ready. */
    private static String unready(@Nullable PodStatus status) {
        return Stream.ofNullable(status)
                .flatMap(each -> each.getConditions().stream())
                .filter(each -> "PodReadyToStartContainers".equals(each.getType()))
                .findFirst()
                .map(each -> "True".equals(each.getStatus()) ? "its containers" : "its volumes and network")
                .orElse("its volumes, network and containers");
    }

    private static PodReading stuck(ContainerStateWaiting waiting, PodPlan plan, Optional<Waiting> earlier) {
        String reason = String.valueOf(waiting.getReason());
        String words = words(waiting.getMessage());
        return switch (reason) {
            case "PodInitializing", "ContainerCreating" -> new Nothing();
            case "InvalidImageName", "ErrImageNeverPull" -> noImage(plan, reason + ": " + words);
            case "ErrImagePull", "ImagePullBackOff", "RegistryUnavailable", "ImageInspectError" -> {
                // Its message only says that the image is tried again.
                Optional<Waiting> first =
                        earlier.filter(each -> each.isForImage() && reason.equals("ImagePullBackOff"));
                String why = "ErrImagePull: " + words;
                yield first.isPresent()
                        ? first.get()
                        : FINAL_PULL.matcher(words).find() ? noImage(plan, why) : new Waiting(why, true);
            }
            default ->
                HOPELESS.contains(reason) && !PASSING.matcher(words).find()
                        ? new Ended(Advice.notStarted(Advice.onStart(reason + ": " + words, plan)))
                        : new Waiting(reason + (words.isEmpty() ? "" : ": " + words));
        };
    }

    /**
     * Returns the state of an init container of the template, for example a sidecar, that keeps the program from
     * starting.
     */
    private static Optional<PodReading> stuckOfTemplate(ContainerStatus container) {
        return Optional.ofNullable(container.getState())
                .map(ContainerState::getWaiting)
                .filter(each -> !PodRendering.INIT.equals(container.getName()) && !isOnItsWay(each))
                .map(each -> new Waiting("the container '" + container.getName() + "' of the pod template: "
                        + each.getReason()
                        + (words(each.getMessage()).isEmpty() ? "" : ": " + words(each.getMessage()))));
    }

    private static boolean isOnItsWay(ContainerStateWaiting waiting) {
        String reason = String.valueOf(waiting.getReason());
        return reason.equals("PodInitializing") || reason.equals("ContainerCreating");
    }

    private static PodReading noImage(PodPlan plan, String words) {
        return new Ended(Advice.notStarted(Advice.onImage(plan, words)));
    }

    private static String words(String message) {
        return message == null ? "" : message.strip();
    }
}
