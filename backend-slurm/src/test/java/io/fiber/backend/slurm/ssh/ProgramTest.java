// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The program {@code ssh}. */
@Tag("soak")
class ProgramTest extends RealSshdKit {

    @BeforeEach
    void assumeSsh() {
        Assumptions.assumeThat(LocalCommands.find("ssh", Environment.system()))
                .as("the program 'ssh'")
                .isPresent();
    }

    @Override
    String client() {
        return "program";
    }

    @Test
    void connectionThatTheConfigurationSharesIsUsedAndStaysOpen() throws Exception {
        Path socket = directory.resolve("own");
        try (OwnSshd sshd = sshd()) {
            String config = sshd.block("cluster") + "    ControlPath " + socket + "\n";
            Path file = Files.writeString(directory.resolve("config"), config);
            Process open = new ProcessBuilder("ssh", "-M", "-N", "-F", file.toString(), "cluster").start();
            try {
                await().atMost(LIMIT).until(() -> Files.exists(socket));
                try (SshHost host = host("cluster", config.replaceFirst("IdentityFile .*", "IdentityFile none"))) {
                    assertWorks(host);
                    assertThat(host.run("cat", "text".getBytes(UTF_8), LIMIT).output())
                            .isEqualTo("text");
                }
                assertThat(sshd.logins()).isOne();
                assertThat(open.isAlive()).isTrue();
            } finally {
                open.destroy();
                open.waitFor();
            }
        }
    }

    @Test
    void connectionThatTheConfigurationWouldKeepEndsWithUs() throws IOException {
        try (OwnSshd sshd = sshd()) {
            String keep = "    ControlMaster auto\n    ControlPersist yes\n";
            try (SshHost host = host("cluster", sshd.block("cluster") + keep)) {
                assertWorks(host);
                assertThat(sshd.logins()).isOne();
                assertThat(sshd.isIdle()).isFalse();
            }
            await().atMost(LIMIT).until(sshd::isIdle);
        }
    }

    @Test
    void wayByACommandLeadsThere() throws IOException {
        try (OwnSshd sshd = sshd()) {
            Path gate = Files.writeString(directory.resolve("gate"), sshd.block("gate"));
            String way = "    ProxyCommand ssh -F " + gate + " -W %h:%p gate\n";
            try (SshHost host = host("cluster", sshd.block("cluster") + way)) {
                assertWorks(host);
                assertThat(sshd.logins()).isEqualTo(2);
            }
        }
    }

    @Test
    void conditionThatOnlyTheProgramKnowsIsFollowed() throws IOException {
        try (OwnSshd sshd = sshd()) {
            String block = sshd.block("cluster").replace("Host cluster", "Match originalhost cluster exec true");
            try (SshHost host = host("cluster", block)) {
                assertWorks(host);
            }
        }
    }
}
