// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import io.fiber.FiberException;
import java.nio.file.Path;
import java.util.Optional;

/** One end of a copy, as given on the command line. */
public sealed interface Place {

    /**
     * A place on this host.
     *
     * @param text as it was typed; a slash at its end is significant
     */
    record Here(String text) implements Place {}

    /**
     * A place that processes of the backend see.
     *
     * @param volume the volume's name; empty for a path of their own file system
     * @param path path below the volume's root, without a leading slash; for their own file system, as it was typed
     */
    record There(Optional<String> volume, String path) implements Place {

        @Override
        public String toString() {
            return volume.orElse("") + ":" + path;
        }
    }

    /**
     * Parses {@code PATH}, {@code VOLUME:PATH} or {@code :PATH}. A colon after a slash belongs to a file name.
     *
     * @throws FiberException FBR-559 if a path leads out of its volume
     */
    static Place of(String text) {
        int colon = text.indexOf(':');
        int slash = text.indexOf('/');
        if (colon < 0 || (slash >= 0 && slash < colon)) {
            return new Here(text);
        }
        String path = text.substring(colon + 1);
        return colon == 0
                ? new There(Optional.empty(), path)
                : new There(Optional.of(text.substring(0, colon)), inside(text, path));
    }

    private static String inside(String text, String path) {
        String relative = path.replaceFirst("^/+", "");
        if (Path.of(relative).normalize().startsWith("..")) {
            throw new FiberException(
                    "FBR-559",
                    "The place '" + text
                            + "' leads out of the volume; expected VOLUME:PATH with a path below its root.");
        }
        return relative;
    }
}
