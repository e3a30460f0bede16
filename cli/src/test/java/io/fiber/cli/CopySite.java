// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A place on a real cluster that files are copied to and from, which this host can look into.
 *
 * @param cli the command beside the cluster
 * @param options say which cluster
 * @param there how the command names the place, up to the path in it
 * @param ground what this host sees of the place
 * @param cutting ends the processes of the copy, whichever they are
 * @param removing takes the place away
 */
record CopySite(Cli cli, List<String> options, String there, Path ground, Runnable cutting, Runnable removing)
        implements AutoCloseable {

    /** The clusters that there may be. */
    enum Kind {
        DOCKER,
        KUBERNETES,
        SLURM
    }

    static CopySite of(Kind kind, Cli plain) throws IOException {
        // File names are text to a JVM in the encoding of its language.
        Cli cli = plain.with("LC_ALL", "C.UTF-8");
        return switch (kind) {
            case DOCKER -> docker(TestClusters.besideDocker(cli));
            case KUBERNETES -> kubernetes(TestClusters.besideKubernetes(cli));
            case SLURM -> slurm(cli);
        };
    }

    private static CopySite docker(Cli cli) {
        String volume = "fiber-cp-" + ProcessHandle.current().pid();
        TestClusters.docker("volume", "create", volume);
        return new CopySite(
                cli,
                List.of("--backend", "docker", "--image", "fiber-test:jre", "-s", "docker.user=0:0"),
                volume + ":",
                TestClusters.state("docker")
                        .resolve("data/volumes")
                        .resolve(volume)
                        .resolve("_data"),
                () -> TestClusters.docker(
                        "kill",
                        TestClusters.docker("ps", "-q", "--filter", "label=io.fiber.session")
                                .strip()),
                () -> TestClusters.docker("volume", "rm", "--force", volume));
    }

    /** Both nodes are on this host, and see its directories. */
    private static CopySite kubernetes(Cli cli) throws IOException {
        Path ground = directoryForAll();
        String claim = "fiber-cp-" + ProcessHandle.current().pid();
        Path manifest = Files.writeString(
                cli.directory().resolve("claim.yaml"),
                String.join(
                        "\n",
                        "apiVersion: v1",
                        "kind: PersistentVolume",
                        "metadata: {name: " + claim + "}",
                        "spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteMany], storageClassName: '',"
                                + " hostPath: {path: " + ground + "}}",
                        "---",
                        "apiVersion: v1",
                        "kind: PersistentVolumeClaim",
                        "metadata: {name: " + claim + "}",
                        "spec: {accessModes: [ReadWriteMany], storageClassName: '', volumeName: " + claim
                                + ", resources: {requests: {storage: 1Gi}}}",
                        ""));
        TestClusters.kubectl("apply", "-f", manifest.toString());
        return new CopySite(
                cli,
                List.of("--backend", "kubernetes", "--image", "fiber-test:jre"),
                claim + ":",
                ground,
                () -> TestClusters.kubectl("delete", "pods", "-l", "io.fiber.session", "--force", "--grace-period=0"),
                () -> TestClusters.kubectl("delete", "-f", manifest.toString()));
    }

    private static CopySite slurm(Cli cli) throws IOException {
        Path ground = directoryForAll();
        return new CopySite(
                cli, TestClusters.slurmBySsh(), ":" + ground + "/", ground, TestClusters::cancelAllOfSlurm, () -> {});
    }

    private static Path directoryForAll() throws IOException {
        Path directory = Files.createTempDirectory(Path.of("/var/tmp"), "fiber-cp-");
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    /** Returns the words of a copy with these options before what is copied and where to. */
    String[] copy(String from, String to, String... more) {
        List<String> words = new ArrayList<>(List.of("cp"));
        words.addAll(options);
        words.addAll(Arrays.asList(more));
        words.addAll(List.of(from, to));
        return words.toArray(String[]::new);
    }

    @Override
    public void close() throws IOException {
        removing.run();
        TestTrees.remove(ground);
    }
}
