// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fiber.backend.slurm.Cluster;
import io.fiber.backend.slurm.SlurmBackendProvider;
import io.fiber.backend.slurm.SlurmFixture;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What options and a configuration of SSH mean, as the program {@code ssh} says, and as they are read without it. */
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

    /** With the program, where there is one, and without it. */
    static Stream<Environment> environments() {
        return LocalCommands.find("ssh", Environment.system()).isPresent()
                ? Stream.of(NOTHING, Environment.system())
                : Stream.of(NOTHING);
    }

    private SshConfig config(Environment environment, String config) throws IOException {
        return config(environment, Map.of(), config);
    }

    private SshConfig config(Environment environment, Map<String, String> options, String config) throws IOException {
        return SshConfig.of(options(options, config), environment);
    }

    @ParameterizedTest
    @MethodSource("environments")
    void nameWithoutAConfigurationIsDialledAsThisUser(Environment environment) throws IOException {
        SshConfig config = config(environment, Map.of(SshOptions.HOST, "login1"), "");

        assertThat(config.named()).isEqualTo("'login1' (login1:22)");
        assertThat(config.user()).isEqualTo(System.getProperty("user.name"));
        assertThat(config.connectLimit()).isEqualTo(Duration.ofSeconds(15));
        assertThat(config.needsProgram()).isEmpty();
        assertThat(config.way()).isEmpty();
        assertThat(config.nearest()).isEqualTo("login1");
        assertThat(config.knownHosts())
                .contains(SshConfig.HOME.resolve(".ssh/known_hosts"), Path.of("/etc/ssh/ssh_known_hosts"));
    }

    @ParameterizedTest
    @MethodSource("environments")
    void blockOfTheConfigurationCountsAndOptionsGoBeforeIt(Environment environment) throws IOException {
        Path key = Files.createFile(directory.resolve("50% key"));
        Path other = Files.createFile(directory.resolve("other"));
        String text = """
                # Host cluster
                Host other !*
                    Port 1
                Host clus??r "quoted name"
                    HostName=%%h.example.org
                    User = me42
                    Port 2222
                    IdentityFile "%s/other"
                    IdentityFile /nowhere/key
                    UserKnownHostsFile /trusted %s/%%n.%%p.%%r
                    ConnectTimeout 2m
                    HostKeyAlias the-cluster
                Host * !cluster
                    User nobody
                Host *
                    User nobody
                    Compression yes
                """.formatted(directory, directory);

        SshConfig config = config(environment, text);
        assertThat(config.named()).isEqualTo("'cluster' (cluster.example.org:2222)");
        assertThat(config.user()).isEqualTo("me42");
        assertThat(config.connectLimit()).isEqualTo(Duration.ofMinutes(2));
        assertThat(config.keys()).containsExactly(other);
        assertThat(config.value("hostkeyalias")).contains("the-cluster");
        assertThat(config.knownHosts())
                .startsWith(Path.of("/trusted"), directory.resolve("cluster.2222.me42"))
                .contains(Path.of("/etc/ssh/ssh_known_hosts"));
        assertThat(config.needsProgram()).isEmpty();

        Map<String, String> options = Map.of(
                SshOptions.USER,
                "you",
                SshOptions.PORT,
                "23",
                SshOptions.KEY,
                key.toString(),
                SshOptions.KNOWN_HOSTS,
                key.toString());
        SshConfig ours = config(environment, options, text);
        assertThat(ours.user()).isEqualTo("you");
        assertThat(ours.port()).isEqualTo(23);
        assertThat(ours.keys()).containsExactly(key, other);
        assertThat(ours.knownHosts()).startsWith(key).doesNotContain(Path.of("/trusted"));
        assertThat(ours.byHand("-v"))
                .isEqualTo("ssh -v -F " + directory.resolve("config") + " -l you -p 23 -o 'IdentityFile=\"" + directory
                        + "/50%% key\"' -o 'UserKnownHostsFile=\"" + directory
                        + "/50%% key\"' cluster 'echo works'");
    }

    @ParameterizedTest
    @MethodSource("environments")
    void connectTimeoutOfZeroIsNone(Environment environment) throws IOException {
        assertThat(config(environment, "Host cluster\n    ConnectTimeout 0\n").connectLimit())
                .isEqualTo(Duration.ofSeconds(15));
    }

    @ParameterizedTest
    @MethodSource("environments")
    void otherFilesAndConditionsAreRead(Environment environment) throws IOException {
        Path others = Files.createDirectories(directory.resolve("others"));
        Files.writeString(others.resolve("b.conf"), "HostName too-late\n");
        Files.writeString(others.resolve("a.conf"), """
                Match originalhost cluster
                    HostName login1.example.org
                Host nowhere
                    Port 1
                """);

        SshConfig config = config(environment, """
                Include %s/*.conf
                Port 2222
                Match host login1.*,login2.*
                    User me42
                Match all
                    User nobody
                    ConnectTimeout 9
                Host other
                    Include %s/never.conf
                """.formatted(others, others));
        assertThat(config.named()).isEqualTo("'cluster' (login1.example.org:2222)");
        assertThat(config.user()).isEqualTo("me42");
        assertThat(config.connectLimit()).isEqualTo(Duration.ofSeconds(9));
        assertThat(config.needsProgram()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("environments")
    void hostsOfTheWayHaveConfigurationsOfTheirOwn(Environment environment) throws IOException {
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
                    ProxyJump [fd00::2]:2022
                """;

        SshConfig config = config(environment, Map.of(SshOptions.USER, "you"), text);
        assertThat(config.way())
                .extracting(host -> host.user() + "@" + host.address() + ":" + host.port())
                .containsExactly("guest@10.0.0.2:2022", "me42@inner:22");
        assertThat(config.way().get(0).theHost()).isEqualTo("The jump host 'outer' (10.0.0.2:2022)");
        assertThat(config.theHost()).isEqualTo("The login node 'cluster' (cluster:22)");
        SshConfig far = config(environment, Map.of(SshOptions.HOST, "far"), text);
        assertThat(far.nearest()).isEqualTo("10.0.0.2");
        assertThat(far.way()).hasSize(3);
        assertThat(config(environment, Map.of(SshOptions.HOST, "six"), text).nearest())
                .isEqualTo("fd00::2");
    }

    @ParameterizedTest
    @MethodSource("environments")
    void circleOfHostsIsAnError(Environment environment) {
        assertThatThrownBy(() -> config(environment, "Host cluster\n  ProxyJump b\nHost b\n  ProxyJump cluster\n"))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-158 More than 8 hosts are on the way to 'cluster'")
                .hasMessageContaining("circle of ProxyJump");
    }

    @ParameterizedTest
    @MethodSource("environments")
    void addressThatLeadsToACommandIsUnknown(Environment environment) throws IOException {
        SshConfig config = config(environment, "Host cluster\n    ProxyCommand ssh -W %h:%p gateway\n");

        assertThatThrownBy(config::nearest)
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-134 The way to the login node 'cluster' (cluster:22) is 'ProxyCommand ssh -W %h:%p"
                        + " gateway', so the address for jobs to dial is unknown. Name the interface by"
                        + " fiber.slurm.interface.");
    }

    /** One example of each rule. */
    static Stream<String> directivesOfTheProgram() {
        return Stream.of(
                "ProxyCommand ssh -W %h:%p gateway",
                "AddressFamily inet6",
                "BindAddress 10.0.0.1",
                "BindInterface lo",
                "CertificateFile ~/.ssh/id-cert.pub",
                "HostbasedAuthentication yes",
                "KnownHostsCommand /usr/bin/keys %H",
                "NoHostAuthenticationForLocalhost yes",
                "PKCS11Provider /usr/lib/opensc-pkcs11.so",
                "PreferredAuthentications gssapi-with-mic,hostbased",
                "PubkeyAuthentication no",
                "RevokedHostKeys /etc/ssh/revoked",
                "SecurityKeyProvider /usr/lib/libsk.so",
                "SetEnv A=b",
                "VerifyHostKeyDNS yes");
    }

    @ParameterizedTest
    @MethodSource("directivesOfTheProgram")
    void directiveThatOnlyTheProgramFollowsIsNamed(String directive) throws IOException {
        String config = "Host other\n  ProxyCommand no\nHost cluster\n  " + directive + "\n  Port 1\n";
        SshOptions jsch = options(Map.of(SshOptions.CLIENT, "jsch"), config);
        SshOptions auto = options(Map.of(), config);
        for (Environment environment : environments().toList()) {
            assertThatThrownBy(() -> SshHost.of(jsch, environment, directory))
                    .isInstanceOf(BackendException.class)
                    .hasMessageMatching("FBR-211 The SSH configuration has '" + directive.replaceFirst(" .*", "")
                            + " .*' for the way to the login node 'cluster' \\(cluster:1\\), which only the program 'ssh'"
                            + " can follow, and fiber.slurm.ssh is 'jsch'. Set it to auto, or name a configuration without"
                            + " this line by fiber.slurm.ssh-config .*");
        }
        assertThatThrownBy(() -> SshHost.of(auto, NOTHING, directory))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-212 The SSH configuration has '" + directive.replaceFirst(" .*", "") + " ")
                .hasMessageContaining("which only the program 'ssh' can follow; it is in no directory of PATH=/nowhere."
                        + " Install OpenSSH's client here, or name a configuration without this line");
    }

    @Test
    void eachRuleHasItsExampleAndItsLineOnThePage() throws IOException {
        assertThat(directivesOfTheProgram().map(directive -> directive.replaceFirst(" .*", "")))
                .containsExactlyInAnyOrderElementsOf(SshConfig.ONLY_PROGRAM.keySet());
        Path page = Path.of("docs/slurm.md");
        String text = Files.readString(Files.exists(page) ? page : Path.of("..").resolve(page));
        List<String> refused =
                text.lines().filter(line -> line.endsWith("|refused|yes|")).toList();
        assertThat(SshConfig.ONLY_PROGRAM.keySet())
                .allSatisfy(rule -> assertThat(String.join("", refused)).contains("`" + rule));
    }

    @Test
    void programThatIsChosenIsToldInOneLineWithTheDirective() throws IOException {
        assumeThat(LocalCommands.find("ssh", Environment.system()))
                .as("the program 'ssh'")
                .isPresent();
        List<String> lines = new ArrayList<>();
        Logger logger = Logger.getLogger(SshHost.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getLevel() + " " + line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            SshHost.of(options(Map.of(), "Host cluster\n  ProxyCommand nc %h %p\n"), Environment.system(), directory)
                    .close();
            SshHost.of(
                            options(Map.of(SshOptions.CLIENT, "program"), "ProxyCommand nc %h %p\n"),
                            Environment.system(),
                            directory)
                    .close();
            SshHost.of(options(Map.of(), ""), Environment.system(), directory).close();
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(lines)
                .containsExactly("INFO The SSH configuration has 'ProxyCommand nc %h %p' for the way to the login node"
                        + " 'cluster' (cluster:22). Only the program ssh can follow that, so it is used.");
    }

    @Test
    void conditionThatOnlyTheProgramCanTellIsNamedWithItsLine() {
        for (String condition : List.of("Match exec true", "Match host cluster user me42", "Match final")) {
            assertThatThrownBy(() -> config(NOTHING, "Port 1\n" + condition + "\n    Port 2\n"))
                    .isInstanceOf(BackendException.class)
                    .hasMessageStartingWith("FBR-212 The SSH configuration has '" + condition + "' (" + directory
                            + "/config, line 2), and only the program 'ssh' can tell whether that holds")
                    .hasMessageContaining("Install OpenSSH's client here, write 'Host' or 'Match host' instead");
        }
    }

    @Test
    void configurationThatSshRefusesIsAnErrorWithItsWords() {
        assumeThat(environments().count()).as("the program 'ssh'").isEqualTo(2);
        assertThatThrownBy(() -> config(Environment.system(), "Prot 22\n"))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-158 The configuration of ssh cannot be used: '")
                .hasMessageContaining(" -GTN -F " + directory.resolve("config") + " -- cluster' says: ")
                .hasMessageContaining("line 1: Bad configuration option: prot");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ProxyCommand none",
                "GSSAPIAuthentication no",
                "ControlMaster auto\nControlPath /nowhere/%C",
                "IgnoreUnknown UseKey*\nUseKeychain yes",
                "SendEnv LANG LC_*",
                "AddressFamily any",
                "PreferredAuthentications publickey,password",
                "KexAlgorithms +diffie-hellman-group14-sha1",
            })
    void directiveThatMeansNothingHereLeavesJsch(String directive) throws IOException {
        for (Environment environment : environments().toList()) {
            assertThat(config(environment, "Host cluster\n" + directive + "\n").needsProgram())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("environments")
    void jumpHostThatNeedsTheProgramCounts(Environment environment) throws IOException {
        assertThat(config(environment, "Host cluster\n  ProxyJump gate\nHost gate\n  ProxyCommand nc %h %p\n")
                        .needsProgram())
                .contains("'ProxyCommand nc %h %p'");
    }

    @ParameterizedTest
    @MethodSource("environments")
    void keyInHardwareNeedsTheProgram(Environment environment) throws IOException {
        byte[] content = "openssh-key-v1\0sk-ssh-ed25519@openssh.com".getBytes(StandardCharsets.US_ASCII);
        Path key = Files.writeString(
                directory.resolve("key_sk"),
                "-----BEGIN OPENSSH PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder(20, new byte[] {'\n'}).encodeToString(content)
                        + "\n-----END OPENSSH PRIVATE KEY-----\n");
        assertThat(config(environment, "IdentityFile " + key + "\n").needsProgram())
                .contains("'IdentityFile " + key + "', a key in hardware,");
    }

    /** With fiber.slurm.ssh=jsch, a connection of its own is opened beside it. */
    @Test
    void connectionThatIsOpenIsUsedByTheProgramIfThereIsOne() throws IOException {
        Path socket = Files.createFile(directory.resolve("socket-cluster"));
        String text = "ControlPath " + directory + "/socket-%n\n";
        assertThat(config(NOTHING, text).needsProgram()).isEmpty();
        assumeThat(environments().count()).as("the program 'ssh'").isEqualTo(2);
        assertThat(config(Environment.system(), text).needsProgram())
                .contains("'ControlPath " + socket + "', where a connection is open,");
        assertThat(config(Environment.system(), Map.of(SshOptions.CLIENT, "jsch"), text)
                        .needsProgram())
                .isEmpty();
    }

    @Test
    void namesThatOnlyTheProgramMakesCanonicalAreNotDialledAsTheyAre() throws IOException {
        assertThat(config(NOTHING, "CanonicalizeHostname yes\n").needsProgram()).contains("'CanonicalizeHostname yes'");
        assertThat(config(NOTHING, "CanonicalizeHostname no\n").needsProgram()).isEmpty();
    }

    @Test
    void kerberosIsUsedByThoseWhoHaveATicket() throws IOException {
        assumeThat(environments().count()).as("the program 'ssh'").isEqualTo(2);
        Path klist = Files.writeString(
                directory.resolve("klist"), "#!/bin/sh\n[ \"$1\" = -s ] && [ -e " + directory + "/ticket ]\n");
        Files.setPosixFilePermissions(klist, PosixFilePermissions.fromString("rwx------"));
        Environment environment = Environment.of(Map.of("PATH", directory + ":" + System.getenv("PATH")), Map.of());
        String text = "GSSAPIAuthentication yes\n";
        assertThat(config(environment, text).needsProgram()).isEmpty();
        Files.createFile(directory.resolve("ticket"));
        assertThat(config(environment, text).needsProgram())
                .contains("'GSSAPIAuthentication yes', and a Kerberos ticket,");
        assertThat(config(environment, "GSSAPIAuthentication no\n").needsProgram())
                .isEmpty();
    }

    @Test
    void agentMayBeNamed() throws IOException {
        Environment environment = Environment.of(
                Map.of("PATH", "/nowhere", "SSH_AUTH_SOCK", "/run/agent", "OTHER", "/run/other"), Map.of());
        assertThat(config(environment, "IdentityAgent ~/agent\n").agent())
                .contains(Path.of(System.getProperty("user.home"), "agent"));
        assertThat(config(environment, "").agent()).contains(Path.of("/run/agent"));
        assertThat(config(environment, "IdentityAgent $OTHER\n").agent()).contains(Path.of("/run/other"));
        assertThat(config(environment, "IdentityAgent none\n").agent()).isEmpty();
        assertThat(config(NOTHING, "").agent()).isEmpty();
    }

    @Test
    void missingProgramIsNamedWithThePath() throws IOException {
        SshOptions options = options(Map.of(SshOptions.CLIENT, "program"), "");

        assertThatThrownBy(() -> SshHost.of(options, NOTHING, directory))
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-212 The program 'ssh' is in no directory of PATH=/nowhere, and fiber.slurm.ssh is"
                        + " 'program', so that the login node 'cluster' (cluster:22) cannot be reached. Install OpenSSH's"
                        + " client here, or set fiber.slurm.ssh to auto.");
    }

    @Test
    @Tag("soak")
    void conditionOfTheConfigurationThatHangsIsAnError() throws IOException {
        assumeThat(environments().count()).as("the program 'ssh'").isEqualTo(2);
        Path pid = directory.resolve("pid");
        Path hangs = Files.writeString(directory.resolve("hangs"), "#!/bin/sh\necho $$ >" + pid + "\nexec sleep 300\n");
        Files.setPosixFilePermissions(hangs, PosixFilePermissions.fromString("rwx------"));
        try {
            assertThatThrownBy(() -> config(Environment.system(), "Match exec " + hangs + "\n    Port 1\n"))
                    .isInstanceOf(BackendException.class)
                    .hasMessageStartingWith("FBR-158 The configuration of ssh cannot be used: '")
                    .hasMessageEndingWith(" has not ended in 20 s.");
        } finally {
            Cluster.run("kill", Files.readString(pid).strip());
        }
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
