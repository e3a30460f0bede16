// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.support.SessionLabels;
import io.fiber.spec.Volume;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.cluster.Gate;
import io.fiber.tck.host.FixtureDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real cluster as the compatibility kit sees it: beside the pods behind a gate that can be shut, in a pod without one.
 * Public with a public constructor, because a second JVM makes one too.
 */
public class KubernetesFixture implements BackendFixture {

    /** Where a pod of the kit has the files of its node. */
    static final String NODE = "/node";

    static final Duration LEFT_LIMIT = Duration.ofMinutes(3);

    private static final String KIT_IN_PODS = "/kit";
    private static final Pattern SERVER = Pattern.compile("server: \"(https://[0-9.:]+)\"");

    private final FixtureDirectory directory = FixtureDirectory.open();
    private final Optional<Gate> gate;

    public KubernetesFixture() {
        try {
            gate = beside() ? Optional.of(makeGate()) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether this process is beside the pods, and not in one. */
    private static boolean beside() {
        return Environment.system().variable(ClusterAddress.VARIABLE).isPresent();
    }

    private Gate makeGate() throws IOException {
        String text = Files.readString(Path.of(requireNonNull(System.getenv(ClusterAddress.VARIABLE))));
        Matcher server = SERVER.matcher(text);
        assertThat(server.find()).as("the server's address").isTrue();
        URI uri = URI.create(server.group(1));
        Gate made =
                Gate.before(InetAddress.getByName(uri.getHost()), new InetSocketAddress(uri.getHost(), uri.getPort()));
        Files.writeString(
                kubeconfig(),
                text.replace(
                        server.group(1),
                        "https://" + uri.getHost() + ":" + made.address().getPort()));
        return made;
    }

    private Path kubeconfig() {
        return directory.path().resolve("kubeconfig");
    }

    @Override
    public String name() {
        return "kubernetes";
    }

    @Override
    public BackendProvider provider() {
        return new KubernetesBackendProvider();
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.of(
                Capability.LOGS,
                Capability.CONSOLE,
                Capability.CPU_LIMIT,
                Capability.MEMORY_LIMIT,
                Capability.GPU,
                Capability.IMAGE,
                Capability.VOLUMES,
                Capability.LABELS,
                Capability.TIME_LIMIT,
                Capability.RESTARTS,
                Capability.WORKING_DIRECTORY,
                Capability.PREEMPTION_NOTICE);
    }

    @Override
    public JobSpec.Builder javaJob(Class<?> main, String... arguments) {
        return BackendFixture.javaJob(List.of(BackendFixture.placeOf(main)), main, arguments);
    }

    /** No class path is sent for a plain command: the kit's classes are mounted from the node, which is this machine. */
    @Override
    public JobSpec.Builder commandJob(Class<?> main, String... arguments) {
        List<String> words = new ArrayList<>(List.of("java", "-XX:+UseSerialGC", "-cp", KIT_IN_PODS, main.getName()));
        words.addAll(List.of(arguments));
        String place = BackendFixture.placeOf(main).replaceFirst("^" + NODE, "");
        return JobSpec.builder(new Program.Command(words))
                .volumes(List.of(Volume.of(place, KIT_IN_PODS).readOnly()));
    }

    @Override
    public Path directory() {
        return directory.path();
    }

    /** Each is a pod, and takes a node a second. */
    @Override
    public int manyJobs() {
        return 20;
    }

    @Override
    public Duration startLimit() {
        return Duration.ofMinutes(3);
    }

    /** It begins with the pod: the class path is fetched and the program starts within it, also on a busy machine. */
    @Override
    public Duration shortestTimeLimit() {
        return Duration.ofSeconds(30);
    }

    /** What removes pods after an outage is a JVM of its own, which a busy machine may let wait. */
    @Override
    public Duration endLimit() {
        return Duration.ofMinutes(3);
    }

    /** A minute is promised of pods. What removes them is a JVM that starts then, which a busy machine may let wait. */
    @Override
    public Duration orphanLimit() {
        return endLimit();
    }

    /** A timer of the client lives for ten seconds after its last entry, for another client that may come. */
    @Override
    public Duration leakLimit() {
        return Duration.ofSeconds(30);
    }

    /** Of the only registry that this cluster reaches. */
    @Override
    public String missingImage() {
        return TestCluster.REGISTRY + BackendFixture.super.missingImage();
    }

    @Override
    public Options options() {
        return options(Map.of());
    }

    /** Returns options of the test cluster and these. */
    static Options options(Map<String, String> values) {
        Map<String, String> all = new TreeMap<>(Map.of("image", TestCluster.IMAGE, "namespace", KitCluster.NAMESPACE));
        all.putAll(values);
        return BackendFixture.options(new KubernetesBackendProvider(), all);
    }

    @Override
    public Environment environment() {
        return gate.isEmpty() ? Environment.system() : reaching(kubeconfig());
    }

    /** Returns this process's environment, with another kubeconfig. */
    static Environment reaching(Path kubeconfig) {
        Map<String, String> variables = new TreeMap<>(System.getenv());
        variables.put(ClusterAddress.VARIABLE, kubeconfig.toString());
        return Environment.of(variables, Map.of("user.home", System.getProperty("user.home")));
    }

    /** The same in a JVM that is killed: a gate would die with it, and what cleans up behind it could not pass. */
    public static final class Master extends KubernetesFixture {
        public Master() {}

        @Override
        public Environment environment() {
            return Environment.system();
        }
    }

    @Override
    public Optional<Class<? extends BackendFixture>> masterFixture() {
        return Optional.of(Master.class);
    }

    @Override
    public Optional<Outage> outage() {
        return gate.map(Gate::outage);
    }

    @Override
    public Optional<Consumer<Job>> killer() {
        return gate.map(each -> job -> {
            try (KitCluster cluster = new KitCluster()) {
                cluster.kill(job.id());
            }
        });
    }

    @Override
    public Optional<Consumer<Job>> preempter() {
        return Optional.of(job -> {
            try (KitCluster cluster = new KitCluster()) {
                cluster.client()
                        .pods()
                        .inNamespace(KitCluster.NAMESPACE)
                        .withName(job.id())
                        .withGracePeriod(10)
                        .delete();
            }
        });
    }

    @Override
    public Optional<String> hostOf(Job job) {
        try (KitCluster cluster = new KitCluster()) {
            return Optional.of(cluster.pod(job.id()).getSpec().getNodeName());
        }
    }

    @Override
    public Optional<List<String>> left(String sessionId) {
        try (KitCluster cluster = new KitCluster()) {
            return Optional.of(cluster.pods().stream()
                    .filter(pod ->
                            sessionId.equals(pod.getMetadata().getLabels().get(SessionLabels.SESSION)))
                    .map(pod ->
                            pod.getMetadata().getName() + " " + pod.getStatus().getPhase())
                    .toList());
        }
    }

    @Override
    public Optional<Map<String, String>> labelsOf(Job job) {
        try (KitCluster cluster = new KitCluster()) {
            return Optional.of(cluster.pod(job.id()).getMetadata().getLabels());
        }
    }

    /** Waits until no session has left anything on the cluster. */
    static void awaitNothingLeft() {
        awaitNothingLeft(LEFT_LIMIT);
    }

    static void awaitNothingLeft(Duration limit) {
        try (KitCluster cluster = new KitCluster()) {
            await().atMost(limit)
                    .untilAsserted(() ->
                            assertThat(cluster.remains()).as("pods and secrets").isEmpty());
        }
    }

    @Override
    public void close() {
        try {
            awaitNothingLeft();
        } finally {
            gate.ifPresent(Gate::close);
            directory.close();
        }
    }
}
