// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodReadingTest {

    private final PodPlan plan = PodRenderingTest.plan(
            JobSpec.builder(new Program.Command(List.of("tool"))).resources(Resources.memory("64m")),
            Map.of("image", "tools:7"));

    private PodReading read(String status) {
        return read("{name: p}", status);
    }

    private PodReading read(String metadata, String status) {
        return PodReading.of(pod(metadata, status), plan, Optional.empty());
    }

    private static Pod pod(String metadata, String status) {
        return new KubernetesSerialization()
                .unmarshal("kind: Pod\napiVersion: v1\nmetadata: " + metadata + "\nspec: {nodeName: node-1}\nstatus: "
                        + status);
    }

    private JobTermination end(String status) {
        return ((PodReading.Ended) read(status)).termination();
    }

    private static String worker(String state) {
        return "containerStatuses: [{name: sidecar, state: {running: {}}}, {name: worker, state: {" + state + "}}]";
    }

    @Test
    void schedulersWordsAreWhyAJobWaits() {
        assertThat(read("{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable,"
                        + " message: '0/2 nodes are available: 2 Insufficient nvidia.com/gpu.'}]}"))
                .isEqualTo(new PodReading.Waiting(
                        "Unschedulable: 0/2 nodes are available: 2 Insufficient nvidia.com/gpu."));
        assertThat(read("{phase: Pending}")).isEqualTo(new PodReading.Nothing());
        assertThat(read("{phase: Pending, " + worker("waiting: {reason: ContainerCreating}") + "}"))
                .isEqualTo(new PodReading.Nothing());
    }

    @Test
    void podThatIsPreparedSaysHowFarItIs() {
        String init = "{phase: Pending, initContainerStatuses: [{name: %s, state: {running: {}}}]}";
        String ready = "{conditions: [{type: PodReadyToStartContainers, status: '%s'}]}";

        assertThat(preparation("{phase: Pending}", "FailedMount: no such map"))
                .isEqualTo("the node 'node-1' prepares its volumes, network and containers; FailedMount: no such map");
        assertThat(preparation(ready.formatted("False"), "Pulling: an image"))
                .isEqualTo("the node 'node-1' prepares its volumes and network; Pulling: an image");
        assertThat(preparation(ready.formatted("True"), ""))
                .isEqualTo("the node 'node-1' prepares its containers; 'kubectl describe pod p' may say what it waits"
                        + " for");
        assertThat(preparation(init.formatted("class-path"), "Started: class-path"))
                .isEqualTo("the pod fetches the class path");
        assertThat(preparation(init.formatted("mine"), ""))
                .isEqualTo("the init container 'mine' of the pod template runs");
    }

    private static String preparation(String status, String event) {
        return PodReading.preparation(
                pod("{name: p}", status), Optional.of(event).filter(each -> !each.isEmpty()));
    }

    @Test
    void startedProgramRunsOnItsNode() {
        assertThat(read("{phase: Running, " + worker("running: {}") + "}")).isEqualTo(new PodReading.Running("node-1"));
    }

    @Test
    void imageThatIsNotThereEndsTheJobWithTheRegistrysWords() {
        JobTermination end = end("{phase: Pending, initContainerStatuses: [{name: class-path, state: {waiting: {reason:"
                + " ErrImagePull, message: 'pull of tools:7: manifest unknown'}}}]}");

        assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
        assertThat(end.detail())
                .isEqualTo("FBR-173 The image 'tools:7' (from fiber.kubernetes.image) cannot be pulled by the node:"
                        + " ErrImagePull: pull of tools:7: manifest unknown. Correct its name in"
                        + " fiber.kubernetes.image, or name the secret with the registry's login in"
                        + " fiber.kubernetes.pull-secrets.");
    }

    @Test
    void registryThatDoesNotAnswerIsWaitedFor() {
        PodReading.Waiting refused =
                new PodReading.Waiting("ErrImagePull: dial tcp 10.0.0.1:443: connect: connection refused", true);
        assertThat(read("{phase: Pending, "
                        + worker("waiting: {reason: ErrImagePull, message: 'dial tcp 10.0.0.1:443: connect: connection"
                                + " refused'}")
                        + "}"))
                .isEqualTo(refused);
        assertThat(readAgain(refused)).isEqualTo(refused);
    }

    /** A node may use the word before the image is fetched, for example in an event. */
    @Test
    void onlyAnEarlierFailureToFetchTheImageExplainsTheNextAttempt() {
        PodReading.Waiting other = new PodReading.Waiting("ErrImagePull: in a text about something else");

        assertThat(readAgain(other)).isEqualTo(new PodReading.Waiting("ErrImagePull: Back-off pulling image", true));
    }

    private PodReading readAgain(PodReading.Waiting earlier) {
        String status = "{phase: Pending, "
                + worker("waiting: {reason: ImagePullBackOff, message: 'Back-off pulling image'}") + "}";
        return PodReading.of(pod("{name: p}", status), plan, Optional.of(earlier));
    }

    @ParameterizedTest
    @CsvSource({
        "DeadlineExceeded, TIME_LIMIT",
        "Evicted, PREEMPTED",
        "NodeLost, NODE_LOST",
        "Preempting, PREEMPTED",
        "Terminated, PREEMPTED",
        "OutOfcpu, NO_ROOM",
        "OutOfmemory, NO_ROOM",
        "UnexpectedAdmissionError, START_FAILED"
    })
    void platformsReasonBecomesACauseWithItsWords(String reason, EndCause cause) {
        JobTermination end = end("{phase: Failed, reason: " + reason + ", message: why it was}");

        assertThat(end.cause()).isEqualTo(cause);
        assertThat(end.detail()).contains(reason + ": why it was");
    }

    @Test
    void memoryIsNamedWhenItWasTooLittle() {
        JobTermination end = end("{phase: Failed, " + worker("terminated: {reason: OOMKilled, exitCode: 137}") + "}");

        assertThat(end.describe())
                .isEqualTo("out of memory (exit code 137): the pod used more than its limit of 64 MiB; ask for more"
                        + " memory,"
                        + " or set fiber.kubernetes.memory");
    }

    @Test
    void violationOfPodSecurityThatNamesTheUserIsAnsweredAsOne() {
        assertThat(Advice.on(
                        "pods \"p\" is forbidden: violates PodSecurity \"restricted:latest\": runAsNonRoot != true"))
                .isEqualTo("Set what the namespace's Pod Security Standard requires in fiber.kubernetes.pod-template.");
    }

    @Test
    void memoryOfAJavaProgramIsSaidWithItsParts() {
        String parts = "320 MiB: heap 64 MiB, 192 MiB beside it, 64 MiB of /dev/shm";
        Program.Java java = new Program.Java(Optional.empty(), List.of(), List.of(), List.of(), "a.B", List.of());
        PodPlan asking = PodRenderingTest.plan(JobSpec.builder(java).resources(Resources.memory("64m")), Map.of());
        PodPlan unlimited = PodRenderingTest.plan(JobSpec.builder(java), Map.of());
        String quota = "exceeded quota: few, requested: limits.memory=335544320, used: limits.memory=0";
        String unschedulable = "Unschedulable: 0/2 nodes are available: 2 Insufficient memory";

        assertThat(Advice.onMemory(asking))
                .isEqualTo("the pod used more than its limit of " + parts
                        + "; ask for more memory, or set fiber.kubernetes.memory");
        assertThat(Advice.onMemory(unlimited)).startsWith("the pod used more than its limit; ask for more memory");
        assertThat(Advice.onWaiting(quota, asking)).isEqualTo(quota + "; the pod's memory is " + parts);
        assertThat(Advice.onWaiting(quota, unlimited)).isEqualTo(quota);
        assertThat(Advice.onWaiting("exceeded quota: few, requested: pods=1", asking))
                .isEqualTo("exceeded quota: few, requested: pods=1");
        assertThat(Advice.onPod("maximum memory usage per Container is 100Mi, but limit is 335544320", asking))
                .isEqualTo("Ask for what the namespace's LimitRange allows. The pod's memory is " + parts + ".");
        assertThat(PodReading.of(
                        pod(
                                "{name: p}",
                                "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason:"
                                        + " Unschedulable, message: '0/2 nodes are available: 2 Insufficient"
                                        + " memory.'}]}"),
                        asking,
                        Optional.empty()))
                .isEqualTo(new PodReading.Waiting(unschedulable + "; the pod's memory is " + parts));
    }

    /** A session that looks for the runs of others does not know what they asked for. */
    @Test
    void memoryOfADetachedPodIsThatOfThePodItself() {
        Pod pod = pod("{name: p}", "{phase: Failed, " + worker("terminated: {reason: OOMKilled, exitCode: 137}") + "}");
        pod.getSpec()
                .setContainers(List.of(new ContainerBuilder()
                        .withName(Template.WORKER)
                        .withImage("tools:7")
                        .withNewResources()
                        .addToLimits("memory", new Quantity("320Mi"))
                        .endResources()
                        .build()));

        assertThat(DetachedPods.state(pod, plan.setting()).words())
                .contains("the pod used more than its limit of 320 MiB; ask for more memory");
    }

    @Test
    void endOfAProgramIsItsExitCode() {
        assertThat(end("{phase: Succeeded, " + worker("terminated: {reason: Completed, exitCode: 0}") + "}"))
                .isEqualTo(JobTermination.exited(0));
        assertThat(end("{phase: Running, " + worker("terminated: {reason: Error, exitCode: 3}") + "}"))
                .isEqualTo(JobTermination.exited(3));
        assertThat(end("{phase: Failed, " + worker("terminated: {reason: Error, exitCode: 137}") + "}")
                        .describe())
                .isEqualTo("signalled (exit code 137): signal 9");
    }

    /** A busy node tells so after a pod was deleted, with an exit code that is none of the program's. */
    @ParameterizedTest
    @CsvSource({"ContainerStatusUnknown, 137", "Unknown, 255"})
    void deletedPodWhoseNodeHasForgottenTheContainerIsPreempted(String reason, int code) {
        String forgotten = "{phase: Failed, "
                + worker("terminated: {reason: " + reason + ", exitCode: " + code
                        + ", message: The container could not be located}")
                + "}";

        JobTermination deleted = ((PodReading.Ended)
                        read("{name: p, deletionTimestamp: '2026-01-01T00:00:00Z'}", forgotten))
                .termination();
        assertThat(deleted.cause()).isEqualTo(EndCause.PREEMPTED);
        assertThat(deleted.exitCode()).isEmpty();
        assertThat(deleted.detail())
                .isEqualTo("the pod was deleted from outside, and the node has forgotten the container: " + reason
                        + ": The container could not be located");
        assertThat(end(forgotten))
                .isEqualTo(JobTermination.lost(
                        "the node has forgotten the container: " + reason + ": The container could not be located"));
    }

    /** A busy node may as well say of a container that ran that it was never started. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "terminated: {reason: Error, exitCode: 143} | the pod was deleted from outside",
                "terminated: {reason: StartError, exitCode: 128, message: context canceled}"
                        + " | the pod was deleted from outside, and FBR-177 The cluster could not start the pod:"
                        + " StartError: context canceled",
                "waiting: {reason: PodInitializing} | the pod was deleted from outside, and FBR-177"
            })
    void deletedPodIsPreemptedWhateverItsNodeSaysOfTheStart(String state, String detail) {
        String status = "{phase: Failed, " + worker(state) + "}";

        JobTermination deleted =
                ((PodReading.Ended) read("{name: p, deletionTimestamp: '2026-01-01T00:00:00Z'}", status)).termination();

        assertThat(deleted.cause()).isEqualTo(EndCause.PREEMPTED);
        assertThat(deleted.detail()).startsWith(detail);
        assertThat(end(status).cause()).isNotEqualTo(EndCause.PREEMPTED);
    }

    @Test
    void deletedPodWhoseProgramEndedByItselfHasItsExitCode() {
        JobTermination end = ((PodReading.Ended) read(
                        "{name: p, deletionTimestamp: '2026-01-01T00:00:00Z'}",
                        "{phase: Failed, " + worker("terminated: {reason: Error, exitCode: 3}") + "}"))
                .termination();

        assertThat(end).isEqualTo(JobTermination.exited(3));
    }

    @Test
    void missingProgramIsNamed() {
        JobTermination end = end("{phase: Failed, "
                + worker("terminated: {reason: StartError, exitCode: 128, message: 'exec: \"tool\": executable file not"
                        + " found in $PATH'}")
                + "}");

        assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
        assertThat(end.detail())
                .startsWith(
                        "FBR-174 The image 'tools:7' (from fiber.kubernetes.image) has no program 'tool' that can be"
                                + " run: StartError: exec: \"tool\": executable file not found in $PATH. Expected an"
                                + " image with that"
                                + " program.");
    }

    @Test
    void classPathThatDidNotArriveIsSaid() {
        JobTermination end =
                end("{phase: Failed, initContainerStatuses: [{name: class-path, state: {terminated: {reason:"
                        + " Error, exitCode: 3, message: 'The class path could not be fetched: connect timed out'}}}],"
                        + " containerStatuses: [{name: worker, state: {waiting: {reason: PodInitializing}}}]}");

        assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
        assertThat(end.detail())
                .startsWith(
                        "FBR-178 The pod could not fetch the class path from this program: Error: The class path could"
                                + " not be fetched: connect timed out. Pods must reach the address of"
                                + " fiber.kubernetes.address by"
                                + " TCP");
    }

    /** What the container says about its cache is for people; its exit code counts. */
    @Test
    void cacheOfClassPathsThatCannotBeWrittenIsSaid() {
        JobTermination end =
                end("{phase: Failed, initContainerStatuses: [{name: class-path, state: {terminated: {reason:"
                        + " Error, exitCode: 4, message: 'No space left on device'}}}],"
                        + " containerStatuses: [{name: worker, state: {waiting: {reason: PodInitializing}}}]}");

        assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
        assertThat(end.detail())
                .isEqualTo("FBR-178 The pod could not keep the class path in '' (fiber.kubernetes.class-path-cache):"
                        + " Error: No space left on device. The volume must have room and be writable for the user of"
                        + " fiber.kubernetes.user.");
    }

    @Test
    void nodeThatHasNotComeRoundToItIsWaitedFor() {
        assertThat(read("{phase: Pending, "
                        + worker("waiting: {reason: CreateContainerConfigError, message: 'failed to sync secret cache:"
                                + " timed"
                                + " out'}")
                        + "}"))
                .isEqualTo(
                        new PodReading.Waiting("CreateContainerConfigError: failed to sync secret cache: timed out"));
        assertThat(end("{phase: Pending, "
                                + worker("waiting: {reason: CreateContainerConfigError, message: 'container has"
                                        + " runAsNonRoot and image will run as root'}")
                                + "}")
                        .detail())
                .isEqualTo("FBR-177 The cluster could not start the pod: CreateContainerConfigError: container has"
                        + " runAsNonRoot and image will run as root. Set fiber.kubernetes.user to the uid:gid"
                        + " of a user that is not root, or to 0:0 if root is intended.");
    }

    /** As Kubernetes 1.29 and later have it, and Istio's and others' sidecars with it. */
    private static String beside(String sidecar, String fetcher, String worker) {
        return "initContainerStatuses: [{name: class-path, state: {" + fetcher + "}}, {name: proxy, state: {" + sidecar
                + "}}], containerStatuses: [{name: worker, state: {" + worker + "}}]";
    }

    @Test
    void sidecarThatRunsOnDoesNotKeepAJobFromEnding() {
        String completed = "terminated: {reason: Completed, exitCode: 0}";
        String status = "{phase: Running, "
                + beside("running: {}", completed, "terminated: {reason: Error, exitCode: 3}") + "}";

        assertThat(end(status)).isEqualTo(JobTermination.exited(3));
        assertThat(read("{phase: Running, " + beside("running: {}", completed, "running: {}") + "}"))
                .isEqualTo(new PodReading.Running("node-1"));
        assertThat(end("{phase: Failed, "
                        + beside("terminated: {reason: Error, exitCode: 143}", completed, completed.replace('0', '4'))
                        + "}"))
                .isEqualTo(JobTermination.exited(4));
    }

    @Test
    void sidecarThatDoesNotStartIsWhyAJobWaits() {
        String completed = "terminated: {reason: Completed, exitCode: 0}";
        assertThat(read("{phase: Pending, "
                        + beside(
                                "waiting: {reason: ImagePullBackOff, message: 'Back-off pulling image proxy:2'}",
                                completed,
                                "waiting: {reason: PodInitializing}")
                        + "}"))
                .isEqualTo(
                        new PodReading.Waiting("the container 'proxy' of the pod template: ImagePullBackOff: Back-off"
                                + " pulling image proxy:2"));
        assertThat(read("{phase: Pending, "
                        + beside(
                                "waiting: {reason: PodInitializing}",
                                "running: {}",
                                "waiting: {reason: PodInitializing}")
                        + "}"))
                .isEqualTo(new PodReading.Nothing());
    }

    @Test
    void initContainerOfTheTemplateThatFailsIsNamed() {
        JobTermination end = end("{phase: Failed, "
                + beside(
                        "terminated: {reason: Error, exitCode: 5, message: no database}",
                        "terminated: {reason: Completed, exitCode: 0}",
                        "waiting: {reason: PodInitializing}")
                + "}");

        assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
        assertThat(end.detail())
                .startsWith(
                        "FBR-177 The cluster could not start the pod: the init container 'proxy' of the pod template"
                                + " ended with exit code 5 (Error): no database.");
    }

    /** That the program is missing is only true of the program's own container. */
    @Test
    void wordsOfAnInitContainerOfTheTemplateAreNotReadAsThoseOfTheProgram() {
        JobTermination end = end("{phase: Failed, "
                + beside(
                        "terminated: {reason: Error, exitCode: 1, message: 'cat: seed: no such file or directory'}",
                        "terminated: {reason: Completed, exitCode: 0}",
                        "waiting: {reason: PodInitializing}")
                + "}");

        assertThat(end.detail())
                .isEqualTo("FBR-177 The cluster could not start the pod: the init container 'proxy' of the pod template"
                        + " ended with exit code 1 (Error): cat: seed: no such file or directory. Correct what it"
                        + " names: an option of fiber.kubernetes.*, the pod template, or what the process asks for.");
    }

    /** Kubernetes 1.26 and later say in a condition why they take a pod. */
    @ParameterizedTest
    @CsvSource({"DeletionByPodGC, NODE_LOST", "PreemptionByScheduler, PREEMPTED", "DeletionByTaintManager, PREEMPTED"})
    void podWhosePlaceIsTakenIsNoFailedStart(String reason, EndCause cause) {
        JobTermination end = end("{phase: Failed, conditions: [{type: DisruptionTarget, status: 'True', reason: "
                + reason + ", message: why it was}], containerStatuses: [{name: worker, state: {running: {}}}]}");

        assertThat(end.cause()).isEqualTo(cause);
        assertThat(end.detail()).isEqualTo(reason + ": why it was");
    }

    @Test
    void deletedPodSaysForWhomItIsWhereTheClusterDoes() {
        JobTermination end = ((PodReading.Ended) read(
                        "{name: p, deletionTimestamp: '2026-01-01T00:00:00Z'}",
                        "{phase: Failed, conditions: [{type: DisruptionTarget, status: 'True', reason:"
                                + " PreemptionByScheduler, message: a more urgent pod}], "
                                + worker("terminated: {reason: Error, exitCode: 143}") + "}"))
                .termination();

        assertThat(end.detail())
                .isEqualTo("the pod was deleted from outside (PreemptionByScheduler: a more urgent pod)");
    }

    @Test
    void gateThatKeepsAPodFromBeingScheduledIsWhyItWaits() {
        assertThat(read("{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: SchedulingGated,"
                        + " message: 'Scheduling is blocked due to non-empty scheduling gates'}]}"))
                .isEqualTo(new PodReading.Waiting(
                        "SchedulingGated: Scheduling is blocked due to non-empty scheduling gates"));
    }

    @Test
    void imageWithoutAShellIsNamedWithWhatTheShellIsFor() {
        JobTermination end = end("{phase: Failed, "
                + worker("terminated: {reason: StartError, exitCode: 128, message: 'exec: \"sh\": executable file not"
                        + " found in $PATH'}")
                + "}");

        assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
        assertThat(end.detail())
                .isEqualTo("FBR-174 The image 'tools:7' (from fiber.kubernetes.image) has no shell 'sh', which runs a"
                        + " program that the cluster is to start again: StartError: exec: \"sh\": executable file not"
                        + " found in $PATH. Name an image that has one, or run the program without restarts.");
    }

    @Test
    void stateOfADetachedJobIsThatOfItsProgram() {
        String sidecarRuns = "{phase: Running, "
                + beside("running: {}", "running: {}", "terminated: {reason: Error, exitCode: 3}") + "}";
        Pod over = pod("{name: p}", sidecarRuns);

        assertThat(DetachedPods.state(over, plan.setting()).words()).isEqualTo("exit code 3");
        assertThat(PodReading.hasEnded(over.getStatus())).isTrue();
        assertThat(DetachedPods.state(
                        pod("{name: p}", "{phase: Running, " + worker("running: {}") + "}"), plan.setting()))
                .satisfies(state -> {
                    assertThat(state.words()).isEqualTo("runs on node-1");
                    assertThat(state.end()).isEmpty();
                });
        assertThat(DetachedPods.state(pod("{name: p}", "{phase: Pending}"), plan.setting())
                        .words())
                .isEqualTo("is being started");
        assertThat(DetachedPods.state(
                                pod(
                                        "{name: p, deletionTimestamp: '2026-01-01T00:00:00Z'}",
                                        "{phase: Running, " + worker("running: {}") + "}"),
                                plan.setting())
                        .words())
                .isEqualTo("is being deleted");
    }
}
