// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fiber.tck.cluster.KitJvm;
import io.fiber.tck.cluster.KitRun;
import io.fiber.tck.host.FixtureDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;

/**
 * A cluster that {@code dev/slurm/up} has started.
 *
 * @param mode simple, accounting, namespaces or site
 * @param user who submits jobs
 * @param configuration the file that SLURM_CONF names
 * @param client of SSH, if tests do not leave the choice to the backend
 */
record TestCluster(String mode, String user, Path configuration, Optional<String> client) {

    static final String MISSING =
            "No such cluster of dev/slurm/up is up; as root: dev/slurm/up simple|accounting|namespaces|site."
                    + " These tests must run as root, too: they change to the cluster's user.";

    /** A job tells nothing before it ends, and the whole contract runs in one. */
    private static final Duration SILENCE_LIMIT = Duration.ofHours(2);

    /** Of the user. */
    static final String LANGUAGE = "C.UTF-8";

    /** A room for a process beside the tasks of each node, and what a task may need of GPUs. */
    private static final String AS_A_JOB = """
            sbatch --wait --nodes=4 --ntasks-per-node=3 --mem=3000 --gres=gpu:2 --output=job.out --error=job.err \\
                --wrap="exec $(printf '%q ' "$@")" >/dev/null
            status=$?
            cat job.err >&2
            cat job.out
            exit $status
            """;

    private static final Path STATE = Path.of(Optional.ofNullable(System.getenv("TEST_SLURM_STATE"))
            .orElse("/var/tmp/fiber-slurm"
                    + Optional.ofNullable(System.getenv("TEST_SLURM_NUMBER"))
                            .filter(number -> !number.equals("0"))
                            .orElse("")));

    /** Returns the same cluster, whose login node is reached by this client. */
    TestCluster overSshBy(String name) {
        return new TestCluster(mode, user, configuration, Optional.of(name));
    }

    /** Returns those for all tests that are up and can be used by this process. */
    static List<TestCluster> all() {
        return up("simple", "namespaces");
    }

    /** Returns those of these modes that are up and can be used by this process. */
    static List<TestCluster> up(String... modes) {
        if (!"root".equals(System.getProperty("user.name"))) {
            return List.of();
        }
        return Stream.of(modes)
                .filter(mode -> Files.exists(STATE.resolve(mode).resolve("slurmctld.pid")))
                .map(mode -> new TestCluster(
                        mode,
                        Optional.ofNullable(System.getenv("TEST_SLURM_USER")).orElse("fiber-slurm"),
                        STATE.resolve(mode).resolve("slurm.conf"),
                        Optional.empty()))
                .toList();
    }

    /** Runs tests on clusters, on all at the same time; where there is none, one test says so. */
    static Stream<DynamicNode> onAll(List<TestCluster> clusters, Function<TestCluster, List<DynamicNode>> tests) {
        if (clusters.isEmpty()) {
            return Stream.of(dynamicTest("a cluster", () -> abort(MISSING)));
        }
        return KitJvm.runTogether(clusters.stream()
                        .<Supplier<List<DynamicNode>>>map(cluster -> () -> tests.apply(cluster))
                        .toList())
                .stream();
    }

    /** Runs test classes in a JVM of root, whose class path and home no other user can read: a workstation. */
    List<DynamicNode> runOnWorkstation(List<Class<?>> tests) {
        Path shared = sharedDirectory();
        try (FixtureDirectory own = FixtureDirectory.openIn(Path.of("/var/tmp"))) {
            List<String> words = onWorkstation();
            words.addAll(List.of("env", "-C", own.path().toString(), "-u", "SLURM_CONF"));
            words.addAll(java(own.path(), List.of("-D" + OutsideFiber.DIRECTORY + "=" + shared), tests));
            return results(words);
        } finally {
            remove(shared);
        }
    }

