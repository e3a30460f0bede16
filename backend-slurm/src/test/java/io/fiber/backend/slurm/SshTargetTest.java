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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What options and a configuration of OpenSSH mean. */
class SshTargetTest {

    @TempDir
    Path home;

    private SshTarget target(Map<String, String> options, String config) throws IOException {
        Files.createDirectories(home.resolve(".ssh"));
        Files.writeString(home.resolve(".ssh/config"), config);
        SshOptions ssh = SshOptions.of(SlurmFixture.options(options), home).orElseThrow();
        return SshTarget.of(ssh, home, Environment.of(Map.of(), Map.of()));
    }

    private static BackendException refused(Map<String, String> options) {
        return org.assertj.core.api.Assertions.catchThrowableOfType(
                BackendException.class, () -> SshOptions.of(SlurmFixture.options(options), Path.of("/home/me")));
    }

    @Test
    void nameWithoutAConfigurationIsDialledAsThisUser() throws IOException {
        SshTarget target = target(Map.of(SshOptions.HOST, "login1"), "");

        assertThat(target.place()).isEqualTo("login1:22");
        assertThat(target.user()).isEqualTo(System.getProperty("user.name"));
        assertThat(target.knownHosts()).isEqualTo(home.resolve(".ssh/known_hosts"));
        assertThat(target.jump()).isEmpty();
        assertThat(target.connectLimit()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void blockOfTheConfigurationCountsAndOptionsGoBeforeIt() throws IOException {
        Path key = Files.createFile(home.resolve("key"));
        String config = """
                Host other
                    Port 1
                Host cluster
                    HostName login1.example.org
                    User me42
                    Port 2222
                    IdentityFile ~/key
                    UserKnownHostsFile ~/trusted
                    HostKeyAlias the-cluster
                    ConnectTimeout 7
                Host *
                    User nobody
                """;

        SshTarget target = target(Map.of(SshOptions.HOST, "cluster"), config);
        assertThat(target.place()).isEqualTo("login1.example.org:2222");
        assertThat(target.user()).isEqualTo("me42");
        assertThat(target.keys().named()).containsExactly(key);
        assertThat(target.knownHosts()).isEqualTo(home.resolve("trusted"));
        assertThat(target.hostKeyName()).isEqualTo(Optional.of("the-cluster"));
        assertThat(target.connectLimit()).isEqualTo(Duration.ofSeconds(7));

        SshTarget other =
                target(Map.of(SshOptions.HOST, "cluster", SshOptions.USER, "you", SshOptions.PORT, "23"), config);
        assertThat(other.user()).isEqualTo("you");
        assertThat(other.place()).isEqualTo("login1.example.org:23");
    }

    @Test
    void hostsOnTheWayAreReachedOneBehindTheOther() throws IOException {
        String config = """
                Host cluster
                    ProxyJump guest@outer:2022,inner
                Host inner
                    HostName 10.0.0.2
                """;

        SshTarget target = target(Map.of(SshOptions.HOST, "cluster", SshOptions.USER, "me42"), config);
        SshTarget inner = target.jump().orElseThrow();
        SshTarget outer = inner.jump().orElseThrow();
        assertThat(inner.place()).isEqualTo("10.0.0.2:22");
        assertThat(inner.user()).isEqualTo(System.getProperty("user.name"));
        assertThat(outer.place()).isEqualTo("outer:2022");
        assertThat(outer.user()).isEqualTo("guest");
        assertThat(target.nearest()).isEqualTo(outer);
    }

    @Test
    void otherFilesAndConditionsAreReadAsSshReadsThem() throws IOException {
        Path others = Files.createDirectories(home.resolve("others"));
        Files.writeString(others.resolve("a.conf"), """
                Match originalhost cluster
                    HostName login1.example.org
                    Port 2222
                    ConnectTimeout 1m
                    ProxyJump guest@outer
                """);
        String config = "Include " + others
                + "/*.conf\nMatch host login1.example.org\n    User me42\nMatch all\n    User nobody\n";
        Files.createDirectories(home.resolve(".ssh"));
        Files.writeString(home.resolve(".ssh/config"), config);
        SshOptions ssh = SshOptions.of(SlurmFixture.options(Map.of(SshOptions.HOST, "cluster")), home)
                .orElseThrow();

        assumeThat(LocalCommands.find("ssh", Environment.system())).isPresent();
        SshTarget target = SshTarget.of(ssh, home, Environment.system());
        assertThat(target.place()).isEqualTo("login1.example.org:2222");
        assertThat(target.user()).isEqualTo("me42");
        assertThat(target.nearest().place()).isEqualTo("outer:22");
        assertThat(target.nearest().user()).isEqualTo("guest");
        assertThat(target.connectLimit()).isEqualTo(Duration.ofMinutes(1));
        assertThat(target.nearest().connectLimit()).isEqualTo(Duration.ofSeconds(15));

        Environment without = Environment.of(Map.of("PATH", "/nowhere"), Map.of());
        assertThatThrownBy(() -> SshTarget.of(ssh, home, without))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-212 The SSH configuration '" + home.resolve(".ssh/config")
                        + "' has the line 'Include " + others + "/*.conf'")
                .hasMessageContaining("'ssh' can resolve; it is in no directory of PATH=/nowhere");
    }

    @Test
    void wayByACommandIsRefusedWithWhatToWriteInstead() {
        assertThatThrownBy(() -> target(
                        Map.of(SshOptions.HOST, "cluster"), "Host cluster\n    ProxyCommand ssh -W %h:%p gateway\n"))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-211 The SSH configuration")
                .hasMessageContaining("reaches the host 'cluster' by 'ProxyCommand ssh -W %h:%p gateway'")
                .hasMessageContaining("ProxyJump gateway");
    }

    @Test
    void circleOfHostsIsAnError() {
        assertThatThrownBy(() -> target(Map.of(SshOptions.HOST, "a"), "Host a\n  ProxyJump b\nHost b\n  ProxyJump a\n"))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-158 More than 8 hosts are on the way to 'a'")
                .hasMessageContaining("circle of ProxyJump");
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
