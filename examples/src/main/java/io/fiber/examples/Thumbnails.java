// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/** Makes small pictures of all PNG and JPEG files of a directory that the workers see too. Arguments: directory target. */
public final class Thumbnails {
    private static final int GREATEST_SIDE = 128;

    private Thumbnails() {}

    /** Returns a line of what was done; a file that is no picture is no reason to stop. */
    static String shrink(String file, String target) throws IOException {
        BufferedImage image = ImageIO.read(Path.of(file).toFile());
        if (image == null) {
            return file + " is no picture";
        }
        double scale = Math.min(1, (double) GREATEST_SIDE / Math.max(image.getWidth(), image.getHeight()));
        int width = Math.max(1, (int) (image.getWidth() * scale));
        int height = Math.max(1, (int) (image.getHeight() * scale));
        BufferedImage small = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = small.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(image, 0, 0, width, height, null);
        graphics.dispose();
        Path out = Path.of(target).resolve(Path.of(file).getFileName() + ".png");
        ImageIO.write(small, "png", out.toFile());
        return out + " " + width + " x " + height;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException(
                    "Expected two arguments: the directory of pictures, and that of thumbnails.");
        }
        String target =
                Files.createDirectories(Path.of(args[1])).toAbsolutePath().toString();
        List<String> files;
        try (Stream<Path> directory = Files.list(Path.of(args[0]).toAbsolutePath())) {
            files = directory
                    .map(Path::toString)
                    .filter(file -> file.matches("(?i).*\\.(png|jpe?g)"))
                    .sorted()
                    .toList();
        }
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(4)) {
            pool.imap(file -> shrink(file, target), files).forEach(System.out::println);
        }
    }
}
