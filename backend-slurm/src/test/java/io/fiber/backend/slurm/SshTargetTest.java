// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What options and a configuration of OpenSSH mean to ssh. */
class SshTargetTest {

    @TempDir
    Path directory;

    private static void assumeSsh() {
        assumeThat(LocalCommands.find("ssh", Environment.system()))
                .as("the program 'ssh'")
                .isPresent();
    }

    private SshTarget target(Map<String, String> options, String config) throws IOException {
        assumeSsh();
        Path file = Files.writeString(directory.resolve("config"), config);
        Map<String, String> all = new TreeMap<>(options);
        all.put(SshOptions.CONFIG, file.toString());
        SshOptions ssh = SshOptions.of(SlurmFixture.options(all)).orElseThrow();
        return SshTarget.of(ssh, Environment.system());
    }

    private static BackendException refused(Map<String, String> options) {
        return org.assertj.core.api.Assertions.catchThrowableOfType(
                BackendException.class, () -> SshOptions.of(SlurmFixture.options(options)));
    }

    @Test
    void nameWithoutAConfigurationIsDialledAsThisUser() throws IOException {
        SshTarget target = target(Map.of(SshOptions.HOST, "login1"), "");

        assertThat(target.named()).isEqualTo("'login1' (login1:22)");
        assertThat(target.user()).isEqualTo(System.getProperty("user.name"));
        assertThat(target.connectLimit()).isEqualTo(Duration.ofSeconds(15));
        assertThat(target.canShareConnection()).isTrue();
        assertThat(target.nearestHost()).isEqualTo("login1");
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

        SshTarget target = target(Map.of(SshOptions.HOST, "cluster"), config);
        assertThat(target.named()).isEqualTo("'cluster' (login1.example.org:2222)");
        assertThat(target.user()).isEqualTo("me42");
        assertThat(target.knownHosts()).isEqualTo("/trusted");
        assertThat(target.connectLimit()).isEqualTo(Duration.ofSeconds(7));
        assertThat(target.canShareConnection()).isFalse();
        assertThat(target.words("true", List.of())).contains("ControlMaster=no");

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

    /** Versions before 8.7 end at an option that they do not know. */
    @Test
    void optionThatSshDoesNotKnowIsNotPassed() throws IOException {
        SshTarget target = target(Map.of(SshOptions.HOST, "cluster"), "");
        Map<String, String> old = new TreeMap<>(target.settings());
        assumeThat(old.remove("stdinnull")).isNotNull();

        assertThat(target.words("true", List.of()))
                .contains("SessionType=default", "ForkAfterAuthentication=no", "StdinNull=no");
        assertThat(new SshTarget(target.options(), target.program(), old, old).words("true", List.of()))
                .isNotEmpty()
                .noneMatch(word -> word.matches("(SessionType|ForkAfter|StdinNull).*"));
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

        assertThat(target(Map.of(SshOptions.HOST, "cluster", SshOptions.USER, "me42"), config)
                        .nearestHost())
                .isEqualTo("10.0.0.2");
        assertThat(target(Map.of(SshOptions.HOST, "far"), config).nearestHost()).isEqualTo("10.0.0.2");
        assertThat(target(Map.of(SshOptions.HOST, "six"), config).nearestHost()).isEqualTo("fd00::2");
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

        SshTarget target = target(
                Map.of(SshOptions.HOST, "cluster"),
                "Include " + others
                        + "/*.conf\nMatch host login1.example.org\n    User me42\nMatch all\n    User nobody\n");
        assertThat(target.named()).isEqualTo("'cluster' (login1.example.org:2222)");
        assertThat(target.user()).isEqualTo("me42");
        assertThat(target.connectLimit()).isEqualTo(Duration.ofMinutes(1));
        assertThat(target.nearestHost()).isEqualTo("outer");
    }

    @Test
    void addressThatLeadsToACommandIsUnknown() throws IOException {
        SshTarget target =
                target(Map.of(SshOptions.HOST, "cluster"), "Host cluster\n    ProxyCommand ssh -W %h:%p gateway\n");

        assertThatThrownBy(target::nearestHost)
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

    @Test
    void missingProgramIsNamedWithThePath() {
        SshOptions options = SshOptions.of(SlurmFixture.options(Map.of(SshOptions.HOST, "cluster")))
                .orElseThrow();

        assertThatThrownBy(() -> SshTarget.of(options, Environment.of(Map.of("PATH", "/nowhere"), Map.of())))
                .isInstanceOf(BackendException.class)
                .hasMessage(
                        "FBR-212 The program 'ssh' is in no directory of PATH=/nowhere; Fiber reaches the login node"
                                + " 'cluster' by it. Install OpenSSH's client here, or put it on the PATH.");
    }

    @ParameterizedTest
    @CsvSource({
        "ssh-port, 70000, FBR-158 Option 'fiber.slurm.ssh-port' is 70000; expected a port from 1 to 65535.",
        "ssh-key, /nowhere/key, FBR-158 Option 'fiber.slurm.ssh-key' names the file '/nowhere/key'",
        "ssh-host, me@login, FBR-158 Option 'fiber.slurm.ssh-host' is 'me@login'; expected the name of a host",
    })
    void valueThatCannotBeUsedIsNamed(String name, String value, String message) {
        Map<String, String> options = new TreeMap<>(Map.of(SshOptions.HOST, "login"));
        options.put(name, value);

        assertThat(refused(options)).hasMessageStartingWith(message);
    }

    @Test
    void optionWithoutALoginNodeIsAnError() {
        assertThat(refused(Map.of(SshOptions.USER, "me42")))
                .hasMessage("FBR-158 Option 'fiber.slurm.ssh-user' is 'me42', but no login node is named."
                        + " Set fiber.slurm.ssh-host, or leave this option out.");
    }

    @Test
    void hostWithoutSlurmIsUsableWhenALoginNodeIsNamed() {
        SlurmBackendProvider provider = new SlurmBackendProvider();
        for (Environment environment : List.of(
                Environment.of(Map.of("FIBER_SLURM_SSH_HOST", "login"), Map.of()),
                Environment.of(Map.of(), Map.of("fiber.slurm.ssh-host", "login")))) {
            assertThat(provider.probe(environment)).isInstanceOf(Probe.Usable.class);
        }
    }
}
