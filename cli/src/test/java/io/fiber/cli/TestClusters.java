// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;

/** The clusters that the programs in {@code dev} have started; a test that needs one is skipped without it. */
final class TestClusters {

    private TestClusters() {}

    /** Returns the command beside the containers of {@code dev/docker/up}. */
    static Cli besideDocker(Cli cli) {
        Path socket = state("docker").resolve("docker.sock");
        assumeTrue(Files.exists(socket), "no engine of dev/docker/up is up");
        return cli.with("DOCKER_HOST", "unix://" + socket).startedBy(inside("docker"));
    }

    /** Returns the command beside the pods of {@code dev/kubernetes/up}. */
    static Cli besideKubernetes(Cli cli) {
        Path config = state("kubernetes").resolve("kubeconfig");
        assumeTrue(
                isRoot() && Files.exists(state("kubernetes").resolve("env.sh")),
                "no cluster of dev/kubernetes/up is up, or this is not its user");
        return cli.with("KUBECONFIG", config.toString()).startedBy(inside("kubernetes"));
    }

    /** Returns the settings that lead to the login node of {@code dev/slurm/up simple}, as words of a command. */
    static List<String> slurmBySsh() {
        Path config = state("slurm").resolve("simple/ssh/config");
        assumeTrue(
                isRoot() && Files.exists(config),
                "no cluster of dev/slurm/up simple is up, or its keys are not this user's");
        return List.of("--backend", "slurm", "-s", "slurm.ssh-host=login", "-s", "slurm.ssh-config=" + config);
    }

    /** Returns the user of the cluster of {@code dev/slurm/up simple}, on a host that is part of it. */
    static SlurmUser userOfSlurm() throws IOException, InterruptedException {
        Path config = state("slurm").resolve("simple/slurm.conf");
        assumeTrue(isRoot() && Files.exists(config), "no cluster of dev/slurm/up simple is up, or this is not root");
        String name = Optional.ofNullable(System.getenv("TEST_SLURM_USER")).orElse("fiber-slurm");
        return SlurmUser.of(name, config);
    }

    /** Returns the jobs of the cluster of {@code dev/slurm/up simple}, one in a line. */
    static String squeue() {
        Path config = state("slurm").resolve("simple/slurm.conf");
        return answer(Map.of("SLURM_CONF", config.toString()), List.of("squeue", "--noheader"));
    }

    /** Cancels the jobs of the cluster of {@code dev/slurm/up simple}. */
    static void cancelAllOfSlurm() {
        Path config = state("slurm").resolve("simple/slurm.conf");
        String user = Optional.ofNullable(System.getenv("TEST_SLURM_USER")).orElse("fiber-slurm");
        answer(Map.of("SLURM_CONF", config.toString()), List.of("scancel", "--user=" + user));
    }

    /**
     * Runs what ends a run on this platform, or cleans it, while no other test does, also none of another JVM: 'fiber clean'
     * takes whatever has ended there.
     */
    static void alone(String kind, Executable test) throws Throwable {
        Path file = state(kind).resolve("clean.lock");
        try (FileChannel turn = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            turn.lock();
            test.execute();
        }
    }

    /** Returns what docker answers. */
    static String docker(String... arguments) {
        List<String> words = new ArrayList<>(List.of("docker"));
        words.addAll(List.of(arguments));
        Path socket = state("docker").resolve("docker.sock");
        return answer(Map.of("DOCKER_HOST", "unix://" + socket), words);
    }

    /** Returns the words that start a command in the network of a cluster. */
    static String[] inside(String kind) {
        return new String[] {"nsenter", "--net=/run/netns/fiber-" + kind + number(kind)};
    }

    /** Returns the archive of the image with a JRE that the nodes of {@code dev/kubernetes/up} have. */
    static Path imageWithJre() throws IOException {
        Path cache = Path.of(
                Optional.ofNullable(System.getenv("TEST_KUBERNETES_CACHE")).orElse("/var/tmp/fiber-kubernetes-cache"));
        try (Stream<Path> files = Files.list(cache)) {
            Optional<Path> archive = files.filter(
                            file -> file.getFileName().toString().matches("jre-.*\\.image\\.tar"))
                    .findFirst();
            assumeTrue(archive.isPresent(), "dev/kubernetes/up has made no image");
            return archive.get();
        }
    }

    /** Returns what kubectl answers. */
    static String kubectl(String... arguments) {
        List<String> words = new ArrayList<>(List.of(inside("kubernetes")));
        words.add(state("kubernetes").resolve("kubectl").toString());
        words.addAll(List.of(arguments));
        Path config = state("kubernetes").resolve("kubeconfig");
        return answer(Map.of("KUBECONFIG", config.toString()), words);
    }

    private static String answer(Map<String, String> variables, List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().putAll(variables);
        try {
            Process process = builder.start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns the address of the API server. */
    static String apiServer() {
        return kubectl("config", "view", "-o", "jsonpath={.clusters[0].cluster.server}");
    }

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    static Path state(String kind) {
        return Path.of(Optional.ofNullable(System.getenv(variable(kind, "STATE")))
                .orElse("/var/tmp/fiber-" + kind + number(kind)));
    }

    private static String number(String kind) {
        return Optional.ofNullable(System.getenv(variable(kind, "NUMBER")))
                .filter(digit -> !digit.equals("0"))
                .orElse("");
    }

    private static String variable(String kind, String what) {
        return "TEST_" + kind.toUpperCase(Locale.ROOT) + "_" + what;
    }
}
