// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spi.Environment;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserDirectoryTest {

    @TempDir
    Path tmp;

    private Environment user(Map<String, String> variables, String home) {
        return Environment.of(
                variables, Map.of("user.home", home, "user.name", "anna", "java.io.tmpdir", tmp.toString()));
    }

    @Test
    void liesWhereTheVariableSaysOrInTheHome() throws IOException {
        Map<String, String> variables = Map.of("XDG_CACHE_HOME", "/caches", "XDG_STATE_HOME", "relative");

        assertThat(UserDirectory.CACHE.findOrMake(user(variables, "/home/anna")))
                .isEqualTo(Path.of("/caches"));
        assertThat(UserDirectory.STATE.findOrMake(user(variables, "/home/anna")))
                .as("a relative one is ignored, as XDG says")
                .isEqualTo(Path.of("/home/anna/.local/state"));
        assertThat(tmp).isEmptyDirectory();
    }

    @Test
    void userWithoutAHomeHasAPrivateTemporaryOne() throws IOException {
        for (String home : new String[] {"?", "/", ""}) {
            assertThat(UserDirectory.CACHE.find(user(Map.of(), home))).isEmpty();
            assertThat(UserDirectory.CACHE.findOrMake(user(Map.of(), home)))
                    .isEqualTo(tmp.resolve("fiber-home-anna/.cache"));
        }
        Path made = tmp.resolve("fiber-home-anna");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");

        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> UserDirectory.STATE.findOrMake(user(Map.of(), "?")))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("its permissions are rwxrwxrwx");
    }
}
