// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.model.Image;
import io.fiber.spi.backend.Leftover;
import java.io.InputStream;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Class paths that stay on Docker's host for later sessions: images of nothing else, named by a digest of their content.
 * Docker makes an image whole or not at all, also when another session makes the same one, and removes none that a
 * container uses.
 * Thread-safe; waits for Docker.
 */
final class KeptClassPaths {

    /** What stands for a session's id where it is told what sessions have left. */
    static final String LEFTOVER = "class-paths";

    static final String LABEL = "io.fiber.class-path";

    /** Of all; what is older goes when one is added. */
    private static final long MOST_BYTES = 2L << 30;

    private static final long MB = 1_000_000;

    private KeptClassPaths() {}

    /** Returns the name of the image of a content. */
    static String image(String digest) {
        return "fiber-class-path:" + digest;
    }

    /** Makes an image, and removes the oldest when all take too much room. */
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

    /** Returns all of them, as what sessions have left. */
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
