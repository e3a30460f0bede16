// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fiber.backend.slurm.Cluster;
import io.fiber.backend.slurm.SlurmFixture;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What options and a configuration of OpenSSH mean to the program ssh. */
class ProgramWayTest {

    @TempDir
    Path directory;

    private static void assumeSsh() {
        assumeThat(LocalCommands.find("ssh", Environment.system()))
                .as("the program 'ssh'")
                .isPresent();
    }

    private ProgramWay way(Map<String, String> options, String config) throws IOException {
        assumeSsh();
        Path file = Files.writeString(directory.resolve("config"), config);
        Map<String, String> all = new TreeMap<>(options);
        all.put(SshOptions.CONFIG, file.toString());
        SshOptions ssh = SshOptions.of(SlurmFixture.options(all)).orElseThrow();
        return new ProgramWay(ssh, ProgramWay.find(Environment.system()).orElseThrow(), directory);
    }

    private SshTarget target(Map<String, String> options, String config) throws IOException {
        return way(options, config).target();
    }

    @Test
    void nameWithoutAConfigurationIsDialledAsThisUser() throws IOException {
        ProgramWay way = way(Map.of(SshOptions.HOST, "login1"), "");
        SshTarget target = way.target();

        assertThat(target.named()).isEqualTo("'login1' (login1:22)");
        assertThat(target.user()).isEqualTo(System.getProperty("user.name"));
        assertThat(target.connectLimit()).isEqualTo(Duration.ofSeconds(15));
        assertThat(way.nearest()).isEqualTo("login1");
    }

    @Test
    void blockOfTheConfigurationCountsAndOptionsGoBeforeIt() throws IOException {
        String config = """
                Host other
                    Port 1
                Host cluster
                    HostName login1.example.org
                    User me42
                    Port 2222
                    UserKnownHostsFile /trusted
                    ConnectTimeout 7
                    ControlPath ~/.ssh/socket-%C
                Host *
                    User nobody
                """;

        ProgramWay way = way(Map.of(SshOptions.HOST, "cluster"), config);
        SshTarget target = way.target();
        assertThat(target.named()).isEqualTo("'cluster' (login1.example.org:2222)");
        assertThat(target.user()).isEqualTo("me42");
        assertThat(target.knownHosts()).isEqualTo("/trusted");
        assertThat(target.connectLimit()).isEqualTo(Duration.ofSeconds(7));
        assertThat(way.words(List.of())).contains("ControlMaster=no");

        Path known = Files.createFile(directory.resolve("100% known"));
        Path key = Files.createFile(directory.resolve("50% key"));
        SshTarget other = target(
                Map.of(
                        SshOptions.HOST, "cluster",
                        SshOptions.USER, "you",
                        SshOptions.PORT, "23",
                        SshOptions.KEY, key.toString(),
                        SshOptions.KNOWN_HOSTS, known.toString()),
                config);
        assertThat(other.user()).isEqualTo("you");
        assertThat(other.named()).isEqualTo("'cluster' (login1.example.org:23)");
        assertThat(other.knownHosts()).contains("known");
        assertThat(other.byHand("-v"))
                .isEqualTo("ssh -v -F " + directory.resolve("config") + " -l you -p 23 -o 'IdentityFile=\"" + directory
                        + "/50%% key\"' -o 'UserKnownHostsFile=\"" + directory
                        + "/100%% known\"' cluster 'echo works'");
    }

    @Test
    void connectTimeoutOfZeroIsNone() throws IOException {
        assertThat(target(Map.of(SshOptions.HOST, "cluster"), "Host cluster\n    ConnectTimeout 0\n")
                        .connectLimit())
                .isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void firstOfTheHostsOnTheWayIsTheNearest() throws IOException {
        String config = """
                Host cluster
                    ProxyJump guest@outer:2022,inner
                Host outer
                    HostName 10.0.0.2
                Host far
                    ProxyJump cluster
                Host six
                    ProxyJump [fd00::2]:2022
                """;

        assertThat(way(Map.of(SshOptions.HOST, "cluster", SshOptions.USER, "me42"), config)
                        .nearest())
                .isEqualTo("10.0.0.2");
        assertThat(way(Map.of(SshOptions.HOST, "far"), config).nearest()).isEqualTo("10.0.0.2");
        assertThat(way(Map.of(SshOptions.HOST, "six"), config).nearest()).isEqualTo("fd00::2");
    }

    @Test
    void otherFilesAndConditionsAreReadAsSshReadsThem() throws IOException {
        Path others = Files.createDirectories(directory.resolve("others"));
        Files.writeString(others.resolve("a.conf"), """
                Match originalhost cluster
                    HostName login1.example.org
                    Port 2222
                    ConnectTimeout 1m
                    ProxyJump guest@outer
                """);

        ProgramWay way = way(
                Map.of(SshOptions.HOST, "cluster"),
                "Include " + others
                        + "/*.conf\nMatch host login1.example.org\n    User me42\nMatch all\n    User nobody\n");
        SshTarget target = way.target();
        assertThat(target.named()).isEqualTo("'cluster' (login1.example.org:2222)");
        assertThat(target.user()).isEqualTo("me42");
        assertThat(target.connectLimit()).isEqualTo(Duration.ofMinutes(1));
        assertThat(way.nearest()).isEqualTo("outer");
    }

    @Test
    void addressThatLeadsToACommandIsUnknown() throws IOException {
        ProgramWay way =
                way(Map.of(SshOptions.HOST, "cluster"), "Host cluster\n    ProxyCommand ssh -W %h:%p gateway\n");

        assertThatThrownBy(way::nearest)
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-134 The way to the login node 'cluster' (cluster:22) is 'ProxyCommand ssh -W %h:%p"
                        + " gateway', so the address for jobs to dial is unknown. Name the interface by"
                        + " fiber.slurm.interface.");
    }

    @Test
    void circleOfHostsIsAnError() {
        assumeSsh();
        assertThatThrownBy(() -> target(Map.of(SshOptions.HOST, "a"), "Host a\n  ProxyJump b\nHost b\n  ProxyJump a\n"))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-158 More than 8 hosts are on the way to 'a'")
                .hasMessageContaining("circle of ProxyJump");
    }

    @Test
    void configurationThatSshRefusesIsAnErrorWithItsWords() {
        assumeSsh();
        assertThatThrownBy(() -> target(Map.of(SshOptions.HOST, "a"), "Prot 22\n"))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-158 The configuration of ssh cannot be used: '")
                .hasMessageContaining(" -GTN -F " + directory.resolve("config") + " -- a' says: ")
                .hasMessageContaining("line 1: Bad configuration option: prot");
    }

    @Test
    @Tag("soak")
    void conditionOfTheConfigurationThatHangsIsAnError() throws IOException {
        Path pid = directory.resolve("pid");
        Path hangs = Files.writeString(directory.resolve("hangs"), "#!/bin/sh\necho $$ >" + pid + "\nexec sleep 300\n");
        Files.setPosixFilePermissions(hangs, PosixFilePermissions.fromString("rwx------"));
        try {
            assertThatThrownBy(() -> target(Map.of(SshOptions.HOST, "a"), "Match exec " + hangs + "\n    Port 1\n"))
                    .isInstanceOf(BackendException.class)
                    .hasMessageStartingWith("FBR-158 The configuration of ssh cannot be used: '")
                    .hasMessageEndingWith(" has not ended in 20 s.");
        } finally {
            Cluster.run("kill", Files.readString(pid).strip());
        }
    }
}
