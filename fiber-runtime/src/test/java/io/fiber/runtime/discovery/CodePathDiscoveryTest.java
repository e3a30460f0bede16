// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.platform.ChildJvm;
import io.fiber.runtime.platform.ChildJvm.CodePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodePathDiscoveryTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "17, CLASS_PATH, unnamed module", "17, MODULE_PATH, module orbit",
        "25, CLASS_PATH, unnamed module", "25, MODULE_PATH, module orbit"
    })
    void providersAreFoundOnTheClassPathAndTheModulePath(int version, CodePath path, String module) throws Exception {
        Path jar = new FakeJar()
                .backend("Orbit", "orbit", DiscoveryFixture.USABLE)
                .transport("Pigeon", "pigeon")
                .serializer("Json", "json")
                .write(directory.resolve("orbit.jar"));
        Path quiet = Files.writeString(directory.resolve("logging.properties"), ".level = OFF");
        List<String> options =
                List.of("-Dfiber.backend=orbit", "-Dfiber.serializer=json", "-Djava.util.logging.config.file=" + quiet);

        assertThat(new ChildJvm(directory, DiscoveryProbe.class, jar).run(version, path, options))
                .startsWith("from -Dfiber.backend the only one on the class path from -Dfiber.serializer " + module);
    }
}
