// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.nio.file.Path;
import java.util.List;

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
            int next = pool.apply(number -> number + 1, 1);
            System.out.println(next);
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
        }
    }
}
