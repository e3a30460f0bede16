// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fiber.tck.fault.PrivateNetwork;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A site whose firewalls drop UDP between hosts. The hosts are name spaces; the firewall is iptables. */
@Tag("slow")
class UdpBlockedTest {

    @TempDir
    Path tmp;

    @BeforeEach
    void udpCanBeBlocked() {
        assumeThat(PrivateNetwork.obstacleToDropUdp())
                .as("obstacle to blocked UDP")
                .isEmpty();
    }

    /** A worker waits 20 s to be let in. */
    @Test
    @Tag("soak")
    void errorNamesTheSettingThatHelps() {
        try (MasterJvm master = MasterJvm.inSandbox(tmp, UdpBlockedProgram.class, "aeron")) {
            assertThat(master.awaitLine("told"))
                    .contains("FBR-310 ")
                    .contains("FBR-157 the master ")
                    .contains("(UDP) did not accept this worker within")
                    .contains("set fiber.transport to socket. 'fiber doctor' tests which protocols get through.");
            master.awaitEnd();
        }
    }

    @Test
    void everyTypeWorksOverTheSocketTransport() {
        try (MasterJvm master = MasterJvm.inSandbox(tmp, UdpBlockedProgram.class, "socket")) {
            assertThat(master.awaitLine("process")).isEqualTo("0");
            assertThat(master.awaitLine("map")).isEqualTo("332833500");
            assertThat(master.awaitLine("large")).isEqualTo("20000000");
            assertThat(master.awaitLine("queue")).isEqualTo("5950");
            assertThat(master.awaitLine("pipe")).isEqualTo("echo of a word");
            assertThat(master.awaitLine("manager")).isEqualTo("7");
            assertThat(master.awaitLine("ring")).isEqualTo("[3, 3]");
            master.awaitEnd();
        }
    }
}
