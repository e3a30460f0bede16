// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.backend.support.SessionOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The container of the same engine that this process runs in, as far as it matters for others. */
final class OwnContainer {

    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

    /** Docker and Podman put the file with the host's name into a container from a directory that has its id. */
    private static final Pattern HOST_FILE = Pattern.compile("containers/([0-9a-f]{64})/\\S+ /etc/hostname ");

    private static final String CONTAINER = "container-";
    private static final int SHORT = 12;

    private OwnContainer() {}

    /** Returns the labels of the program of a session: its container where this engine has it, else its process. */
    static Map<String, String> ownerLabels(Engine engine) {
        Map<String, String> labels = new TreeMap<>(SessionOwner.labels());
        id().filter(id -> life(engine, CONTAINER + id) == SessionOwner.Life.LIVES)
                .ifPresent(id -> labels.put(SessionOwner.OWNER, CONTAINER + id.substring(0, SHORT)));
        return labels;
    }

    /** Tells whether what a label names lives. */
    static SessionOwner.Life life(Engine engine, String owner) {
        if (!owner.startsWith(CONTAINER)) {
            return SessionOwner.life(owner);
        }
        try {
            boolean runs = Boolean.TRUE.equals(engine.inspect(owner.substring(CONTAINER.length()))
                    .getState()
                    .getRunning());
            return runs ? SessionOwner.Life.LIVES : SessionOwner.Life.GONE;
        } catch (Refusal e) {
            return e.isNotFound() ? SessionOwner.Life.GONE : SessionOwner.Life.UNKNOWN;
        }
    }

    /** Returns the id of the container that this process runs in, of whatever engine. */
    static Optional<String> id() {
        return idOf(mounts());
    }

    private static String mounts() {
        try {
            return Files.readString(MOUNTS);
        } catch (IOException e) {
            return "";
        }
    }

    static Optional<String> idOf(String mounts) {
        Matcher file = HOST_FILE.matcher(mounts);
        return file.find() ? Optional.of(file.group(1)) : Optional.empty();
    }
}
