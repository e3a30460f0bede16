// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What {@code mvn install} would put into a local repository, from the jars that this build has packaged.
 *
 * @param root of the checkout
 * @param version of the modules
 */
record InstalledModules(Path root, String version) {
    private static final String GROUP = "io/fiber";

    /** Directories of modules that have a jar, by their artifact. */
    private static final Map<String, String> JARS = Map.of(
            "fiber-spi", "fiber-spi",
            "fiber-api", "fiber-api",
            "fiber-runtime", "fiber-runtime",
            "fiber-tck", "tck",
            "fiber-backend-local", "backend-local",
            "fiber-backend-support", "backend-support",
            "fiber-transport-socket", "transport-socket");

    /** Fills an empty repository; what is not ours is found in another one through links. */
    void into(Path repository, Path others) throws IOException {
        link(repository, others, Path.of("io"));
        link(repository.resolve("io"), others.resolve("io"), Path.of("fiber"));
        copy(root.resolve("pom.xml"), repository, "fiber-parent", "pom");
        copy(root.resolve("fiber-bom/pom.xml"), repository, "fiber-bom", "pom");
        for (Map.Entry<String, String> jar : JARS.entrySet()) {
            Path module = root.resolve(jar.getValue());
            copy(module.resolve("pom.xml"), repository, jar.getKey(), "pom");
            copy(module.resolve("target/" + jar.getKey() + "-" + version + ".jar"), repository, jar.getKey(), "jar");
        }
    }

    /** Links to each child but one, which becomes a directory of its own. */
    private static void link(Path directory, Path others, Path own) throws IOException {
        Files.createDirectories(directory);
        try (Stream<Path> children = Files.list(others)) {
            for (Path child : children.filter(each -> !each.endsWith(own)).toList()) {
                Files.createSymbolicLink(directory.resolve(child.getFileName().toString()), child);
            }
        }
    }

    private void copy(Path file, Path repository, String artifact, String extension) throws IOException {
        Path directory = repository.resolve(GROUP).resolve(artifact).resolve(version);
        Files.createDirectories(directory);
        Files.copy(file, directory.resolve(artifact + "-" + version + "." + extension));
    }
}
