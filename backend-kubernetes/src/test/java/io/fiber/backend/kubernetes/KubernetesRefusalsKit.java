// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.tck.backend.BackendFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a namespace does not allow, or no longer. {@link KubernetesClusterTest} runs it beside a real cluster. */
class KubernetesRefusalsKit {

    private static final String NAMESPACE = "fiber-kit";

    @TempDir
    Path directory;

    private KitCluster cluster;

    @BeforeEach
    void makeNamespace() {
        cluster = new KitCluster();
        cluster.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        await().until(() -> cluster.client()
                        .serviceAccounts()
                        .inNamespace(NAMESPACE)
                        .withName("default")
                        .get()
                != null);
    }

    @AfterEach
    void removeNamespace() {
        try (KitCluster closing = cluster) {
            closing.client().namespaces().withName(NAMESPACE).delete();
            await().atMost(KubernetesFixture.LEFT_LIMIT)
                    .until(() ->
                            closing.client().namespaces().withName(NAMESPACE).get() == null);
        }
    }

    private KitSession open() {
        return new KitSession(directory, Map.of("namespace", NAMESPACE));
    }

    /** Makes a quota of one resource. */
    private void limit(String resource, String quantity) {
        cluster.client()
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("kit")
                        .withNamespace(NAMESPACE)
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of(resource, new Quantity(quantity)))
                        .endSpec()
                        .build())
                .create();
        await().until(() -> cluster.client()
                        .resourceQuotas()
                        .inNamespace(NAMESPACE)
                        .withName("kit")
                        .get()
                        .getStatus()
                        .getHard()
                != null);
    }

    private static JobSpec.Builder greeter() {
        Class<?> main = KubernetesJobsKit.Greeter.class;
        return BackendFixture.javaJob(List.of(BackendFixture.placeOf(main)), main);
    }

    @Test
    void quotaThatRequiresRequestsIsSatisfiedByThePodTemplateAndItsContainersAreNamedOtherwise() throws IOException {
        limit("requests.cpu", "2");
        Path template = Files.writeString(directory.resolve("template"), """
                apiVersion: v1
                kind: Pod
                spec:
                  containers:
                  - name: worker
                    resources: {requests: {cpu: 100m}}
                """);
        try (KitSession session = open()) {
            assertThatThrownBy(() -> session.start(greeter()))
                    .hasMessageStartingWith("FBR-176 The cluster refused the pod of process 'job-0': ")
                    .hasMessageContaining("must specify requests.cpu")
                    .hasMessageContaining("They are missing in the pod's containers 'class-path', 'worker'. Ask for"
                            + " them (cpus, memory), or set them in fiber.kubernetes.pod-template.");
        }
        try (KitSession session =
                new KitSession(directory, Map.of("namespace", NAMESPACE, "pod-template", template.toString()))) {
            assertThat(session.awaitEnd(session.start(greeter())).describe()).isEqualTo("exit code 0");
        }
    }

    @Test
    void podThatAQuotaHasNoRoomForWaitsUntilItHas() {
        limit("pods", "1");
        try (KitSession session = open()) {
            Job first = session.start(KitSession.command("sleep", "1000"));
            session.awaitRunning(first);
            Job second = session.start(KitSession.command("sleep", "1000"));

            session.record().awaitWaiting(second, "exceeded quota: kit");

            first.cancel(Duration.ZERO);
            session.awaitRunning(second);
        }
        assertThat(cluster.client()
                        .secrets()
                        .inNamespace(NAMESPACE)
                        .withLabel(SessionLabels.SESSION)
                        .list()
                        .getItems())
                .isEmpty();
    }

    @Test
    void accountWithoutRightsIsToldWhatIsMissing() throws Exception {
        cluster.client()
                .resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName("nobody")
                        .withNamespace(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        TokenRequest token = cluster.client()
                .serviceAccounts()
                .inNamespace(NAMESPACE)
                .withName("nobody")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3600L)
                        .endSpec()
                        .build());
        String known = Files.readString(TestCluster.files().resolve("kubeconfig"));
        Path kubeconfig = directory.resolve("kubeconfig");
        Files.writeString(
                kubeconfig,
                known.replaceAll(
                        "(?s)users:.*?contexts:",
                        "users: [{name: admin, user: {token: \""
                                + token.getStatus().getToken() + "\"}}]\ncontexts:"));

        assertThatThrownBy(() ->
                        new KitSession(directory, Map.of("namespace", NAMESPACE, "kubeconfig", kubeconfig.toString())))
                .hasMessageStartingWith("FBR-171 This user lacks rights in namespace 'fiber-kit'")
                .hasMessageContaining("which the backend needs: create pods, get pods")
                .hasMessageContaining("- kind: ServiceAccount\n  name: nobody\n  namespace: " + NAMESPACE)
                .hasMessageContaining("kind: Role")
                .hasMessageNotContaining(token.getStatus().getToken());
    }

    @Test
    void userOfACertificateWithoutRightsIsTold() {
        String kubeconfig = TestCluster.files().resolve("pki/scheduler.conf").toString();

        assertThatThrownBy(() -> new KitSession(directory, Map.of("namespace", NAMESPACE, "kubeconfig", kubeconfig)))
                .hasMessageStartingWith("FBR-171 This user lacks rights in namespace 'fiber-kit'")
                .hasMessageContaining("create pods")
                .hasMessageContaining("  name: fiber-system-kube-scheduler\n")
                .hasMessageContaining("- kind: User\n  name: \"system:kube-scheduler\"\n")
                .hasMessageNotContaining("ServiceAccount");
    }

    @Test
    void podsOfANamespaceThatIsDeletedAreLostAndNoneIsMadeThere() {
        try (KitSession session = open()) {
            Job job = session.start(KitSession.command("sleep", "1000"));
            session.awaitRunning(job);

            cluster.client().namespaces().withName(NAMESPACE).delete();

            assertThat(session.awaitEnd(job).state()).isIn(JobState.LOST, JobState.FAILED);
            assertThatThrownBy(() -> session.start(KitSession.command("true")))
                    .hasMessageStartingWith("FBR-172 The namespace 'fiber-kit' does not exist or is being deleted: ");
        }
    }
}
