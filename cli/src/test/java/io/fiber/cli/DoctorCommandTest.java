// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.transport.TransportProvider;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each condition that the doctor is for is made, and found. */
@Tag("slow")
class DoctorCommandTest extends CliFixture {

    @Test
    void nothingIsWrongOnThisHost() throws Exception {
        Cli.Result result = cli.run("doctor", "--backend", "local");

        assertThat(result.unwrapped())
                .contains("choice           backend 'local'")
                .contains("ok     job              ran as user " + System.getProperty("user.name"))
                .contains("the job reaches this process at 127.0.0.1")
                .endsWith("Nothing is wrong.\n");
        assertThat(result.code()).isZero();
    }

    @Test
    void programsGetTheFindingsAsJson() throws Exception {
        Cli.Result result = cli.run("doctor", "--depth", "host", "--backend", "lokal", "--json");

        assertThat(result.unwrapped())
                .startsWith("[{\"level\":\"ok\",\"subject\":\"java\",\"text\":\"")
                .contains("{\"level\":\"fault\",\"subject\":\"choice\",\"code\":\"FBR-102\",\"text\":\"FBR-102 Unknown"
                        + " backend 'lokal'")
                .contains("Did you mean 'local'?")
                .endsWith("}]\n");
        assertThat(result.code()).isOne();
    }

    @Test
    void whatTheCommandLineSetsIsSaidToBeFromThere() throws Exception {
        Cli.Result wrong = cli.run("doctor", "--depth", "host", "--backend", "lokal", "-s", "lease=30s");
        Cli.Result right = cli.run("doctor", "--depth", "host", "--backend", "local");

        assertThat(wrong.unwrapped())
                .contains("FBR-102 Unknown backend 'lokal' (from --backend).")
                .contains("fiber.lease = 30s (from -s lease)");
        assertThat(right.unwrapped())
                .contains("fiber.backend = local (from --backend)")
                .contains("backend 'local', from --backend");
    }

    @Test
    void missingEntriesOfTheClassPathAreNoted() throws Exception {
        String classPath = String.join(File.pathSeparator, "my-1.jr", part(BackendProvider.class, "local"), "lbi/*");

        Cli.Result result = cli.run("doctor", "--depth", "host", "--class-path", classPath);

        assertThat(result.unwrapped())
                .contains("note   class path       there is no 'my-1.jr', 'lbi/*'; java silently ignores missing"
                        + " entries\n")
                .contains("-> correct --class-path");
    }

    @Test
    void theJobOfTheDoctorIsStartedByTheJavaOfTheSettings() throws Exception {
        Cli.Result result = cli.run("doctor", "--backend", "local", "--set", "worker.java=/no/such/java");

        assertThat(result.unwrapped()).contains("FAULT  job ").contains("/no/such/java");
    }

    @Test
    void aClassPathWithoutABackendIsAFault() throws Exception {
        Cli.Result result =
                cli.run("doctor", "--depth", "host", "--class-path", part(TransportProvider.class, "socket"));

        assertThat(result.unwrapped())
                .contains(
                        "FAULT  choice           FBR-101 No backend on the class path. Add one of: fiber-backend-local")
                .contains("docs/errors.md, section FBR-101")
                .endsWith("1 fault.\n");
        assertThat(result.code()).isOne();
    }

    @Test
    void twoBackendsOfOneNameAreAFaultThatNamesBothPlaces() throws Exception {
        Path twin = directory.resolve("twin");
        ProgramJars.copy(TwinProvider.class, twin);
        Path services = Files.createDirectories(twin.resolve("META-INF/services"));
        Files.writeString(
                services.resolve("io.fiber.spi.backend.BackendProvider"), TwinProvider.class.getName() + "\n");

        String both = part(BackendProvider.class, "local") + File.pathSeparator + twin;
        Cli.Result result = cli.run("doctor", "--depth", "host", "--class-path", both);

        assertThat(result.unwrapped())
                .contains("FAULT  choice           FBR-103 Two providers are named 'local': ")
                .contains(twin.toString());
    }

    @Test
    void aMissingSbatchIsAFault() throws Exception {
        Cli.Result result = cli.with("PATH", "/nowhere").run("doctor", "--backend", "slurm");

        assertThat(result.unwrapped())
                .contains("FAULT  choice           FBR-105 Backend 'slurm'")
                .contains("sbatch was not found on PATH=/nowhere");
        assertThat(result.code()).isOne();
    }

