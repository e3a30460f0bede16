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

/** The container in which this process runs, if it belongs to the same engine. */
final class OwnContainer {

    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

    /** Docker and Podman mount the file with the host's name from a directory that contains the container's id. */
    private static final Pattern HOST_FILE = Pattern.compile("containers/([0-9a-f]{64})/\\S+ /etc/hostname ");

    private static final String CONTAINER = "container-";
    private static final int SHORT = 12;

    private OwnContainer() {}

    /** Returns the labels of a session's program: its container if it belongs to this engine, otherwise its process. */
    static Map<String, String> ownerLabels(Engine engine) {
        Map<String, String> labels = new TreeMap<>(SessionOwner.labels());
        id().filter(id -> life(engine, CONTAINER + id) == SessionOwner.Life.LIVES)
                .ifPresent(id -> labels.put(SessionOwner.OWNER, CONTAINER + id.substring(0, SHORT)));
        return labels;
    }

    /** Returns whether the owner in a label is alive. */
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

    /** Returns the id of the container in which this process runs, whatever its engine. */
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
