// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The engine of {@code dev/docker/up} is stopped, while its containers run on, until this is closed. */
final class EngineOutage implements AutoCloseable {

    EngineOutage() {
        tell("stop");
    }

    private static void tell(String what) {
        try {
            Process process = new ProcessBuilder(
                            Path.of("..", "dev", "docker", "engine").toString(), what)
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
        } catch (IOException e) {
            throw new AssertionError("dev/docker/engine cannot be run.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while the engine was told to " + what + ".", e);
        }
    }

    @Override
    public void close() {
        tell("start");
    }
}
