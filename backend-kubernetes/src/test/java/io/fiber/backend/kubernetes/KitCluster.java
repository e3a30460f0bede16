// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fiber.backend.support.SessionLabels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A test's own way to the cluster, as whom {@code dev/kubernetes/up} lets do everything. */
final class KitCluster implements AutoCloseable {

    /** The variable that names {@link #NAMESPACE}. */
    static final String NAMESPACE_VARIABLE = "FIBER_TEST_NAMESPACE";

    /** The namespace of the sessions of this JVM, so that several kits can run beside each other. */
    static final String NAMESPACE = System.getenv().getOrDefault(NAMESPACE_VARIABLE, "default");

    private final KubernetesClient client;

    KitCluster() {
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(
                        TestCluster.files().resolve("kubeconfig").toFile()))
                .withHttpClientFactory(new JdkHttpClientFactory())
                .build();
    }

    KubernetesClient client() {
        return client;
    }

    /** Returns the pods of sessions that are there, also those that are going. */
    List<Pod> pods() {
        return client.pods()
                .inNamespace(NAMESPACE)
                .withLabel(SessionLabels.SESSION)
                .list()
                .getItems();
    }

    Pod pod(String name) {
        return client.pods().inNamespace(NAMESPACE).withName(name).require();
    }

    /** Returns what sessions have left. */
    List<String> remains() {
        List<String> names = new ArrayList<>();
        pods().forEach(pod -> names.add(
                "pod " + pod.getMetadata().getName() + " " + pod.getStatus().getPhase()));
        client.secrets()
                .inNamespace(NAMESPACE)
                .withLabel(SessionLabels.SESSION)
                .list()
                .getItems()
                .forEach(secret -> names.add("secret " + secret.getMetadata().getName()));
        return names;
    }

    boolean isReady(String node) {
        return client.nodes().withName(node).require().getStatus().getConditions().stream()
                .anyMatch(each ->
                        each.getType().equals("Ready") && each.getStatus().equals("True"));
    }

    /** Returns how many requests for pods and secrets the API server has taken in hand. */
    long requests() {
        return client.raw("/metrics")
                .lines()
                .filter(line -> line.startsWith("apiserver_request_total{"))
                .filter(line -> line.contains("resource=\"pods\"") || line.contains("resource=\"secrets\""))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Kills the program of a pod by its node's containerd: the cluster has no part in it. */
    void kill(String name) {
        Pod pod = pod(name);
        ContainerStatus status = pod.getStatus().getContainerStatuses().get(0);
        String container = status.getContainerID().replaceFirst("^containerd://", "");
        String node = "node" + pod.getSpec().getNodeName().replaceFirst("^node-", "");
        Path socket = TestCluster.files().resolve(node).resolve("containerd.sock");
        run(List.of("ctr", "-a", socket.toString(), "-n", "k8s.io", "tasks", "kill", "-s", "SIGKILL", container));
    }

    /** Breaks or mends a part of the cluster. */
    static void fault(String... words) {
        List<String> command = new ArrayList<>(
                List.of(TestCluster.checkout().resolve("dev/kubernetes/fault").toString()));
        command.addAll(List.of(words));
        run(command);
    }

    private static void run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .start();
            process.getOutputStream().close();
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command + " ended with " + process.exitValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
