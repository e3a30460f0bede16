// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import io.fiber.runtime.platform.Teardown;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The journals of a session. Each is opened by the first call that names it, and stays open as long as the session.
 * Thread-safe.
 */
public final class Journals {

    private final Map<Path, Journal> open = new HashMap<>();
    private final Teardown teardown;
    private final Runnable onFirst;

    /** Creates an empty set, whose journals are closed with a session; {@code onFirst} runs when the first one is opened. */
    public Journals(Teardown teardown, Runnable onFirst) {
        this.teardown = teardown;
        this.onFirst = onFirst;
    }

    /**
     * Returns the journal in a file.
     *
     * @throws io.fiber.FiberException FBR-580 to 582, FBR-585 if it cannot be opened
     */
    public synchronized Journal open(Path file) {
        Path path = real(file);
        Journal journal = open.get(path);
        if (journal == null) {
            journal = teardown.add(Journal.open(path));
            open.put(path, journal);
            if (open.size() == 1) {
                onFirst.run();
            }
        }
        return journal;
    }

    /** Two names of one file are one journal. */
    private static Path real(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        Path directory = absolute.getParent();
        try {
            if (absolute.toFile().exists() || directory == null) {
                return absolute.toRealPath();
            }
            return directory.toRealPath().resolve(absolute.getFileName());
        } catch (IOException e) {
            return absolute;
        }
    }
}
