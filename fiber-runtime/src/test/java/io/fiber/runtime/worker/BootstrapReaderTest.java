// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.protocol.Bootstrap;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.ProviderName;
import io.fiber.spec.Secret;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.transport.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootstrapReaderTest {

    @TempDir
    Path directory;

    private static Environment environment(Path file) {
        return Environment.of(Map.of(JobSpec.BOOTSTRAP_VARIABLE, "file:" + file), Map.of());
    }

    @Test
    void secretIsGoneFromItsFileWhenItWasRead() throws IOException {
        ClassPathSnapshot classPath = new ClassPathSnapshot(List.of(
                new ClassPathSnapshot.Jar("/app/lib/a.jar", 10, 20),
                new ClassPathSnapshot.Directory("/app/classes", 30),
                new ClassPathSnapshot.Jar("/app/lib/b.jar", 40, 50)));
        Bootstrap written = new Bootstrap(
                "s1",
                new ProcessAddress("program", ProcessPath.of(7)),
                Secret.of(new byte[] {1, 2, 3}),
                "worker",
                "master",
                new ProviderName("aeron", "acme.Transport"),
                new Address("somewhere"),
                8160,
                Map.of(),
                Map.of(),
                classPath);
        Path file = Files.write(directory.resolve("bytes"), written.encode().copyBytes());

        Bootstrap read = BootstrapReader.read(environment(file), () -> {});

        assertThat(read.jobKey().copyBytes()).containsExactly(1, 2, 3);
        assertThat(read.maxFrameLength()).isEqualTo(8160);
        assertThat(read.classPath()).isEqualTo(classPath);
        assertThat(file).doesNotExist();
        assertThatThrownBy(() -> BootstrapReader.read(environment(file), () -> {}))
                .isInstanceOf(NoSuchFileException.class);
    }
}
