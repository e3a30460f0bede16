// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the sockets of this process that are bound to any address of the host: listening TCP sockets, and UDP sockets
 * without a peer. Linux only.
 */
final class OpenSockets {

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path NETWORK = Path.of("/proc/self/net");
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");
    private static final Pattern ANY_ADDRESS = Pattern.compile("0+:[0-9A-F]{4}");
    private static final Pattern NO_PEER = Pattern.compile("0+:0000");
    private static final String LISTENS = "0A";
    private static final int LOCAL = 1;
    private static final int PEER = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;

    private OpenSockets() {}

    /** Returns the identity of each of them, with a description; empty if the system does not show them. */
    static Optional<Map<String, String>> atAnyAddress() {
        if (!Files.isDirectory(DESCRIPTORS) || !Files.isDirectory(NETWORK)) {
            return Optional.empty();
        }
        Set<String> own = own();
        Map<String, String> found = new HashMap<>();
        for (String protocol : List.of("tcp", "tcp6", "udp", "udp6")) {
            for (String line : lines(NETWORK.resolve(protocol))) {
                String[] fields = line.strip().split(" +", -1);
                if (fields.length > INODE && own.contains(fields[INODE]) && isOpen(protocol, fields)) {
                    found.put(fields[INODE], protocol + " port " + portOf(fields[LOCAL]) + " of all addresses");
                }
            }
        }
        return Optional.of(found);
    }

    private static boolean isOpen(String protocol, String[] fields) {
        boolean takesAll = protocol.startsWith("tcp")
                ? fields[STATE].equals(LISTENS)
                : NO_PEER.matcher(fields[PEER]).matches();
        return takesAll && ANY_ADDRESS.matcher(fields[LOCAL]).matches();
    }

    private static int portOf(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
    }

    private static Set<String> own() {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : descriptors) {
                Matcher socket = SOCKET.matcher(target(descriptor));
                if (socket.matches()) {
                    inodes.add(socket.group(1));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return inodes;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return ""; // It was closed meanwhile.
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
