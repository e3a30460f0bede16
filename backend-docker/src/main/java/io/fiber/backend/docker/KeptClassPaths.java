// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.model.Image;
import io.fiber.spi.backend.Leftover;
import java.io.InputStream;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Class paths that stay on Docker's host for later sessions. Each is an image that contains nothing else and is named
 * by a digest of its content. Docker creates an image completely or not at all, even if another session creates the
 * same one, and removes no image that a container uses. Waits for Docker. Thread-safe.
 */
final class KeptClassPaths {

    /** Takes the place of a session's id in the list of what sessions have left. */
    static final String LEFTOVER = "class-paths";

    static final String LABEL = "io.fiber.class-path";

    /** For all of them; the oldest are removed when one is added. */
    private static final long MOST_BYTES = 2L << 30;

    private static final long MB = 1_000_000;

    private KeptClassPaths() {}

    /** Returns the name of the image for a content. */
    static String image(String digest) {
        return "fiber-class-path:" + digest;
    }

    /** Creates an image, and removes the oldest ones if all take too much room. */
    static void add(Engine engine, String digest, InputStream tar) {
        engine.makeImage(image(digest), LABEL, tar);
        long newerBytes = 0;
        for (Image image : newestFirst(engine)) {
            if (newerBytes > MOST_BYTES) {
                remove(engine, image);
            }
            newerBytes += image.getSize();
        }
    }

    /** Returns all of them as a leftover. */
    static Optional<Leftover> leftover(Engine engine) {
        List<Image> all = newestFirst(engine);
        long bytes = all.stream().mapToLong(Image::getSize).sum();
        return all.isEmpty()
                ? Optional.empty()
                : Optional.of(new Leftover(
                        LEFTOVER,
                        all.size() + " kept for later sessions (" + (bytes + MB - 1) / MB + " MB)",
                        Optional.empty()));
    }

    /** Removes all that no container uses. */
    static void remove(Engine engine) {
        newestFirst(engine).forEach(image -> remove(engine, image));
    }

    private static List<Image> newestFirst(Engine engine) {
        return engine
                .ask(docker -> docker.listImagesCmd().withLabelFilter(LABEL).exec())
                .stream()
                .sorted(Comparator.comparing(Image::getCreated).reversed())
                .toList();
    }

    private static void remove(Engine engine, Image image) {
        engine.tellIfThere(docker -> docker.removeImageCmd(image.getId()).exec());
    }
}
