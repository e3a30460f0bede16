// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import io.fiber.backend.slurm.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** jsch with a real server. */
@Tag("slow")
class JschTest extends RealSshdKit {

    @Override
    String client() {
        return "jsch";
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