    @Test
    void anApiThatDoesNotAnswerIsAFault() throws Exception {
        Cli.Result result = cli.run("doctor", "--backend", "docker", "--set", "docker.host=tcp://127.0.0.1:1");

        assertThat(result.unwrapped()).contains("FAULT  backend docker   FBR-160 Docker does not answer");
        assertThat(result.code()).isOne();
    }

    @Test
    void aSharedMemoryThatIsTooSmallIsAFault() throws Exception {
        String mount = "mount -t tmpfs -o size=1m tmpfs /dev/shm && exec \"$@\"";
        Cli small = cli.startedBy("unshare", "--mount", "sh", "-c", mount, "sh");
        assumeTrue(small.canBeStarted(), "this user cannot make a file system of its own");

        assertThat(small.run("doctor", "--depth", "host").unwrapped())
                .contains("ok     transport        socket, the only one on the class path\n")
                .doesNotContain("shared memory");
        Cli.Result result = small.run("doctor", "--depth", "host", "--class-path", Cli.classPathWithAeron());

        assertThat(result.unwrapped())
                .contains("ok     transport        aeron, preferred to the others on the class path\n")
                .contains("FAULT  shared memory    FBR-540 Only 1 MiB free in /dev/shm")
                .contains("-> free some, or make it larger: mount -o remount,size=256m /dev/shm");
    }

    @Test
    void datagramsThatDoNotPassAreFound() throws Exception {
        String block = "ip link set lo up && /usr/sbin/iptables -A INPUT -p udp -j DROP && exec \"$@\"";
        Cli blocked = cli.startedBy("unshare", "--net", "sh", "-c", block, "sh");
        assumeTrue(blocked.canBeStarted(), "this user cannot make a network of its own, or there is no iptables");

        assertThat(blocked.run("doctor", "--backend", "local").unwrapped()).doesNotContain("udp", "UDP");
        Cli.Result result = blocked.run("doctor", "--backend", "local", "--class-path", Cli.classPathWithAeron());

        assertThat(result.unwrapped())
                .contains("note   udp              FBR-547 The job called this process (127.0.0.1, any port, advertised"
                        + " as 127.0.0.1) by UDP: no answer; this does not matter here, because on this backend"
                        + " messages do not pass through the network")
                .contains("ok     tcp              the job reaches this process at 127.0.0.1")
                .contains("-> let UDP pass");
    }

    @Test
    void aHostKeyThatIsNotTheKnownOneIsAFault() throws Exception {
        assumeTrue(Cli.program("/usr/sbin/sshd").isPresent(), "there is no sshd");
        try (SshServer server = SshServer.start(directory)) {
            Cli.Result result = cli.run(
                    "doctor",
                    "--backend",
                    "slurm",
                    "--set",
                    "slurm.ssh-host=127.0.0.1",
                    "--set",
                    "slurm.ssh-port=" + server.port(),
                    "--set",
                    "slurm.ssh-known-hosts=" + server.knownHostsOfAnother());

            assertThat(result.unwrapped())
                    .contains("FAULT  backend slurm    FBR-15")
                    .contains("127.0.0.1");
            assertThat(result.code()).isOne();
        }
    }

    @Test
    void aKubernetesThatDoesNotAnswerIsAFault() throws Exception {
        Path config = Files.writeString(directory.resolve("kubeconfig"), kubeconfig("https://127.0.0.1:1", "token: x"));

        Cli.Result result = cli.with("KUBECONFIG", config.toString()).run("doctor", "--backend", "kubernetes");

        assertThat(result.unwrapped())
                .contains("FAULT  backend kubernetes  FBR-169 The API server does not answer")
                .contains("docs/errors.md, section FBR-169");
        assertThat(result.code()).isOne();
    }

    static String kubeconfig(String server, String user) {
        return "apiVersion: v1\nkind: Config\nclusters: [{name: test, cluster: {server: '" + server
                + "', insecure-skip-tls-verify: true}}]\nusers: [{name: test, user: {" + user
                + "}}]\ncontexts: [{name: test, context: {cluster: test, user: test}}]\ncurrent-context: test\n";
    }

    @Test
    void aWrongCommandLineEndsWithTwo() throws Exception {
        Cli.Result result = cli.run("doctor", "--dept", "host");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("Unknown options: '--dept'").contains("--depth");
    }

    /** Returns the entry of the class path that has a provider of this service whose class name holds a word. */
    private static String part(Class<?> service, String word) throws URISyntaxException {
        Class<?> type = ServiceLoader.load(service).stream()
                .<Class<?>>map(ServiceLoader.Provider::type)
                .filter(each -> each.getName().contains(word))
                .findFirst()
                .orElseThrow();
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }
}
