// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * What only root may do to a cluster, done for tests that run as an unprivileged user: a test puts a file into a directory
 * that both see, and it is gone when its wish has been fulfilled.
 *
 * @param cluster that suffers
 * @param wishes the directory
 */
record Hands(TestCluster cluster, Path wishes) implements Runnable {

    /** What can be asked for. */
    enum Wish {
        STOP_CONTROLLER,
        START_CONTROLLER,
        CUT_FIRST_NODE,
        MEND_FIRST_NODE,
        POWER_OFF_FIRST_NODE,
        POWER_ON_FIRST_NODE,
        MAKE_SMALL_DISK,
        REMOVE_SMALL_DISK
    }

    private static final Duration LIMIT = Duration.ofMinutes(4);

    static Path directory(Path shared) {
        return shared.resolve("wishes");
    }

    /** Returns where the disk of some hundred kilobytes is, for tests and for this. */
    static Path smallDisk(Path shared) {
        return shared.resolve("small-disk");
    }

    /** Asks for something and waits until it is done; for tests. */
    static void ask(Wish wish) {
        Path file = directory(Path.of(System.getProperty("java.io.tmpdir"))).resolve(wish.name());
        try {
            Files.writeString(file, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        await(wish.name()).atMost(LIMIT).until(() -> Files.notExists(file));
    }

    @Override
    public void run() {
        try {
            while (!Thread.interrupted()) {
                try (Stream<Path> files = Files.list(wishes)) {
                    for (Path file : files.toList()) {
                        fulfil(Wish.valueOf(file.getFileName().toString()));
                        Files.delete(file);
                    }
                }
                Thread.sleep(100);
            }
        } catch (InterruptedException | NoSuchFileException e) {
            // The tests are over.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void fulfil(Wish wish) throws IOException {
        switch (wish) {
            case STOP_CONTROLLER -> stopController();
            case START_CONTROLLER ->
                Cluster.run("slurmctld", "-f", cluster.configuration().toString());
            case MAKE_SMALL_DISK -> makeSmallDisk();
            case REMOVE_SMALL_DISK -> removeSmallDisk();
            case CUT_FIRST_NODE -> link("down");
            case MEND_FIRST_NODE -> link("up");
            case POWER_OFF_FIRST_NODE -> power("off");
            case POWER_ON_FIRST_NODE -> power("on");
        }
    }

    private static void power(String state) {
        Cluster.run(Path.of("..", "dev", "slurm", "node").toString(), state, "1");
    }

    private void stopController() throws IOException {
        Path file = cluster.configuration().resolveSibling("slurmctld.pid");
        long pid = Long.parseLong(Files.readString(file).strip());
        Cluster.run("kill", "-TERM", String.valueOf(pid));
        await().atMost(LIMIT).until(() -> ProcessHandle.of(pid).isEmpty());
    }

    private void makeSmallDisk() throws IOException {
        Path disk = Files.createDirectory(smallDisk(wishes.resolveSibling("")));
        String owner = Cluster.run("id", "-u", cluster.user()).strip();
        Cluster.run("mount", "-t", "tmpfs", "-o", "size=256k,uid=" + owner, "tmpfs", disk.toString());
    }

    private void removeSmallDisk() {
        Path disk = smallDisk(wishes.resolveSibling(""));
        if (Files.exists(disk)) {
            Cluster.run("umount", disk.toString());
            Cluster.run("rmdir", disk.toString());
        }
    }

    private static void link(String state) {
        String number = System.getenv().getOrDefault("TEST_SLURM_NUMBER", "0");
        String link = number.equals("0") ? "fibslurm1" : "fibslurm" + number + "-1";
        Cluster.run("ip", "link", "set", link, state);
    }

    /** Undoes what a test that failed may have left. */
    void heal() {
        removeSmallDisk();
        if (cluster.mode().equals("namespaces")) {
            link("up");
            power("on");
        }
        if (Files.notExists(cluster.configuration().resolveSibling("slurmctld.pid"))) {
            Cluster.run("slurmctld", "-f", cluster.configuration().toString());
        }
    }
}
