// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.doctor;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Checks that this process can make alone: this JVM and its host. */
final class HostChecks {

    static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** A master with one worker on its host takes about 4 MB. */
    private static final long LEAST_SHARED_BYTES = 8L << 20;

    /** A program gets these options too; those of this command's own JVM say nothing about a program. */
    private static final List<String> VARIABLES_OF_OPTIONS =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private static final long ENOUGH_SHARED_BYTES = 64L << 20;

    /** Links between hosts need at least this limit of the kernel for the buffers of sockets. */
    private static final int WANTED_BUFFER_BYTES = 2 << 20;

    private HostChecks() {}

    static Finding java() {
        String variables = VARIABLES_OF_OPTIONS.stream()
                .filter(name -> System.getenv(name) != null)
                .collect(Collectors.joining(", "));
        return Finding.ok(
                "java",
                System.getProperty("java.version") + " of " + System.getProperty("java.vendor") + " in "
                        + System.getProperty("java.home") + "; "
                        + processors(Integer.toString(Runtime.getRuntime().availableProcessors()))
                        + (variables.isEmpty()
                                ? ""
                                : "; each Java program here also gets the options of" + " " + variables));
    }

    static String processors(String count) {
        return count + (count.equals("1") ? " processor" : " processors");
    }

    static Finding sharedMemory(Path directory) {
        if (!Files.isDirectory(directory)) {
            return Finding.note(
                    "shared memory",
                    directory + " does not exist; its files go below java.io.tmpdir, which may be on a disk",
                    "mount a tmpfs at " + directory);
        }
        try {
            return sharedMemory(directory, Files.getFileStore(directory).getUsableSpace(), Files.isWritable(directory));
        } catch (IOException e) {
            return Finding.note("shared memory", directory + " cannot be examined: " + e, "correct its permissions");
        }
    }

    private static Finding sharedMemory(Path directory, long freeBytes, boolean writable) {
        if (!writable) {
            return Finding.fault(
                    "shared memory",
                    "FBR-540",
                    directory + " cannot be written by this user",
                    "chmod 1777 " + directory);
        }
        String free = (freeBytes >> 20) + " MiB free in " + directory;
        if (freeBytes < LEAST_SHARED_BYTES) {
            return Finding.fault(
                    "shared memory",
                    "FBR-540",
                    "Only " + free + "; a program and one worker need " + (LEAST_SHARED_BYTES >> 20)
                            + " MiB, each further worker about 0.5 MiB",
                    "free some, or make it larger: mount -o remount,size=256m " + directory
                            + "; for a container, --shm-size=256m; on the backend docker, fiber.docker.shm-size");
        }
        return freeBytes < ENOUGH_SHARED_BYTES
                ? Finding.note(
                        "shared memory",
                        free + ", enough for about " + ((freeBytes >> 20) - 4) * 2 + " workers without pipes",
                        "make it larger for pipes and rings; for a container, --shm-size=256m")
                : Finding.ok("shared memory", free);
    }

    static Finding temporaryDirectory() {
        Path directory = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        if (!Files.isWritable(directory)) {
            return Finding.fault(
                    "files",
                    "FBR-541",
                    "The directory for temporary files, " + directory + ", cannot be written",
                    "give this user the right to write there, or name another directory: -Djava.io.tmpdir=...");
        }
        return Finding.ok("files", directory + " can be written");
    }

    static List<Finding> udpBuffers() {
        List<Finding> findings = new ArrayList<>();
        try (DatagramChannel channel = DatagramChannel.open()) {
            buffer(channel, StandardSocketOptions.SO_RCVBUF, "net.core.rmem_max", findings);
            buffer(channel, StandardSocketOptions.SO_SNDBUF, "net.core.wmem_max", findings);
        } catch (IOException e) {
            findings.add(Finding.fault(
                    "udp buffers",
                    "FBR-542",
                    "No UDP socket can be opened: " + e,
                    "allow this user to open UDP sockets"));
        }
        return findings.isEmpty()
                ? List.of(Finding.ok("udp buffers", WANTED_BUFFER_BYTES + " bytes are granted each way"))
                : findings;
    }

    private static void buffer(
            DatagramChannel channel, SocketOption<Integer> option, String sysctl, List<Finding> findings)
            throws IOException {
        channel.setOption(option, WANTED_BUFFER_BYTES);
        int granted = channel.getOption(option);
        if (granted < WANTED_BUFFER_BYTES) {
            findings.add(Finding.note(
                    "udp buffers",
                    "the kernel grants " + granted + " bytes of " + option.name() + " instead of " + WANTED_BUFFER_BYTES
                            + ", so links between hosts are slower",
                    "as root: sysctl -w " + sysctl + "=" + WANTED_BUFFER_BYTES));
        }
    }
}
