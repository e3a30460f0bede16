// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What docs/slurm.md shows of the use from outside, as it stands there, with the places of a real cluster put in.
 * {@link SshClusterTest} runs it on a workstation.
 */
class SshExampleKit {

    @TempDir
    Path directory;

    /** Hosts of the manual are those of the cluster; both ways through the configuration lead to its one login node. */
    @BeforeEach
    void putInPlaces() throws IOException {
        Path login = SshFixture.directoryOfLogin();
        String real = Files.readString(login.resolve("config"));
        String place = "    HostName " + SshFixture.setting(real, "HostName") + "\n    Port "
                + SshFixture.setting(real, "Port") + "\n    User " + SshFixture.setting(real, "User") + "\n";
        Path own = Files.createDirectory(directory.resolve(".ssh"));
        Files.copy(login.resolve("id_ed25519"), own.resolve("id_ed25519"));
        Files.copy(login.resolve("known_hosts"), own.resolve("known_hosts"));
        String files = "    IdentityFile " + own + "/id_ed25519\n    UserKnownHostsFile " + own + "/known_hosts\n";
        String config = Manual.snippet(Manual.CONFIGURATION)
                .replace("    HostName login1.example.org\n", place)
                .replaceAll("    User me42\n", "")
                .replace("    IdentityFile ~/.ssh/id_ed25519\n", files);
        assertThat(config).contains("ProxyJump gateway.example.org", files).doesNotContain("me42", "login1");
        Files.writeString(own.resolve("config"), config + "Host gateway.example.org\n" + place + files);
    }

    /** The home of an account is not read from HOME by ssh. */
    private String run(String snippet) {
        return Cluster.run(
                "env",
                "-C",
                directory.toString(),
                "FIBER_SLURM_SSH_CONFIG=" + directory.resolve(".ssh/config"),
                "FIBER_SLURM_DIRECTORY=" + System.getProperty(OutsideFiber.DIRECTORY),
                "FIBER_SLURM_MEMORY=128m",
                "FIBER_START_LIMIT=" + KitFiber.START_LIMIT,
                "bash",
                "-c",
                "ssh() { command ssh -F " + directory.resolve(".ssh/config") + " \"$@\"; }\n" + snippet);
    }

    @Test
    void lookOfTheManualFindsSlurm() throws IOException {
        assertThat(run(Manual.snippet(Manual.LOOK)).lines()).first().asString().endsWith("/sbatch");
    }

    @Test
    void commandOfTheManualEstimatesPiFromOutside() throws IOException {
        Manual.layOut(directory);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

        String output = run(Manual.snippet(Manual.FROM_OUTSIDE).replace("/opt/jdk-17/bin/java", java));

        assertThat(output).containsPattern(SlurmExampleKit.ESTIMATE);
    }
}
