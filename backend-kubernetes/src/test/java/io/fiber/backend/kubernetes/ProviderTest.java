// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderTest {

    @TempDir
    Path directory;

    private final KubernetesBackendProvider provider = new KubernetesBackendProvider();

    private Environment environment(Map<String, String> variables) {
        return Environment.of(variables, Map.of("user.home", directory.toString()));
    }

    private Path kubeconfig(String name, int port) throws IOException {
        return Files.writeString(directory.resolve(name), """
                apiVersion: v1
                kind: Config
                current-context: here
                clusters:
                - name: c
                  cluster: {server: "http://127.0.0.1:%d"}
                users:
                - name: u
                  user: {token: secret}
                contexts:
                - name: here
                  context: {cluster: c, user: u, namespace: mine}
                """.formatted(port));
    }

    private ClusterAddress find(Map<String, String> options, Map<String, String> variables) {
        return ClusterAddress.find(PodRenderingTest.options(options), environment(variables));
    }

    @Test
    void machineWithoutAClusterSaysWhatWasLookedFor() {
        assertThat(provider.probe(environment(Map.of())))
                .isInstanceOfSatisfying(
                        Probe.Unusable.class,
                        unusable -> assertThat(unusable.reason())
                                .contains("service account's token", "KUBECONFIG", ".kube/config"));
        assertThatThrownBy(() -> find(Map.of(), Map.of()))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-169 No cluster is known: ")
                .hasMessageEndingWith("Name a kubeconfig in fiber.kubernetes.kubeconfig.");
    }

    @Test
    void optionGoesBeforeTheVariableAndThatBeforeTheFileAtHome() throws IOException {
        Files.createDirectory(directory.resolve(".kube"));
        Path home = kubeconfig(".kube/config", 1);

        assertThat(provider.probe(environment(Map.of()))).isEqualTo(new Probe.Usable(home.toString()));
        assertThat(find(Map.of(), Map.of()).kubeconfig()).isEqualTo(home.toString());
        assertThat(find(Map.of(), Map.of("KUBECONFIG", "/b:/c")).kubeconfig()).isEqualTo("/b:/c");
        assertThat(find(Map.of("kubeconfig", "/a", "context", "x", "namespace", "n"), Map.of("KUBECONFIG", "/b")))
                .isEqualTo(new ClusterAddress("/a", "x", "n", "from fiber.kubernetes.kubeconfig"));
    }

    /** The process that removes what is left runs in another directory. */
    @Test
    void relativeKubeconfigIsFoundFromAnyDirectory() {
        Path here = Path.of("").toAbsolutePath();

        assertThat(find(Map.of("kubeconfig", "lab"), Map.of()).kubeconfig())
                .isEqualTo(here.resolve("lab").toString());
        assertThat(find(Map.of(), Map.of("KUBECONFIG", "keys/a:/b")).kubeconfig())
                .isEqualTo(here.resolve("keys/a") + ":/b");
        assertThat(find(Map.of(), Map.of("KUBECONFIG", ":")).isInside()).isFalse();
    }

    @Test
    void contextIsRefusedInAPodWhichKnowsOneClusterAlone() throws IOException {
        Environment inPod = environment(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"));
        Path token = Files.writeString(directory.resolve("token"), "secret");

        assertThatThrownBy(() -> ClusterAddress.find(PodRenderingTest.options(Map.of("context", "lab")), inPod, token))
                .isInstanceOf(BackendException.class)
                .hasMessage(
                        "FBR-169 The context 'lab' (from fiber.kubernetes.context) is not known here: this process is"
                                + " in a pod, whose service account is valid only in the pod's own cluster. Name a"
                                + " kubeconfig that has the context in fiber.kubernetes.kubeconfig, or leave"
                                + " fiber.kubernetes.context out.");
        assertThat(ClusterAddress.find(PodRenderingTest.options(Map.of("namespace", "n")), inPod, token))
                .isEqualTo(new ClusterAddress("", "", "n", "the cluster that this process runs in"));
        Map<String, String> both = Map.of("context", "lab", "kubeconfig", "/a");
        assertThat(ClusterAddress.find(PodRenderingTest.options(both), inPod, token))
                .isEqualTo(new ClusterAddress("/a", "lab", "", "from fiber.kubernetes.kubeconfig"));
    }

    @Test
    void ownClusterIsReadFromTheFilesOfThePodAlone() throws IOException {
        Files.writeString(directory.resolve("namespace"), "team\n");
        Files.writeString(directory.resolve("ca.crt"), "certificates");
        Path token = Files.writeString(directory.resolve("token"), "first\n");
        Environment inPod =
                environment(Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "6443"));

        Config config = new ConfigBuilder(ClusterAddress.inside(inPod, directory)).build();

        assertThat(config.getMasterUrl()).isEqualTo("https://[fd00::1]:6443/");
        assertThat(config.getNamespace()).isEqualTo("team");
        assertThat(config.getCaCertFile()).isEqualTo(directory.resolve("ca.crt").toString());
        assertThat(config.getContexts()).isNullOrEmpty();
        assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("first");
        Files.writeString(token, "renewed");
        assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("renewed");
    }

    @Test
    void clusterOfTheOptionCanBeUsedWhereNothingElseNamesOne() {
        Environment withOption = Environment.of(
                Map.of(), Map.of("user.home", directory.toString(), "fiber.kubernetes.kubeconfig", "/a"));

        assertThat(provider.probe(withOption)).isEqualTo(new Probe.Usable("fiber.kubernetes.kubeconfig=/a"));
    }

    @Test
    void wordsOfAnAddressAreTheAddress() {
        ClusterAddress address = new ClusterAddress("/a", "", "n", "from a test");

        assertThat(ClusterAddress.ofWords(address.words())).isEqualTo(address);
    }

    @Test
    void namespaceIsTheContextsUnlessItIsSaid() throws IOException {
        String file = kubeconfig("k", 1).toString();
        try (Cluster named = Cluster.connect(new ClusterAddress(file, "", "other", "from a test"));
                Cluster plain = Cluster.connect(new ClusterAddress(file, "", "", "from a test"))) {
            assertThat(named.namespace()).isEqualTo("other");
            assertThat(plain.namespace()).isEqualTo("mine");
        }
    }

    @Test
    void fileThatIsNotThereOrIsNoKubeconfigIsNamed() throws IOException {
        assertThatThrownBy(() -> new ClusterAddress("/no/such", "", "", "from a test").config())
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-169 The kubeconfig '/no/such' (from a test) cannot be read: there is no such file."
                        + " Expected a file as 'kubectl config view --raw --minify' prints it.");

        Path damaged = Files.writeString(directory.resolve("damaged"), "contexts: {name: [");
        assertThatThrownBy(() -> new ClusterAddress(damaged.toString(), "", "", "from a test").config())
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-169 The kubeconfig '" + damaged + "' (from a test) cannot be read: ");
    }

    @Test
    void contextThatNoFileHasIsRefusedWithThoseThatThereAre() throws IOException {
        Path file = kubeconfig("k", 1);

        assertThatThrownBy(() -> new ClusterAddress(file.toString(), "elsewhere", "", "from a test").config())
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-169 The kubeconfig '" + file + "' (from a test) does not have the context 'elsewhere'"
                        + " (from fiber.kubernetes.context). It has [here]. Correct the name; 'kubectl config view'"
                        + " shows what"
                        + " the files have.");

        Files.writeString(file, Files.readString(file).replace("current-context: here", "current-context: gone"));
        assertThatThrownBy(() -> new ClusterAddress(file.toString(), "", "", "from a test").config())
                .hasMessageContaining("does not have the context 'gone' (its current-context). It has [here].");

        Files.writeString(file, Files.readString(file).replace("current-context: gone", ""));
        assertThatThrownBy(() -> new ClusterAddress(file.toString(), "", "", "from a test").config())
                .hasMessage("FBR-169 The kubeconfig '" + file + "' (from a test) has no current-context. Name one of"
                        + " [here] in fiber.kubernetes.context, or run 'kubectl config use-context'.");
    }

    @Test
    void clusterOrUserOfAContextThatNoFileHasIsRefused() throws IOException {
        Path file = kubeconfig("k", 1);
        String text = Files.readString(file);

        Files.writeString(file, text.replace("cluster: c,", "cluster: d,"));
        assertThatThrownBy(() -> new ClusterAddress(file.toString(), "", "", "from a test").config())
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("does not have the cluster 'd' of its context 'here'. It has [c].");

        Files.writeString(file, text.replace("user: u,", "user: v,"));
        assertThatThrownBy(() -> new ClusterAddress(file.toString(), "", "", "from a test").config())
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("does not have the user 'v' of its context 'here'. It has [u].");

        Files.writeString(file, text.replace(" user: u,", ""));
        assertThat(new ClusterAddress(file.toString(), "", "", "from a test")
                        .config()
                        .getMasterUrl())
                .isEqualTo("http://127.0.0.1:1/");
    }

    /** Of two entries of one name the first counts, and a file that is not there is skipped, as kubectl has it. */
    @Test
    void allFilesOfTheVariableCount() throws IOException {
        Path first = Files.writeString(directory.resolve("first"), """
                apiVersion: v1
                kind: Config
                current-context: there
                contexts:
                - name: there
                  context: {cluster: c, user: u, namespace: theirs}
                """);
        Path second = kubeconfig("second", 2);
        Path third = kubeconfig("third", 3);
        String files = first + ":/no/such:" + second + ":" + third;

        ClusterAddress address = find(Map.of(), Map.of("KUBECONFIG", files));

        assertThat(address.config().getMasterUrl()).isEqualTo("http://127.0.0.1:2/");
        assertThat(address.config().getNamespace()).isEqualTo("theirs");
        assertThat(address.config().getAutoOAuthToken()).isEqualTo("secret");
    }

    @Test
    void serverThatIsOverloadedIsAskedAgainAndThenUnavailable() throws IOException {
        AtomicInteger left = new AtomicInteger(2);
        String pod = "GET " + ScriptedApiServer.NAMESPACE + "/pods/p";
        ScriptedApiServer.Answer busy = ScriptedApiServer.Answer.of(
                429,
                "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"status\": \"Failure\", \"reason\":"
                        + " \"TooManyRequests\", \"code\": 429, \"message\": \"too many requests\"}");
        try (ScriptedApiServer server = new ScriptedApiServer().with(pod, exchange -> {
                    (left.getAndDecrement() > 0 ? busy : ScriptedApiServer.Answer.of(404, "{}")).give(exchange);
                });
                Cluster cluster = server.connect(directory, "token: secret")) {
            assertThat(cluster.find("p")).as("after a while").isNull();

            left.set(Integer.MAX_VALUE);
            assertThatThrownBy(() -> cluster.find("p"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-169 The API server does not answer at http://127.0.0.1:")
                    .hasMessageContaining("too many requests");
        }
    }

    @Test
    void bugIsNotTakenForAServerThatDoesNotAnswer() throws IOException {
        try (Cluster cluster =
                Cluster.connect(new ClusterAddress(kubeconfig("k", 1).toString(), "", "", "from a test"))) {
            NullPointerException bug = new NullPointerException("a bug");
            assertThatThrownBy(() -> cluster.<Object>ask(client -> {
                        throw bug;
                    }))
                    .isSameAs(bug);
            assertThatThrownBy(() -> cluster.<Object>ask(client -> {
                        throw new UncheckedIOException(new IOException("broken pipe"));
                    }))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("broken pipe");
        }
    }

    /** An underscore makes it no host name of a URL; the name of an interface is resolved without a name server. */
    @Test
    void addressThatCannotBeDerivedFromTheServerSaysWhy() {
        assertThatThrownBy(() -> MasterAddress.addressTowards("https://my_host:6443/"))
                .hasMessage("the URL of the API server, https://my_host:6443/, has no valid host name");
        assertThatThrownBy(() -> MasterAddress.addressTowards("https://127.0.0.1:6443/"))
                .hasMessage("the API server at https://127.0.0.1:6443/ is reached from this host's loopback");
        assertThatThrownBy(() -> MasterAddress.addressTowards("https://[fe80::1%25none]:6443/"))
                .hasMessageStartingWith("this host has no way to the API server at https://[fe80::1%25none]:6443/ (")
                .hasCauseInstanceOf(UnknownHostException.class);
    }

    @Test
    void serverThatDoesNotAnswerIsUnavailable() throws IOException {
        int port = 1; // Nobody listens there, and no other test opens it.
        try (Cluster cluster =
                Cluster.connect(new ClusterAddress(kubeconfig("k", port).toString(), "", "", "from a test"))) {
            assertThatThrownBy(() -> cluster.find("pod"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith(
                            "FBR-169 The API server does not answer at http://127.0.0.1:" + port + "/ (from a test): ")
                    .hasMessageContaining("Running jobs go on");
        }
    }

    @Test
    void optionsThatAreNoneOfThePossibleOnesAreRefused() {
        assertThatThrownBy(() -> PodRenderingTest.options(Map.of("pull", "sometimes")))
                .hasMessage(
                        "FBR-179 Option 'fiber.kubernetes.pull' is 'sometimes'; expected missing, always or never.");
        assertThatThrownBy(() -> PodRenderingTest.options(Map.of("user", "me")))
                .hasMessageStartingWith("FBR-179 Option 'fiber.kubernetes.user' is 'me'; expected numbers");
        assertThatThrownBy(() -> PodRenderingTest.options(Map.of("node-selector", "ssd")))
                .hasMessageStartingWith(
                        "FBR-179 Option 'fiber.kubernetes.node-selector' is 'ssd'; expected name=value");
        assertThatThrownBy(() -> PodRenderingTest.options(Map.of("tolerations", "a=b:Never")))
                .hasMessageStartingWith("FBR-179 Option 'fiber.kubernetes.tolerations' is 'a=b:Never'; expected ");
        assertThatThrownBy(() -> PodRenderingTest.options(Map.of("class-path-port", "70000")))
                .hasMessage("FBR-179 Option 'fiber.kubernetes.class-path-port' is '70000'; expected 0 to 65535.");
        assertThatThrownBy(() -> PodRenderingTest.options(Map.of("class-path", "there")))
                .hasMessage("FBR-179 Option 'fiber.kubernetes.class-path' is 'there'; expected fetch or image.");
    }

    @Test
    void templateThatIsNoPodIsRefused() throws IOException {
        Path file = Files.writeString(directory.resolve("t.yaml"), "apiVersion: v1\nkind: Service\n");

        assertThatThrownBy(() -> Template.read(file))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith(
                        "FBR-180 The pod template '" + file + "' (from fiber.kubernetes.pod-template) cannot be used: ")
                .hasMessageEndingWith(
                        "cannot be used: it is not of kind Pod. Expected the YAML of one object of kind Pod, as"
                                + " 'kubectl create --dry-run=server' takes it.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spec: {contaners: [{name: worker}]} | spec.contaners | containers",
                "spec: {containers: [{name: a}, {name: b, imagePulPolicy: Never}]} | spec.containers[1].imagePulPolicy"
                        + " | imagePullPolicy",
                "spec: {volumes: [{name: v, emptyDir: {sizelimit: 1Gi}}]} | spec.volumes[0].emptyDir.sizelimit |"
                        + " sizeLimit",
                "sepc: {} | sepc | spec",
            })
    void unknownFieldOfATemplateIsRefusedWithItsPathAndTheOneThatWasMeant(String yaml, String path, String meant)
            throws IOException {
        Path file = Files.writeString(directory.resolve("t.yaml"), "apiVersion: v1\nkind: Pod\n" + yaml + "\n");

        assertThatThrownBy(() -> Template.read(file))
                .isInstanceOf(BackendException.class)
                .hasMessage(
                        "FBR-180 The pod template '" + file + "' (from fiber.kubernetes.pod-template) cannot be used:"
                                + " it has the field '" + path + "', which is unknown; did you mean '" + meant
                                + "'? Expected the YAML of one object of kind Pod, as 'kubectl create"
                                + " --dry-run=server' takes it.");
    }

    @Test
    void labelsAnnotationsAndQuantitiesOfATemplateMayHaveAnyName() throws IOException {
        Path file = Files.writeString(directory.resolve("t.yaml"), """
                apiVersion: v1
                kind: Pod
                metadata: {labels: {team: x}, annotations: {example.org/any: thing}}
                spec:
                  containers:
                  - name: worker
                    resources: {limits: {example.org/fpga: 1, memory: 1Gi}}
                    livenessProbe: {httpGet: {port: http, path: /}}
                """);

        assertThat(Template.read(file).copy().getMetadata().getLabels()).containsEntry("team", "x");
    }

    @Test
    void roleHasEveryRightThatIsNeeded() {
        assertThat(Rights.role(Optional.of("jobs"), new Rights.Account("team", "runner")))
                .contains("namespace: jobs", "verbs: [create, get, list, watch, delete, deletecollection]", "pods/log")
                .endsWith("- kind: ServiceAccount\n  name: runner\n  namespace: team\n");
    }

    @Test
    void manifestOfTheExamplesAndTheTableOfThePageAreWhatTheSetupMakes() throws IOException {
        String manifest = new KubernetesBackendProvider()
                .setup(Options.none(), Environment.system())
                .orElseThrow()
                .text();
        String example = Files.readString(KitPod.EXAMPLES.resolve("role.yml"));
        String page = Files.readString(KitPod.EXAMPLES.resolve("../../docs/kubernetes.md"));

        assertThat(example.replaceAll("(?m)^#.*\n", "")).isEqualTo(manifest);
        assertThat(page)
                .contains(Pattern.compile("resources: \\[(.*)]\n  verbs: \\[(.*)]")
                        .matcher(manifest)
                        .results()
                        .map(rule -> "|`" + rule.group(1) + "`|" + rule.group(2) + "|\n")
                        .collect(Collectors.joining("", "|resource|verbs|\n|---|---|\n", "\n")));
    }

    @Test
    void serviceAccountIsReadFromItsToken() {
        String claims = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"iss\":\"x\",\"sub\":\"system:serviceaccount:team:runner\"}"
                        .getBytes(StandardCharsets.UTF_8));

        assertThat(Rights.Account.of("e30." + claims + ".c2ln")).contains(new Rights.Account("team", "runner"));
        assertThat(Rights.Account.of("e30.e30.c2ln")).isEmpty();
        assertThat(Rights.Account.of("an opaque token")).isEmpty();
        assertThat(Rights.Account.of("e30.{}.c2ln")).isEmpty();
    }
}
