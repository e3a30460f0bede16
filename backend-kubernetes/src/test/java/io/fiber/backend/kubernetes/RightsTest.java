// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.kubernetes.ScriptedApiServer.Answer;
import io.fiber.backend.support.BackendThreads;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is told which rights are missing, and how they are given. */
@Tag("slow")
class RightsTest {

    /** Of the subject {@code O=team, CN=alice@example.org}. */
    private static final String CERTIFICATE = """
            -----BEGIN CERTIFICATE-----
            MIIBrDCCAVOgAwIBAgIUTGaAaXETTKzx1HsAO+F471PrJZswCgYIKoZIzj0EAwIw
            KzENMAsGA1UECgwEdGVhbTEaMBgGA1UEAwwRYWxpY2VAZXhhbXBsZS5vcmcwIBcN
            MjYxMTI2MDQzNzU5WhgPMjEyNjExMDIwNDM3NTlaMCsxDTALBgNVBAoMBHRlYW0x
            GjAYBgNVBAMMEWFsaWNlQGV4YW1wbGUub3JnMFkwEwYHKoZIzj0CAQYIKoZIzj0D
            AQcDQgAEebqh0GH1TbaqbITkuusfSa6jA9UbQLCjsIMfZFUmo/p8IlFGmOQQ6Ngr
            yhYn6Edf9NZ/NjXnVr9bo1j38u0F46NTMFEwHQYDVR0OBBYEFMR31xBdwGZM/bjI
            XiT8uqGqnnf9MB8GA1UdIwQYMBaAFMR31xBdwGZM/bjIXiT8uqGqnnf9MA8GA1Ud
            EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgMJJInmou7hhwUMMnHeO+qu5d
            GJUFt9SIVxnZ8F2aZjMCIHzGI0rC86GjCpcqXfeH25Vf0xSZA7/cwQGJY9JJfdvR
            -----END CERTIFICATE-----
            """;

    @TempDir
    Path directory;

