// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A program that uses libraries which backends use, too: says where each comes from, then what a pool says. */
public final class ProgramWithLibraries {

    private static final List<String> TYPES = List.of(
            "com.fasterxml.jackson.databind.ObjectMapper",
            "com.fasterxml.jackson.core.JsonFactory",
            "com.google.common.collect.ImmutableList",
            "org.apache.commons.lang3.StringUtils",
            "org.apache.commons.compress.archivers.tar.TarArchiveEntry",
            "org.apache.commons.io.IOUtils",
            "org.yaml.snakeyaml.DumperOptions",
            "org.slf4j.Marker");

    private ProgramWithLibraries() {}

    private static int next(int number) {
        try (Pool own = Fiber.current().pool(1)) {
            return own.apply(more -> more + 1, number);
        }
    }

    /** Tells whether this process has the client of Docker or Kubernetes that a backend brings. */
    private static boolean hasClient() {
        return Stream.of(
                        "docker/shaded/com/github/dockerjava/api/DockerClient",
                        "kubernetes/shaded/io/fabric8/kubernetes/client/KubernetesClient")
                .anyMatch(type -> ClassLoader.getSystemResource("io/fiber/backend/" + type + ".class") != null);
    }

    public static void main(String[] args) throws Exception {
        for (String type : TYPES) {
            Class<?> found = Class.forName(type);
            System.out.println(Path.of(found.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .getFileName());
        }
        Object tree = Class.forName(TYPES.get(0))
                .getMethod("readTree", String.class)
                .invoke(Class.forName(TYPES.get(0)).getConstructor().newInstance(), "[1,2]");
        System.out.println(tree);
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(1)) {
            System.out.println("worker of a worker: " + pool.apply(ProgramWithLibraries::next, 1));
            System.out.println("client here and there: " + hasClient() + ", " + pool.apply(() -> hasClient()));
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
        }
    }
}