    /** A host beside the nodes, with a /tmp and a /dev/shm of its own, where the cluster has a network. */
    private List<String> onWorkstation() {
        Path name = configuration.resolveSibling("workstation");
        if (Files.notExists(name)) {
            return new ArrayList<>();
        }
        try {
            String host =
                    "mount -t tmpfs -o mode=1777 tmpfs /tmp && mount -t tmpfs -o mode=1777 tmpfs /dev/shm && exec \"$@\"";
            String network = "--net=/run/netns/" + Files.readString(name).strip();
            return new ArrayList<>(List.of("nsenter", network, "unshare", "--mount", "sh", "-c", host, "workstation"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> java(Path own, List<String> options, List<Class<?>> tests) {
        List<String> all = new ArrayList<>(options);
        all.add("-Duser.home=" + own);
        return KitJvm.command(own, all, copyClassPath(own), KitJvm.names(tests));
    }

    /** Runs test classes in a JVM of the cluster's user and returns what became of each test. */
    List<DynamicNode> run(List<Class<?>> tests) {
        return run(tests, List.of());
    }

    /** Runs a part of the tests of classes. */
    List<DynamicNode> run(List<Class<?>> tests, KitRun.Part part) {
        return run(tests, List.of(part.option()));
    }

    /** Runs test classes as the cluster's user on a workstation whose files all nodes see. */
    List<DynamicNode> runOutside(List<Class<?>> tests) {
        return run(tests, List.of(), new Place(onWorkstation(), List.of()));
    }

    /** Runs test classes as the cluster's user in a job that has tasks on all nodes; their jobs are steps of it. */
    List<DynamicNode> runInside(List<Class<?>> tests) {
        return run(tests, List.of(), new Place(List.of(), List.of("bash", "-c", AS_A_JOB, "inside")));
    }

    private List<DynamicNode> run(List<Class<?>> tests, List<String> options) {
        return run(tests, options, new Place(List.of(), List.of()));
    }

    /**
     * Where a JVM runs: words before those that make it the user's, and words behind them.
     *
     * @param host who leads to another host than this one
     * @param job who makes a job of it
     */
    private record Place(List<String> host, List<String> job) {}

    private List<DynamicNode> run(List<Class<?>> tests, List<String> options, Place place) {
        Path shared = sharedDirectory();
        Path wishes = Hands.directory(shared);
        Cluster.run("runuser", "-u", user, "--", "mkdir", wishes.toString());
        Hands hands = new Hands(this, wishes);
        Thread thread = new Thread(hands, "hands");
        thread.setDaemon(true);
        thread.start();
        try {
            List<String> words = new ArrayList<>(place.host);
            words.addAll(List.of("runuser", "-u", user, "--", "env", "-C", shared.toString()));
            words.addAll(List.of("-u", "LC_ALL", "LANG=" + LANGUAGE));
            words.add("SLURM_CONF=" + configuration);
            words.add("HOME=" + shared);
            words.addAll(place.job);
            List<String> all = new ArrayList<>(options);
            all.add("-Dkit.mode=" + mode);
            words.addAll(java(shared, all, tests));
            return results(words);
        } finally {
            thread.interrupt();
            hands.heal();
            remove(shared);
        }
    }

    private List<DynamicNode> results(List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment()
                .put(SshFixture.DIRECTORY, configuration.resolveSibling("ssh").toString());
        builder.environment().put(SshFixture.NODES, mode);
        client.ifPresent(name -> builder.environment().put(SlurmFixture.CLIENT, name));
        return KitJvm.run(builder, mode + ": ", SILENCE_LIMIT);
    }

    /** Makes a directory that all nodes see and the user owns: nodes have a /tmp of their own. */
    private Path sharedDirectory() {
        String made = Cluster.run("runuser", "-u", user, "--", "mktemp", "-d", "/var/tmp/fiber-slurm-tests-XXXXXX");
        return Path.of(made.strip());
    }

    private static String copyClassPath(Path shared) {
        Path library = shared.resolve("lib");
        String classPath = KitJvm.copyClassPath(library);
        Cluster.run("cp", Path.of("..", "docs", Manual.PAGE).toString(), library.toString());
        Cluster.run("chmod", "-R", "a+rX", library.toString());
        return classPath;
    }

    private static void remove(Path root) {
        Cluster.run("rm", "-rf", root.toString());
    }
}
