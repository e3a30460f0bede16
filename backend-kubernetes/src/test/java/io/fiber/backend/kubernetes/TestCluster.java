// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.fiber.tck.cluster.KitJvm;
import io.fiber.tck.cluster.KitRun;
import io.fiber.tck.host.FixtureDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DynamicNode;

/**
 * The cluster that {@code dev/kubernetes/up} has started.
 *
 * @param state where its files are
 * @param namespace the network namespace that it lives in
 */
record TestCluster(Path state, Path namespace) {

    static final String IMAGE = "fiber-test:jre";
    static final String BARE_IMAGE = "fiber-test:bare";

    /** Where its nodes pull images from. */
    static final String REGISTRY = "localhost:5000/";

    /** The variable by which tests beside the pods find the files of the cluster. */
    static final String STATE = "FIBER_TEST_CLUSTER";

    /** Longer than the kit gives any test. */
    private static final Duration SILENCE_LIMIT = Duration.ofMinutes(15);

    static final String MISSING =
            "No cluster of dev/kubernetes/up is up; as root: dev/kubernetes/up. These tests must run as root, too: they"
                    + " enter the cluster's network namespace.";

    /** Returns the cluster when all of it is up and can be used by this process. */
    static Optional<TestCluster> find() {
        String number = Optional.ofNullable(System.getenv("TEST_KUBERNETES_NUMBER"))
                .filter(digit -> !digit.equals("0"))
                .orElse("");
        Path state = Path.of(Optional.ofNullable(System.getenv("TEST_KUBERNETES_STATE"))
                .orElse("/var/tmp/fiber-kubernetes" + number));
        TestCluster cluster = new TestCluster(state, Path.of("/run/netns/fiber-kubernetes" + number));
        return "root".equals(System.getProperty("user.name")) && Files.exists(state.resolve("env.sh"))
                ? Optional.of(cluster)
                : Optional.empty();
    }

    /** Returns the files of the cluster, in a JVM that {@link #run} has started. */
    static Path files() {
        return Path.of(System.getenv().getOrDefault(STATE, "/no-cluster"));
    }

    /** Runs test classes in a JVM beside the pods and returns what became of each test. */
    List<DynamicNode> run(List<Class<?>> tests, List<String> options) {
        return run(KitJvm.names(tests), options, "default");
    }

    private List<DynamicNode> run(List<String> tests, List<String> options, String home) {
        try (FixtureDirectory own = FixtureDirectory.open()) {
            List<String> words = new ArrayList<>(List.of("nsenter", "--net=" + namespace));
            words.addAll(KitJvm.command(own.path(), options, System.getProperty("java.class.path"), tests));
            ProcessBuilder builder = builder(words);
            builder.environment().put(KitCluster.NAMESPACE_VARIABLE, home);
            return KitJvm.run(builder, "", SILENCE_LIMIT);
        }
    }

    /**
     * Runs a part of the tests with a namespace of Kubernetes for its pods alone, so that others may run beside it.
     *
     * @param tests names of test classes or of groups in them
     */
    List<DynamicNode> runApart(String home, List<String> tests, KitRun.Part part) {
        try {
            kubectl("", "delete", "namespace", home, "--ignore-not-found");
            kubectl("", "create", "namespace", home);
            try {
                // Pods are refused before the cluster has made this account.
                await("the account of namespace " + home)
                        .ignoreExceptionsInstanceOf(IOException.class)
                        .until(() -> {
                            kubectl("", "get", "serviceaccount", "default", "--namespace", home);
                            return true;
                        });
                return run(tests, List.of(part.option()), home);
            } finally {
                kubectl("", "delete", "namespace", home);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs test classes in a pod, which is that of the examples but for the program itself. */
    List<DynamicNode> runInPod(List<Class<?>> tests, List<String> options) {
        List<String> names = KitJvm.names(tests);
        try {
            kubectl(Files.readString(KitPod.EXAMPLES.resolve("role.yml")), "apply", "-f", "-");
            kubectl("", "delete", "pod", KitPod.NAME, "--ignore-not-found");
            kubectl(Serialization.asYaml(KitPod.of(state, KitRun.class, options, names)), "create", "-f", "-");
            try {
                kubectl("", "wait", "--for=condition=Ready", "--timeout=90s", "pod/" + KitPod.NAME);
                return KitJvm.run(builder(words("logs", "-f", KitPod.NAME)), "", SILENCE_LIMIT);
            } finally {
                kubectl("", "delete", "pod", KitPod.NAME);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the directory of the checkout. */
    static Path checkout() {
        Path here = Path.of("").toAbsolutePath();
        return Files.isDirectory(here.resolve("dev/kubernetes"))
                ? here
                : here.resolveSibling(".").normalize();
    }

    private List<String> words(String... arguments) {
        List<String> words = new ArrayList<>(List.of(
                "nsenter", "--net=" + namespace, state.resolve("kubectl").toString()));
        words.addAll(List.of(arguments));
        return words;
    }

    private void kubectl(String input, String... arguments) throws IOException {
        Process process = builder(words(arguments)).redirectErrorStream(true).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException("kubectl " + List.of(arguments) + ": " + answer);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private ProcessBuilder builder(List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment()
                .put(ClusterAddress.VARIABLE, state.resolve("kubeconfig").toString());
        builder.environment().put(STATE, state.toString());
        return builder;
    }
}
