// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.slurm.SlurmBackendProvider;
import io.fiber.backend.slurm.SlurmFixture;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What options and a configuration of OpenSSH mean to jsch, and what is left to the program. */
class SshConfigTest {

    private static final Environment NOTHING = Environment.of(Map.of("PATH", "/nowhere"), Map.of());

    @TempDir
    Path directory;

    private SshOptions options(Map<String, String> options, String config) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), config);
        Map<String, String> all = new TreeMap<>(options);
        all.putIfAbsent(SshOptions.HOST, "cluster");
        all.put(SshOptions.CONFIG, file.toString());
        return SshOptions.of(SlurmFixture.options(all)).orElseThrow();
    }

    private SshConfig config(Map<String, String> options, String config) throws IOException {
        return SshConfig.of(options(options, config), NOTHING);
    }

    private SshConfig config(String config) throws IOException {
        return config(Map.of(), config);
    }

    @Test
    void nameWithoutAConfigurationIsDialledAsThisUser() throws IOException {
        SshConfig config = config(Map.of(SshOptions.HOST, "login1"), "");

        assertThat(config.target().named()).isEqualTo("'login1' (login1:22)");
        assertThat(config.user()).isEqualTo(System.getProperty("user.name"));
        assertThat(config.connectLimit()).isEqualTo(Duration.ofSeconds(15));
        assertThat(config.needsProgram()).isEmpty();
        assertThat(config.way()).isEmpty();
        assertThat(new JschWay(config).nearest()).isEqualTo("login1");
    }

    @Test
    void blockOfTheConfigurationCountsAndOptionsGoBeforeIt() throws IOException {
        Path key = Files.createFile(directory.resolve("50% key"));
        Path other = Files.createFile(directory.resolve("other"));
        String text = """
                # Host cluster
                Host other !*
                    Port 1
                Host clus??r "quoted name"
                    HostName=%%h.example.org
                    User = me42
                    Port 2222 # not 22
                    IdentityFile "%s/other"
                    IdentityFile /nowhere/key
                    UserKnownHostsFile /trusted %s/%%n.%%p.%%r
                    ConnectTimeout 2m
                    KexAlgorithms +diffie-hellman-group14-sha1
                Host * !cluster
                    User nobody
                Host *
                    User nobody
                    Compression yes
                """.formatted(directory, directory);

        SshConfig config = config(text);
        assertThat(config.target().named()).isEqualTo("'cluster' (cluster.example.org:2222)");
        assertThat(config.user()).isEqualTo("me42");
        assertThat(config.connectLimit()).isEqualTo(Duration.ofMinutes(2));
        assertThat(config.keys()).containsExactly(other);
        assertThat(config.knownHosts())
                .containsExactly(
                        Path.of("/trusted"),
                        directory.resolve("cluster.2222.me42"),
                        Path.of("/etc/ssh/ssh_known_hosts"));
        assertThat(config.ofAlgorithms()).isEqualTo("kexalgorithms +diffie-hellman-group14-sha1\n");
        assertThat(config.needsProgram()).isEmpty();

        SshConfig ours = config(
                Map.of(
                        SshOptions.USER,
                        "you",
                        SshOptions.PORT,
                        "23",
                        SshOptions.KEY,
                        key.toString(),
                        SshOptions.KNOWN_HOSTS,
                        other.toString()),
                text);
        assertThat(ours.user()).isEqualTo("you");
        assertThat(ours.port()).isEqualTo(23);
        assertThat(ours.keys()).containsExactly(key, other);
        assertThat(ours.knownHosts()).containsExactly(other, Path.of("/etc/ssh/ssh_known_hosts"));
    }

    @Test
    void otherFilesAndConditionsAreRead() throws IOException {
        Path others = Files.createDirectories(directory.resolve("others"));
        Files.writeString(others.resolve("b.conf"), "HostName too-late\n");
        Files.writeString(others.resolve("a.conf"), """
                Match originalhost cluster
                    HostName login1.example.org
                Match final host login1.*
                    Port 2222
                    ConnectTimeout 7
                """);

        SshConfig config = config("""
                Include %s/*.conf
                Match host login1.example.org !localuser nobody
                    User me42
                Match all
                    User nobody
                    ConnectTimeout 9
                Host other
                    Include %s/never.conf
                """.formatted(others, others));
        assertThat(config.target().named()).isEqualTo("'cluster' (login1.example.org:2222)");
        assertThat(config.user()).isEqualTo("me42");
        assertThat(config.connectLimit()).isEqualTo(Duration.ofSeconds(9));
        assertThat(config.needsProgram()).isEmpty();
    }

    @Test
    void hostsOfTheWayHaveConfigurationsOfTheirOwn() throws IOException {
        String text = """
                Host cluster
                    ProxyJump guest@outer:2022,inner
                Host outer
                    HostName 10.0.0.2
                    ProxyJump none
                Host inner
                    User me42
                    ProxyJump unused
                Host far
                    ProxyJump cluster
                Host six
                    ProxyJump ssh://[fd00::2]:2022
                """;

        SshConfig config = config(Map.of(SshOptions.USER, "you"), text);
        assertThat(config.way())
                .extracting(host -> host.user() + "@" + host.address() + ":" + host.port())
                .containsExactly("guest@10.0.0.2:2022", "me42@inner:22");
        assertThat(config.way().get(0).target().theHost()).isEqualTo("The jump host 'outer' (10.0.0.2:2022)");
        assertThat(config.target().theHost()).isEqualTo("The login node 'cluster' (cluster:22)");
        assertThat(new JschWay(config(Map.of(SshOptions.HOST, "far"), text)).nearest())
                .isEqualTo("10.0.0.2");
        assertThat(config(Map.of(SshOptions.HOST, "far"), text).way()).hasSize(3);
        assertThat(new JschWay(config(Map.of(SshOptions.HOST, "six"), text)).nearest())
                .isEqualTo("fd00::2");
    }

    @Test
    void circleOfHostsIsAnError() {
        assertThatThrownBy(() -> config("Host cluster\n  ProxyJump b\nHost b\n  ProxyJump cluster\n")
                        .way())
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-158 More than 8 hosts are on the way to 'cluster'")
                .hasMessageContaining("circle of ProxyJump");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ProxyCommand ssh -W %h:%p gateway",
                "GSSAPIAuthentication yes",
                "HostbasedAuthentication yes",
                "PKCS11Provider /usr/lib/opensc-pkcs11.so",
                "SecurityKeyProvider /usr/lib/libsk.so",
                "CertificateFile ~/.ssh/id-cert.pub",
                "KnownHostsCommand /usr/bin/keys %H",
                "RevokedHostKeys /etc/ssh/revoked",
                "VerifyHostKeyDNS yes",
                "CanonicalizeHostname yes",
                "BindAddress 10.0.0.1",
                "AddressFamily inet6",
                "SetEnv A=b",
                "PubkeyAuthentication no",
                "PreferredAuthentications gssapi-with-mic,hostbased",
                "Match exec \"true\"",
                "Match user * exec true",
                "UseKeychain yes",
                "Prot 22",
            })
    void directiveThatOnlyTheProgramFollowsIsNamed(String directive) throws IOException {
        String named = "'" + directive.replace("user * ", "").replace("\"", "") + "' (in " + directory + "/config)";
        SshConfig config = config("Host other\n  ProxyCommand no\nHost cluster\n  " + directive + "\n  Port 1\n");
        assertThat(config.needsProgram().map(text -> text.replace("\"", ""))).contains(named);

        SshOptions jsch = options(Map.of(SshOptions.CLIENT, "jsch"), "Host *\n  " + directive + "\n");
        assertThatThrownBy(() -> SshHost.of(jsch, NOTHING, directory))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-211 The SSH configuration has '")
                .hasMessageContaining(
                        "for the way to the login node 'cluster', which only the program 'ssh' can follow,"
                                + " and fiber.slurm.ssh is 'jsch'. Set it to auto, or name a configuration without this line by"
                                + " fiber.slurm.ssh-config");
        SshOptions auto = options(Map.of(), "Host *\n  " + directive + "\n");
        assertThatThrownBy(() -> SshHost.of(auto, NOTHING, directory))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-212 The SSH configuration has '")
                .hasMessageContaining("which only the program 'ssh' can follow; it is in no directory of PATH=/nowhere."
                        + " Install OpenSSH's client here, or name a configuration without this line");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ProxyCommand none",
                "ProxyJump none\nProxyCommand ssh -W %h:%p gateway",
                "GSSAPIAuthentication no",
                "Match host other exec true",
                "Match canonical exec true",
                "ControlMaster auto\nControlPath /nowhere/%C",
                "IgnoreUnknown UseKey*\nUseKeychain yes",
                "SendEnv LANG LC_*",
                "AddressFamily any",
                "PreferredAuthentications publickey,password",
            })
    void directiveThatMeansNothingHereLeavesJsch(String directive) throws IOException {
        assertThat(config("Host cluster\n" + directive + "\n").needsProgram()).isEmpty();
    }

    @Test
    void jumpHostThatNeedsTheProgramCounts() throws IOException {
        assertThat(config("Host cluster\n  ProxyJump gate\nHost gate\n  ProxyCommand nc %h %p\n")
                        .needsProgram())
                .contains("'ProxyCommand nc %h %p' (in " + directory + "/config)");
    }

    @Test
    void keyInHardwareAndConnectionThatIsOpenNeedTheProgram() throws IOException {
        byte[] content = "openssh-key-v1\0sk-ssh-ed25519@openssh.com".getBytes(StandardCharsets.US_ASCII);
        Path key = Files.writeString(
                directory.resolve("key_sk"),
                "-----BEGIN OPENSSH PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder(20, new byte[] {'\n'}).encodeToString(content)
                        + "\n-----END OPENSSH PRIVATE KEY-----\n");
        assertThat(config("IdentityFile " + key + "\n").needsProgram())
                .contains("'IdentityFile " + key + "', a key in hardware,");

        Files.createFile(directory.resolve("socket-8f3a"));
        assertThat(config("ControlPath " + directory + "/socket-%C\n").needsProgram())
                .contains("'ControlPath " + directory + "/socket-%C', where a connection is open,");
    }

    @Test
    void agentMayBeNamed() throws IOException {
        SshOptions options = options(Map.of(), "IdentityAgent ~/agent\n");
        Environment environment =
                Environment.of(Map.of("SSH_AUTH_SOCK", "/run/agent", "OTHER", "/run/other"), Map.of());
        assertThat(SshConfig.of(options, environment).agent())
                .contains(Path.of(System.getProperty("user.home"), "agent"));
        assertThat(SshConfig.of(options(Map.of(), ""), environment).agent()).contains(Path.of("/run/agent"));
        assertThat(SshConfig.of(options(Map.of(), "IdentityAgent $OTHER\n"), environment)
                        .agent())
                .contains(Path.of("/run/other"));
        assertThat(SshConfig.of(options(Map.of(), "IdentityAgent none\n"), environment)
                        .agent())
                .isEmpty();
        assertThat(config("").agent()).isEmpty();
    }

    @Test
    void missingProgramIsNamedWithThePath() throws IOException {
        SshOptions options = options(Map.of(SshOptions.CLIENT, "program"), "");

        assertThatThrownBy(() -> SshHost.of(options, NOTHING, directory))
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-212 The program 'ssh' is in no directory of PATH=/nowhere, and fiber.slurm.ssh is"
                        + " 'program', so that the login node 'cluster' cannot be reached. Install OpenSSH's client"
                        + " here, or set fiber.slurm.ssh to auto.");
    }

    @ParameterizedTest
    @CsvSource({
        "ssh, login, FBR-158 Option 'fiber.slurm.ssh' is 'login'; expected auto",
        "ssh-port, 70000, FBR-158 Option 'fiber.slurm.ssh-port' is 70000; expected a port from 1 to 65535.",
        "ssh-key, /nowhere/key, FBR-158 Option 'fiber.slurm.ssh-key' names the file '/nowhere/key'",
        "ssh-host, me@login, FBR-158 Option 'fiber.slurm.ssh-host' is 'me@login'; expected the name of a host",
    })
    void valueThatCannotBeUsedIsNamed(String name, String value, String message) {
        Map<String, String> options = new TreeMap<>(Map.of(SshOptions.HOST, "login"));
        options.put(name, value);

        assertThatThrownBy(() -> SshOptions.of(SlurmFixture.options(options)))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void optionWithoutALoginNodeIsAnError() {
        assertThatThrownBy(() -> SshOptions.of(SlurmFixture.options(Map.of(SshOptions.USER, "me42"))))
                .isInstanceOf(BackendException.class)
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