    /** A server that allows nothing. */
    private static ScriptedApiServer server() throws IOException {
        return new ScriptedApiServer()
                .with(
                        "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                        Answer.of(
                                201,
                                "{\"kind\": \"SelfSubjectAccessReview\", \"apiVersion\": \"authorization.k8s.io/v1\","
                                        + " \"status\": {\"allowed\": false}}"));
    }

    private String refusal(ScriptedApiServer server, String user) throws IOException {
        try (Cluster cluster = server.connect(directory, user);
                BackendThreads threads = new BackendThreads("test", 1)) {
            Throwable[] thrown = new Throwable[1];
            assertThatThrownBy(() -> Rights.check(cluster, threads))
                    .isInstanceOf(BackendException.class)
                    .satisfies(failure -> thrown[0] = failure);
            return String.valueOf(thrown[0].getMessage());
        }
    }

    @Test
    void rightsForRestartsAreThoseOnJobs() throws IOException {
        try (ScriptedApiServer server = server();
                Cluster cluster = server.connect(directory, "token: opaque");
                BackendThreads threads = new BackendThreads("test", 1)) {
            assertThatThrownBy(() -> Rights.checkForRestarts(cluster, threads))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("which the backend needs: create jobs.batch, get jobs.batch, list jobs.batch,"
                            + " delete jobs.batch, deletecollection jobs.batch. Apply this")
                    .hasMessageContaining("""
                            - apiGroups: ["batch"]
                              resources: [jobs]
                              verbs: [create, get, list, delete, deletecollection]
                            """);
            assertThat(server.requests()).anyMatch(request -> request.contains("/apis/batch/v1/namespaces/jobs/jobs"));
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void roleIsForTheUserOfTheClientsCertificate() throws IOException, NoSuchAlgorithmException {
        String key = "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder()
                        .encodeToString(KeyPairGenerator.getInstance("RSA")
                                .generateKeyPair()
                                .getPrivate()
                                .getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
        try (ScriptedApiServer server = server()) {
            assertThat(refusal(
                            server, "client-certificate-data: " + pem(CERTIFICATE) + ", client-key-data: " + pem(key)))
                    .startsWith("FBR-171 This user lacks rights in namespace 'jobs' at http://127.0.0.1:")
                    .contains("which the backend needs: create pods, get pods,", ". Apply this:\n")
                    .contains("kind: RoleBinding\nmetadata:\n  name: fiber-alice@example.org\n  namespace: jobs\n")
                    .contains("subjects:\n- kind: User\n  name: \"alice@example.org\"\n")
                    .endsWith("\n  apiGroup: rbac.authorization.k8s.io\n")
                    .doesNotContain("ServiceAccount", "default");
            assertThat(server.requests()).allMatch(request -> request.contains("selfsubjectaccessreviews"));
        }
    }

    private static String pem(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void roleIsForTheUserThatARefusalNamesWhenNothingElseDoes() throws IOException {
        String refused = " cannot create resource \"pods\" in API group \"\" in the namespace \"jobs\"";
        String pods = "POST " + ScriptedApiServer.NAMESPACE + "/pods";
        try (ScriptedApiServer server = server()) {
            server.with(pods, Answer.refusal("pods is forbidden: User \"oidc:bob\"" + refused));
            assertThat(refusal(server, "token: opaque"))
                    .contains(". Apply this:\n", "name: fiber-oidc-bob\n")
                    .endsWith("- kind: User\n  name: \"oidc:bob\"\n  apiGroup: rbac.authorization.k8s.io\n");
            assertThat(server.requests())
                    .filteredOn(request -> !request.contains("selfsubjectaccessreviews"))
                    .containsExactly(pods + "?dryRun=All");

            server.with(
                    pods, Answer.refusal("pods is forbidden: User \"system:serviceaccount:team:runner\"" + refused));
            assertThat(refusal(server, "token: opaque"))
                    .endsWith("- kind: ServiceAccount\n  name: runner\n  namespace: team\n");
        }
    }

    @Test
    void roleIsForTheAccountOfTheTokenOrHasAPlaceForTheNameOfTheUser() throws IOException {
        String token = "e30." + base64("{\"sub\":\"system:serviceaccount:team:runner\"}") + ".c2ln";
        try (ScriptedApiServer server = server()) {
            assertThat(refusal(server, "token: " + token))
                    .contains(". Apply this:\n")
                    .endsWith("- kind: ServiceAccount\n  name: runner\n  namespace: team\n");
            assertThat(refusal(server, "token: opaque"))
                    .contains(". Apply this with this user's name in place of NAME:\n")
                    .endsWith("- kind: User\n  name: \"NAME\"\n  apiGroup: rbac.authorization.k8s.io\n");
        }
    }

    /** Whoever it gives rights to would be everybody. */
    @Test
    void roleIsNotForThoseWhoseNameIsNotKnown() throws IOException {
        try (ScriptedApiServer server = server()) {
            server.with(
                    "POST " + ScriptedApiServer.NAMESPACE + "/pods",
                    Answer.refusal("pods is forbidden: User \"system:anonymous\" cannot create resource \"pods\""));
            assertThat(refusal(server, "token: opaque"))
                    .contains("  name: \"NAME\"\n")
                    .doesNotContain("anonymous");
        }
    }

    @Test
    void nameOfAUserIsOneStringOfTheYaml() {
        assertThat(Rights.role(Optional.of("jobs"), new Rights.User("a \"b\" \\c: #d")))
                .contains("  name: fiber-a--b---c---d\n")
                .contains("  name: \"a \\\"b\\\" \\\\c: #d\"\n");
    }

    private static String setupFor(ClusterAddress address) {
        String text =
                String.valueOf(Rights.unusable(address, new Rights.Account("jobs", "runner"), "does not exist", null)
                        .getMessage());
        assertThat(text).startsWith("FBR-182 The service account 'runner' of namespace 'jobs' does not exist. ");
        return text.lines().findFirst().orElseThrow().replaceFirst(".* has to run: ", "");
    }

    /** Else the user would make the account in the cluster of the current context. */
    @Test
    void accountIsSetUpInTheClusterOfTheRun() {
        String setup = "fiber setup kubernetes --namespace jobs --service-account runner";
        String option = "from fiber.kubernetes.kubeconfig";

        assertThat(setupFor(new ClusterAddress("/home/me/.kube/config", "", "jobs", "from /home/me/.kube/config")))
                .isEqualTo(setup);
        assertThat(setupFor(new ClusterAddress("/k", "", "jobs", "from environment variable KUBECONFIG")))
                .isEqualTo(setup);
        assertThat(setupFor(new ClusterAddress("/k", "lab", "jobs", "from environment variable KUBECONFIG")))
                .isEqualTo(setup + " -s kubernetes.context=lab");
        assertThat(setupFor(new ClusterAddress("/k", "arn:aws:eks:eu:1:cluster/a", "jobs", option)))
                .isEqualTo(setup + " -s kubernetes.kubeconfig=/k -s kubernetes.context=arn:aws:eks:eu:1:cluster/a");
        assertThat(setupFor(new ClusterAddress("/my files/k", "Bob's", "jobs", option)))
                .isEqualTo(setup + " -s kubernetes.kubeconfig='/my files/k' -s kubernetes.context='Bob'\\''s'");
    }
}
