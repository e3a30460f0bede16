// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.docker.ScriptedDocker.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class KeptClassPathsTest {

    private static String image(String id, int created, long bytes) {
        return "{\"Id\":\"" + id + "\",\"Created\":" + created + ",\"Size\":" + bytes + "}";
    }

    @Test
    void oldestGoWhenAllTakeTooMuchRoom() throws IOException {
        try (ScriptedDocker docker = new ScriptedDocker()
                        .with("POST /images/create", Answer.of(200, "{\"status\":\"sha256:new\"}"))
                        .with(
                                "GET /images/json",
                                Answer.of(
                                        200,
                                        "[" + image("oldest", 1, 1) + "," + image("new", 4, 2_000_000_000) + ","
                                                + image("used", 2, 5) + "," + image("last", 3, 200_000_000) + "]"))
                        .with("DELETE /images/used", Answer.of(409, "{\"message\":\"a container uses it\"}"))
                        .with("DELETE /images/oldest", Answer.of(200, "[]"));
                Engine engine = docker.connect()) {
            KeptClassPaths.add(engine, "new", new ByteArrayInputStream(new byte[1]));

            assertThat(docker.count("POST /images/create")).isEqualTo(1);
            assertThat(docker.count("DELETE /images/used")).isEqualTo(1);
            assertThat(docker.count("DELETE /images/oldest")).isEqualTo(1);
            assertThat(docker.count("DELETE /images/new") + docker.count("DELETE /images/last"))
                    .isZero();
        }
    }
}
