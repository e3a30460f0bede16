// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.slurm.ssh.SilentHost;
import io.fiber.backend.slurm.ssh.SshOptions;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Login nodes that do not answer. {@link SshClusterTest} runs it as the user of a cluster. */
class SshSilenceKit {

    @TempDir
    Path directory;

    private Throwable failureOfOpening(String config) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), config);
        return KitSession.failureOfOpening(
                directory, Map.of(SshOptions.HOST, "silent", SshOptions.CONFIG, file.toString()));
    }

    private static String block(SilentHost host) {
        return "Host silent\n    HostName 127.0.0.1\n    Port " + host.port() + "\n    ConnectTimeout 1\n";
    }

    private static void assertSilent(Throwable failure, SilentHost host) {
        assertThat(failure)
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageStartingWith(
                        "FBR-150 The login node 'silent' (127.0.0.1:" + host.port() + ") cannot be reached:")
                .hasMessageMatching(".* timed out.*, as of a host that is switched off, or behind a firewall that drops"
                        + " packets, or in a network that needs a VPN\\. .*")
                .hasMessageContaining("Running jobs go on");
    }

    @Test
    void hostWhosePacketsAreDroppedIsGivenUpInTime() throws IOException {
        try (SilentHost host = SilentHost.full()) {
            assertSilent(failureOfOpening(block(host)), host);
        }
    }

    @Test
    void hostThatSaysNothingIsGivenUpInTime() throws IOException {
        try (SilentHost host = SilentHost.open()) {
            assertSilent(failureOfOpening(block(host)), host);
        }
    }

    @Test
    void hostBehindAnotherThatSaysNothingIsGivenUpInTime() throws IOException {
        String login = Files.readString(SshFixture.directoryOfLogin().resolve("config"));
        try (SilentHost host = SilentHost.open()) {
            assertSilent(failureOfOpening(login + block(host) + "    ProxyJump login\n"), host);
        }
    }
}
