// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fiber.tck.cluster.KitResult;
import io.fiber.tck.cluster.KitRun;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;

/**
 * A cluster that {@code dev/slurm/up} has started.
 *
 * @param mode simple or namespaces
 * @param user who submits jobs
 * @param configuration the file that SLURM_CONF names
 */
record TestCluster(String mode, String user, Path configuration) {

    static final String MISSING =
            "No cluster of dev/slurm/up is up; as root: dev/slurm/up simple; dev/slurm/up namespaces."
                    + " These tests must run as root, too: they change to the cluster's user.";

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

    /** Returns those that are up and can be used by this process. */
    static List<TestCluster> all() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return List.of();
        }
        return Stream.of("simple", "namespaces")
                .filter(mode -> Files.exists(STATE.resolve(mode).resolve("slurmctld.pid")))
                .map(mode -> new TestCluster(
                        mode,
                        Optional.ofNullable(System.getenv("TEST_SLURM_USER")).orElse("fiber-slurm"),
                        STATE.resolve(mode).resolve("slurm.conf")))
                .toList();
    }

    /** Runs test classes in a JVM of root, whose class path and home no other user can read: a workstation. */
    List<DynamicNode> runOnWorkstation(List<Class<?>> tests) {
        Path own = Path.of(Cluster.run("mktemp", "-d", "/var/tmp/fiber-slurm-workstation-XXXXXX")
                .strip());
        Path shared = sharedDirectory();
        try {
            List<String> words = onWorkstation();
            words.addAll(List.of("env", "-C", own.toString(), "-u", "SLURM_CONF"));
            List<String> java = java(own, tests);
            java.add(1, "-D" + OutsideFiber.DIRECTORY + "=" + shared);
            words.addAll(java);
            return results(words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            remove(own);
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

    private List<String> java(Path own, List<Class<?>> tests) throws IOException {
        List<String> words = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        words.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + own));
        words.addAll(List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
        words.addAll(List.of("-Duser.home=" + own, "-cp", copyClassPath(own), KitRun.class.getName()));
        tests.forEach(test -> words.add(test.getName()));
        return words;
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
            List<String> java = java(shared, tests);
            java.addAll(1, options);
            java.add(1, "-Dkit.mode=" + mode);
            words.addAll(java);
            return results(words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            thread.interrupt();
            hands.heal();
            remove(shared);
        }
    }

    private List<DynamicNode> results(List<String> words) throws IOException {
        List<DynamicNode> results = new ArrayList<>();
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment()
                .put(SshFixture.DIRECTORY, configuration.resolveSibling("ssh").toString());
        builder.environment().put(SshFixture.NODES, mode);
        Process process = builder.start();
        process.getOutputStream().close();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                KitResult.read(line).ifPresent(result -> results.add(retold(result)));
            }
            int code = process.waitFor();
            if (code != 0 || results.isEmpty()) {
                results.add(dynamicTest(
                        mode + ": the JVM of " + user,
                        () -> fail("It ended with " + code + " after " + results.size() + " tests.")));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
        return results;
    }

    private DynamicNode retold(KitResult result) {
        return new KitResult(mode + ": " + result.test(), result.outcome(), result.text()).retold();
    }

    /** Makes a directory that all nodes see and the user owns: nodes have a /tmp of their own. */
    private Path sharedDirectory() {
        String made = Cluster.run("runuser", "-u", user, "--", "mktemp", "-d", "/var/tmp/fiber-slurm-tests-XXXXXX");
        return Path.of(made.strip());
    }

    /** The user need not see this checkout nor the repository of Maven. */
    private static String copyClassPath(Path shared) throws IOException {
        Path library = Files.createDirectory(shared.resolve("lib"));
        List<String> copies = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path from = Path.of(entry);
            Path to = library.resolve(copies.size() + "-" + from.getFileName());
            if (Files.exists(from)) {
                copyTree(from, to);
                copies.add(to.toString());
            }
        }
        Files.copy(Path.of("..", "docs", Manual.PAGE), library.resolve(Manual.PAGE));
        Cluster.run("chmod", "-R", "a+rX", library.toString());
        return String.join(File.pathSeparator, copies);
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.copy(file, Files.isSameFile(file, from) ? to : copy, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static void remove(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
