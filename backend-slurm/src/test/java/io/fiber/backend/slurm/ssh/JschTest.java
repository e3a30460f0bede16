// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.slurm.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** jsch with a real server. */
@Tag("slow")
class JschTest extends RealSshdKit {

    @Override
    SshOptions.Client client() {
        return SshOptions.Client.JSCH;
    }

    @Test
    void serverWithoutSftpIsAskedByScripts() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "0123456789");
        // OwnSshd has no subsystem unless a setting names one.
        for (String subsystem :
                new String[] {"# none", "Subsystem sftp internal-sftp", "Subsystem sftp /bin/echo 4711"}) {
            try (OwnSshd sshd = sshd(subsystem);
                    SshHost host = host(sshd.options())) {
                assertThat(host.read(file, 2, 5, LIMIT))
                        .isEqualTo("23456".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                assertThat(host.sizes(Files.createDirectories(directory.resolve("empty")), LIMIT))
                        .isEqualTo(Map.of());
                assertThat(sshd.logins()).isOne();
            }
            Cluster.run("rm", "-r", directory.resolve("sshd").toString());
        }
    }

    @Test
    void certificateOfAKeyLetsUsIn() throws IOException {
        Path authority = directory.resolve("authority");
        try (OwnSshd sshd = sshd("TrustedUserCAKeys " + authority + ".pub")) {
            newKey(authority, "");
            Cluster.run(
                    "ssh-keygen",
                    "-q",
                    "-s",
                    authority.toString(),
                    "-I",
                    "test",
                    "-n",
                    System.getProperty("user.name"),
                    sshd.key() + ".pub");
            Files.writeString(Path.of(sshd.key() + ".pub"), "");
            try (SshHost host = host(sshd.options())) {
                assertWorks(host);
            }
        }
    }
}
