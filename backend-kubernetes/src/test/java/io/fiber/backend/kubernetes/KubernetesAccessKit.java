// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobState;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As whom kubeconfigs let Fiber ask. {@link KubernetesClusterTest} runs it beside a real cluster. */
class KubernetesAccessKit {

    /** May act as any user with any groups, and do nothing else. */
    private static final String ACTOR = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: fiber-kit-actor
            rules:
            - apiGroups: [""]
              resources: [users, groups]
              verbs: [impersonate]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata:
              name: fiber-kit-actor
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: fiber-kit-actor}
            subjects:
            - {kind: ServiceAccount, name: fiber-kit-actor, namespace: NAMESPACE}
            """.replace("NAMESPACE", KitCluster.NAMESPACE);

    /** The group whose members may do what Fiber needs, and not list events. */
    private static final String TEAM = Rights.role(Optional.of(KitCluster.NAMESPACE), new Rights.User("fiber-kit-team"))
            .replace("kind: User", "kind: Group")
            .replace("- apiGroups: [\"\"]\n  resources: [events]\n  verbs: [list]\n", "");

    private static final String ADMIN = "client-certificate: admin.crt, client-key: admin.key";

    @TempDir
    Path directory;

    private KitCluster cluster;

    @BeforeEach
    void makeRoles() {
        cluster = new KitCluster();
        for (String name : List.of("fiber-kit-actor", "fiber-kit-nobody")) {
            cluster.client()
                    .resource(new ServiceAccountBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .withNamespace(KitCluster.NAMESPACE)
                            .endMetadata()
                            .build())
                    .create();
        }
        objects(ACTOR).forEach(each -> cluster.client().resource(each).create());
        objects(TEAM).forEach(each -> cluster.client().resource(each).create());
    }

    @AfterEach
    void removeRoles() {
        objects(ACTOR).forEach(each -> cluster.client().resource(each).delete());
        objects(TEAM).forEach(each -> cluster.client().resource(each).delete());
        for (String name : List.of("fiber-kit-actor", "fiber-kit-nobody")) {
            cluster.client()
                    .serviceAccounts()
                    .inNamespace(KitCluster.NAMESPACE)
                    .withName(name)
                    .delete();
        }
        cluster.close();
        KubernetesFixture.awaitNothingLeft();
    }

    private List<HasMetadata> objects(String yaml) {
        return cluster.client()
                .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .items();
    }

    private String token(String account) {
        return cluster.client()
                .serviceAccounts()
                .inNamespace(KitCluster.NAMESPACE)
                .withName(account)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }

    /** Opens a session as a user of this YAML. */
    private KitSession open(String user) throws IOException {
        return open("certificate-authority: ca.crt", user, "");
    }

    private KitSession open(String authority, String user, String host) throws IOException {
        Path pki = TestCluster.files().resolve("pki");
        for (String file : List.of("ca.crt", "admin.crt", "admin.key")) {
            Files.write(directory.resolve(file), Files.readAllBytes(pki.resolve(file)));
        }
        String known = Files.readString(TestCluster.files().resolve("kubeconfig"));
        String server = known.replaceAll("(?s).*server: \"(https://[^\"]+)\".*", "$1");
        Path template = directory.resolve("template");
        if (Files.notExists(template)) {
            Files.writeString(template, "apiVersion: v1\nkind: Pod\n");
        }
        Path kubeconfig = Files.writeString(
                directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: x
                clusters: [{name: c, cluster: {server: "%s", %s}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                users: [{name: u, user: {%s}}]
                """.formatted(host.isEmpty() ? server : host, authority, user));
        return new KitSession(
                directory,
                Map.of(
                        "kubeconfig",
                        kubeconfig.toString(),
                        "image",
                        TestCluster.BARE_IMAGE,
                        "pod-template",
                        template.toString()));
    }

    private static void run(KitSession session) {
        Job job = session.start(KitSession.command("sh", "-c", "echo hello"));
        assertThat(session.awaitEnd(job).describe()).isEqualTo("exit code 0");
        assertThat(job.logs(1)).containsExactly("hello");
    }

    @Test
    void userActsAsTheOneThatTheFileNamesAndHasOnlyHisRights() throws IOException {
        try (KitSession session = open(ADMIN)) {
            run(session);
        }

        assertThatThrownBy(() -> open(ADMIN + ", as: anna"))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-171 This user lacks rights in namespace '" + KitCluster.NAMESPACE + "'")
                .hasMessageContaining("- kind: User\n  name: \"anna\"\n");
        try (KitSession session = open(ADMIN + ", as: anna, as-groups: [fiber-kit-team]")) {
            run(session);
        }
    }

    @Test
    void tokenOfAFileIsThatOfItsAccountAndOfItsNextOne() throws IOException {
        Path token = Files.writeString(directory.resolve("token"), token("fiber-kit-actor"));

        assertThatThrownBy(() -> open("tokenFile: token"))
                .hasMessageStartingWith("FBR-171 ")
                .hasMessageContaining("- kind: ServiceAccount\n  name: fiber-kit-actor\n");
        try (KitSession session = open("tokenFile: token, as: anna, as-groups: [fiber-kit-team]")) {
            run(session);

            Files.writeString(token, token("fiber-kit-nobody"));
            assertThatThrownBy(() -> session.start(KitSession.command("true")))
                    .hasMessageStartingWith("FBR-170 The API server at ")
                    .hasMessageContaining(" does not let this user act as 'anna', which 'as' of its kubeconfig says ")
                    .hasMessageContaining("system:serviceaccount:" + KitCluster.NAMESPACE + ":fiber-kit-nobody")
                    .hasMessageContaining("cannot impersonate")
                    .hasMessageEndingWith("or have the user granted the verb 'impersonate' for them.");

            Files.writeString(token, token("fiber-kit-actor"));
            run(session);
        }
    }

    @Test
    void userWhoMayNotActAsAnotherIsToldAtOnce() {
        assertThatThrownBy(() -> open("token: " + token("fiber-kit-nobody") + ", as: anna"))
                .hasMessageStartingWith("FBR-170 The API server at ")
                .hasMessageContaining(" does not let this user act as 'anna'");
    }

    @Test
    void certificateOfTheServerIsCheckedUnlessTheFileSaysOtherwise() throws IOException {
        // An address of the API server's host that is not in its certificate.
        String other = "https://10.244.2.1:443";

        assertThatThrownBy(() -> open("certificate-authority: ca.crt", ADMIN, other))
                .hasMessageStartingWith("FBR-169 The API server does not answer at https://10.244.2.1:443");
        try (KitSession session = open("insecure-skip-tls-verify: true", ADMIN, other)) {
            run(session);
        }
    }

    @Test
    void podThatIsStuckSaysWhyWhereItsEventsMayBeListed() throws IOException {
        Files.writeString(directory.resolve("template"), """
                apiVersion: v1
                kind: Pod
                spec:
                  nodeName: node-1
                  containers:
                  - name: worker
                    volumeMounts: [{name: conf, mountPath: /conf}]
                  volumes:
                  - name: conf
                    configMap: {name: no-such-map}
                """);
        try (KitSession session = open(ADMIN)) {
            Job job = session.start(KitSession.command("true"));
            assertThat(session.record().awaitWaiting(job, "configmap \"no-such-map\" not found"))
                    .startsWith("the node 'node-1' prepares its volumes, network and containers; FailedMount: ");
        }
        try (KitSession session = open(ADMIN + ", as: anna, as-groups: [fiber-kit-team]")) {
            Job job = session.start(KitSession.command("true"));
            assertThat(session.record().awaitWaiting(job, "may say what it waits for"))
                    .isEqualTo("the node 'node-1' prepares its volumes, network and containers; 'kubectl describe pod "
                            + job.id() + "' may say what it waits for");
        }
    }

    @Test
    void podsWithFinalizersEndAndKeepNoSessionOpen() throws IOException {
        Files.writeString(directory.resolve("template"), """
                apiVersion: v1
                kind: Pod
                metadata: {finalizers: [example.org/kit]}
                """);
        try (KitSession session = open(ADMIN)) {
            run(session);
            Job running = session.start(KitSession.command("sleep", "1000"));
            session.awaitRunning(running);
            running.cancel(Duration.ZERO);
            assertThat(session.awaitEnd(running).state()).isEqualTo(JobState.CANCELLED);
        }

        assertThat(cluster.pods())
                .isNotEmpty()
                .allMatch(pod -> pod.getMetadata().getDeletionTimestamp() != null)
                .allSatisfy(pod -> cluster.client()
                        .resource(pod)
                        .edit(each -> new PodBuilder(each)
                                .editMetadata()
                                .withFinalizers(List.of())
                                .endMetadata()
                                .build()));
    }
}
