// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is no executable jar; those that are one are unpacked from real programs in backend-local. */
class ExecutableJarTest {

    @TempDir
    Path directory;

    @Test
    void jarWithoutNestedJarsAndDirectoryAreLeftAsTheyAre() throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "my.Program");
        Path jar = directory.resolve("plain.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        List<String> classPath = List.of(
                jar.toString(),
                directory.toString(),
                directory.resolve("none.jar").toString());

        assertThat(ExecutableJar.unpacked(classPath, Environment.of(Map.of(), Map.of())))
                .isEqualTo(classPath);
    }
}
