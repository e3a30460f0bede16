// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spec.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManagerEndpointTest {

    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path tmp;

    @Test
    void whatIsSavedIsReadAgainAndForItsOwnerAlone() throws IOException {
        Path file = tmp.resolve("endpoint");
        Files.writeString(file, "older");
        ManagerEndpoint endpoint = ManagerEndpoint.of("10.0.0.5", 7007);
        endpoint.save(file);
        assertThat(ManagerEndpoint.load(file)).isEqualTo(endpoint);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (Stream<Path> files = Files.list(tmp)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aFileThatOthersMayUseIsRefused() throws IOException {
        Path file = tmp.resolve("endpoint");
        ManagerEndpoint.of("10.0.0.5", 7007).save(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> ManagerEndpoint.load(file))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-443 The file '" + file
                        + "' contains the key of a manager, and other users have access to it")
                .hasMessageContaining("rw-r-----");
    }

    @Test
    void aFileThatIsSomethingElseIsRefusedAndNotShown() throws IOException {
        Path file = Files.createFile(
                tmp.resolve("endpoint"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        for (String content : new String[] {
            "", "secret", "fiber manager endpoint 1\nhost\nport\nc2VjcmV0\n", "fiber manager endpoint 1\nhost\n1\nsec\n"
        }) {
            Files.writeString(file, content);
            assertThatThrownBy(() -> ManagerEndpoint.load(file))
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith(
                            "FBR-443 The file '" + file + "' does not contain the endpoint of a manager")
                    .message()
                    .doesNotContain("sec\n", "secret", "c2VjcmV0");
        }
        assertThatThrownBy(() -> ManagerEndpoint.load(tmp.resolve("none")))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-443")
                .hasMessageContaining("cannot be read");
    }

    @Test
    void aShortKeyIsRefused() {
        assertThatThrownBy(() -> new ManagerEndpoint("localhost", 1, Secret.of(new byte[15])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("FBR-443 The key of a manager has 15 bytes; expected at least 16");
        assertThatThrownBy(() -> ManagerEndpoint.of("localhost", 65_536))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65536");
    }

    @Test
    void itsTextHasNoKey() {
        ManagerEndpoint endpoint = new ManagerEndpoint("::1", 7007, Secret.of(KEY));
        assertThat(endpoint).hasToString("ManagerEndpoint[[::1]:7007]");
        assertThat(endpoint.key().toString()).doesNotContain(Base64.getEncoder().encodeToString(KEY));
    }

    @Test
    void keysThatAreMadeDiffer() {
        assertThat(ManagerEndpoint.of("h", 1)).isNotEqualTo(ManagerEndpoint.of("h", 1));
    }
}
