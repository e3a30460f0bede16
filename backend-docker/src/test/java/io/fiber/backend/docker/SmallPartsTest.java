// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static io.fiber.backend.docker.ScriptedDocker.framed;
import static io.fiber.backend.docker.ScriptedDocker.joined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.Network;
import io.fiber.backend.support.CallerAddress;
import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.Program;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SmallPartsTest {

    private static ContainerPlan plan(JobSpec.Builder spec) {
        return new ContainerPlan(
                spec.build(), DockerOptions.of(DockerFixture.options(Map.of("shm-size", "32m"))), Optional.empty());
    }

    private static JobSpec.Builder java() {
        return JobSpec.builder(new Program.Java(Optional.empty(), List.of(), List.of(), List.of(), "a.B", List.of()));
    }

    private static JobSpec.Builder command() {
        return JobSpec.builder(new Program.Command(List.of("tool")));
    }

    @Test
    void containerOfAJavaProgramHasRoomBesideTheHeap() {
        Resources little = Resources.memory("100m");
        Resources much = Resources.memory("4g");

        assertThat(plan(java().resources(little)).limitBytes()).hasValue((100L + 192 + 32) << 20);
        assertThat(plan(java().resources(much)).limitBytes()).hasValue((5L * 1024 + 32) << 20);
        assertThat(plan(command().resources(little)).limitBytes()).hasValue(100L << 20);
        assertThat(plan(java()).limitBytes()).isEmpty();
    }

    @Test
    void whatIsSaidOfMemoryHasItsParts() {
        String parts = "324 MiB: heap 100 MiB, 192 MiB beside it, 32 MiB of /dev/shm";
        ContainerPlan plan = plan(java().resources(Resources.memory("100m")));
        String refusal = "Minimum memory limit allowed is 6MB";

        assertThat(Advice.onMemory(plan))
                .isEqualTo("the container used more than its limit of " + parts
                        + "; ask for more memory, or set fiber.docker.memory");
        assertThat(Advice.onMemory(plan(java())))
                .startsWith("the container used more than its limit; ask for more memory");
        assertThat(Advice.on(refusal, plan)).isEqualTo("Ask for more memory. The container's limit is " + parts + ".");
        assertThat(Advice.on(refusal, plan(command().resources(Resources.memory("1m")))))
                .isEqualTo("Ask for more memory. The container's limit is 1 MiB.");
        assertThat(Advice.on(refusal, plan(java()))).isEqualTo("Ask for more memory.");
        assertThat(Advice.on("range of CPUs", plan)).doesNotContain("MiB");
    }

    @Test
    void exitCodesAreReadAsAShellHasThem() {
        assertThat(Advice.onExit(0, plan(java()), List.of(), Optional.empty()).state())
                .isEqualTo(JobState.SUCCEEDED);
        assertThat(Advice.onExit(3, plan(java()), List.of(), Optional.empty()).describe())
                .isEqualTo("exit code 3");
        assertThat(Advice.onExit(143, plan(java()), List.of(), Optional.empty()).cause())
                .isEqualTo(EndCause.SIGNALLED);
        assertThat(Advice.onExit(127, plan(java()), List.of("my own end"), Optional.empty())
                        .cause())
                .isEqualTo(EndCause.EXITED);
        assertThat(Advice.onExit(
                                127,
                                plan(command()),
                                List.of("[FATAL tini (7)] exec tool failed: No such file"),
                                Optional.empty())
                        .describe())
                .startsWith("start failed (exit code 127): FBR-163 The image 'fiber-test:jre'")
                .contains("has no program 'tool'");
    }

    @Test
    void imageOfAnotherArchitectureIsNamed() throws Exception {
        String line = "[FATAL tini (7)] exec tool failed: Exec format error";
        String words = "start failed (exit code 1): FBR-163 The image 'fiber-test:jre' (from fiber.docker.image or its"
                + " default) is for arm64, but Docker's host is amd64: " + line
                + ". Expected an image for amd64; if the registry has one, 'docker pull --platform linux/amd64"
                + " fiber-test:jre' on Docker's host fetches it.";
        InspectImageResponse arm = new InspectImageResponse().withArch("arm64");
        Optional<Images.Mismatch> mismatch = Images.mismatch(arm, new Info().withArchitecture("x86_64"));

        assertThat(Advice.onExit(1, plan(command()), List.of(line), mismatch).describe())
                .isEqualTo(words);
        assertThat(Advice.onExit(1, plan(command()), List.of(line), Optional.empty())
                        .describe())
                .startsWith("start failed (exit code 1): FBR-163 The image 'fiber-test:jre'")
                .contains("has no program 'tool' that can be run: " + line);
        assertThat(Advice.onExit(1, plan(command()), List.of("Exec format error of tool's own"), mismatch)
                        .describe())
                .isEqualTo("exit code 1");
        assertThat(Advice.onStart("exec: tool: no such file or directory", plan(command()), mismatch))
                .startsWith("FBR-163 The image 'fiber-test:jre'")
                .contains("is for arm64, but Docker's host is amd64");
        assertThat(Images.mismatch(arm, new Info().withArchitecture("aarch64"))).isEmpty();
        assertThat(Images.mismatch(new InspectImageResponse(), new Info().withArchitecture("x86_64")))
                .isEmpty();
    }

    private static String words(String answer) {
        // docker-java adds the status.
        return new Refusal(new NotFoundException(answer)).words();
    }

    @Test
    void wordsOfDockerAreTakenOutOfItsAnswer() {
        assertThat(words("{\"message\":\"No such image: \\\"x\\\"\\u003ca\\u003e\\n\"}\n"))
                .isEqualTo("No such image: \"x\"<a>");
        assertThat(words("{\"message\": \"invalid mount: C:\\\\new\\tdata Gr\\u00f6\\u00dfe\\nsee above\"}"))
                .isEqualTo("invalid mount: C:\\new\tdata Gr\u00f6\u00dfe see above");
        assertThat(words("<html> Bad Gateway")).isEqualTo("<html> Bad Gateway");
        assertThat(words("{\"error\": 1}")).isEqualTo("{\"error\": 1}");
        assertThat(words("plain")).isEqualTo("plain");
        assertThat(new Refusal(new NotFoundException("plain")).isNotFound()).isTrue();
        assertThat(words("no JSON\nin two lines\n")).isEqualTo("no JSON in two lines");
    }

    @Test
    void addressIsFoundInItsSubnet() throws Exception {
        InetAddress address = InetAddress.getByName("172.18.0.7");

        assertThat(MasterAddress.isIn(address, "172.18.0.0/16")).isTrue();
        assertThat(MasterAddress.isIn(address, "172.18.0.8/29")).isFalse();
        assertThat(MasterAddress.isIn(address, "0.0.0.0/0")).isTrue();
        assertThat(MasterAddress.isIn(address, "172.18.0.7/32")).isTrue();
        assertThat(MasterAddress.isIn(address, "nonsense/x")).isFalse();
    }

    @Test
    void networksOfADaemonElsewhereSayNothingOfThisHost() throws Exception {
        Network network = new ObjectMapper()
                .readValue(
                        "{\"IPAM\": {\"Config\": [{\"Subnet\": \"127.0.0.0/8\", \"Gateway\": \"127.0.0.1\"}]},"
                                + " \"Containers\": {\"own\": {\"IPv4Address\": \"127.0.0.1/8\"}}}",
                        Network.class);

        assertThat(dialled("unix:///var/run/docker.sock", network)).hasValue("127.0.0.1");
        assertThat(dialled("tcp://127.0.0.1:2375", network)).hasValue("127.0.0.1");
        // Empty where no way leads there.
        assertThat(dialled("tcp://192.0.2.7:2375", network)).isNotEqualTo(Optional.of("127.0.0.1"));
        assertThat(MasterAddress.guess("tcp://192.0.2.7:2375", Optional.of(network), new Info(), Optional.of("own"))
                        .map(CallerHost::advertised))
                .hasValue("127.0.0.1");
    }

    /** The namespace that has the networks of a rootless daemon is not this process's, though it is on the same host. */
    @Test
    void networksOfARootlessDaemonSayNothingOfThisHost() throws Exception {
        Network network = new ObjectMapper()
                .readValue(
                        "{\"IPAM\": {\"Config\": [{\"Subnet\": \"127.0.0.0/8\", \"Gateway\": \"127.0.0.1\"}]},"
                                + " \"Containers\": {\"own\": {\"IPv4Address\": \"127.0.0.1/8\"}}}",
                        Network.class);
        Info rootless = new Info().withSecurityOptions(List.of("name=seccomp,profile=builtin", "name=rootless"));

        for (String url : List.of("unix:///run/user/1000/docker.sock", "tcp://127.0.0.1:2375")) {
            // Empty where no way leads out of this host.
            assertThat(MasterAddress.guess(url, Optional.of(network), rootless, Optional.empty())
                            .map(CallerHost::advertised))
                    .isEqualTo(wayOut());
            assertThat(MasterAddress.guess(url, Optional.of(network), rootless, Optional.of("own"))
                            .map(CallerHost::advertised))
                    .hasValue("127.0.0.1");
        }
    }

    @Test
    void networkIsMissingOnlyIfDockerSaysSo() throws IOException {
        DockerOptions options = DockerOptions.of(DockerFixture.options(Map.of("network", "lab")));
        String request = "GET /networks/lab";
        try (ScriptedDocker docker = new ScriptedDocker();
                Engine engine = docker.connect()) {
            docker.with(request, ScriptedDocker.Answer.of(404, "{\"message\":\"network lab not found\"}"));
            assertThatThrownBy(() -> MasterAddress.find(engine, options, new Info()))
                    .hasMessage("FBR-164 The network 'lab' (from fiber.docker.network) does not exist: network lab not"
                            + " found. 'docker network ls' lists the networks; 'docker network create lab' makes it.");

            docker.with(request, ScriptedDocker.Answer.of(400, "{\"message\":\"network lab is ambiguous\"}"));
            assertThatThrownBy(() -> MasterAddress.find(engine, options, new Info()))
                    .hasMessage("FBR-164 The network 'lab' (from fiber.docker.network) cannot be inspected: network lab"
                            + " is ambiguous. 'docker network ls' lists the networks.");
        }
    }

    private static Optional<String> wayOut() {
        try {
            return Optional.of(CallerAddress.towards("192.0.2.1").getHostAddress());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Test
    void containersOfARootlessDaemonRunAsItsUserUnlessAnotherIsNamed() {
        Info rootless = new Info().withSecurityOptions(List.of("name=rootless"));
        Options none = DockerFixture.options(Map.of());
        Options named = DockerFixture.options(Map.of("user", "7:8"));

        assertThat(DockerOptions.of(DockerOptions.forDaemon(none, rootless)).user())
                .hasToString("0:0");
        assertThat(DockerOptions.of(DockerOptions.forDaemon(named, rootless)).user())
                .hasToString("7:8");
        assertThat(DockerOptions.forDaemon(none, new Info())).isSameAs(none);
    }

    private static Optional<String> dialled(String daemon, Network network) {
        return MasterAddress.guess(daemon, Optional.of(network), new Info(), Optional.of("another"))
                .map(CallerHost::advertised);
    }

    private static List<String> readOf(LogPosition position, String... entries) {
        return Stream.of(entries)
                .map(entry -> position.read(entry.getBytes(StandardCharsets.UTF_8)))
                .flatMap(Optional::stream)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void entriesOfALogThatWereReadAreKnownEvenThoseOfOneMoment() {
        LogPosition out = new LogPosition();
        LogPosition err = new LogPosition();
        String one = "2026-11-22T02:00:01.000000001Z a\n";
        String part = "2026-11-22T02:00:01.000000002Z part ";
        String end = "2026-11-22T02:00:01.000000002Z of it";
        assertThat(LogPosition.expectReplay(out, err)).isEmpty();
        assertThat(readOf(out, one, part, end)).containsExactly("a\n", "part ", "of it");

        // A second earlier: of two entries at the same moment, Docker may write the later one first.
        assertThat(LogPosition.expectReplay(out, err)).isEqualTo("&since=1795312800");
        assertThat(readOf(out, one, part, end, "2026-11-22T02:00:01.000000002Z \n"))
                .containsExactly("\n");
        assertThat(readOf(out, "2026-11-22T02:00:00.000000000Z the clock was set back"))
                .containsExactly("the clock was set back");

        LogPosition.expectReplay(out, err);
        assertThat(readOf(out, "2026-11-22T02:00:05.000000000Z b")).containsExactly("b");
    }

    private static List<String> passed(byte[] log) throws IOException {
        List<String> entries = new ArrayList<>();
        LogEntries.pass(new ByteArrayInputStream(log), new LogEntries.Receiver() {
            @Override
            public void onEntry(LogEntries.Stream stream, byte[] entry) {
                entries.add(stream + " " + new String(entry, StandardCharsets.UTF_8));
            }

            @Override
            public void onDamage(String why) {
                entries.add("damage " + why);
            }
        });
        return entries;
    }

    @Test
    void entryOfALogIsOneHoweverLongItIs() throws IOException {
        String longer = "many words ".repeat(10_000);
        byte[] log = joined(framed(1, longer), framed(2, ""), framed(0, "b\n"));

        assertThat(passed(log)).containsExactly("OUT " + longer, "ERR ", "OUT b\n");
    }

    @Test
    void entryOfALogThatIsNotWholeIsNone() {
        byte[] whole = framed(1, "a line\n");

        assertThatThrownBy(() -> passed(Arrays.copyOf(whole, whole.length - 1)))
                .isInstanceOf(EOFException.class)
                .hasMessage("The log broke off after 6 of the 7 bytes of an entry.");
        assertThatThrownBy(() -> passed(Arrays.copyOf(whole, 7)))
                .isInstanceOf(EOFException.class)
                .hasMessage("The log broke off within the head of an entry.");
    }

    @Test
    void wordsOfDockerInALogAreNoEntry() throws IOException {
        byte[] log = joined(framed(1, "a\n"), framed(3, "Error grabbing logs: unexpected EOF\n"), framed(2, "b\n"));

        assertThat(passed(log)).containsExactly("OUT a\n", "damage Error grabbing logs: unexpected EOF", "ERR b\n");
    }

    @Test
    void logIsReadUpToWhatIsNoEntry() throws IOException {
        byte[] entry = framed(1, "a");

        assertThat(passed(joined(entry, framed(9, "b"), entry)))
                .containsExactly(
                        "OUT a",
                        "damage it has an entry of stream 9 with 1 bytes; expected 0 to 3, and at most 16777216");
        assertThat(passed(joined(entry, new byte[] {1, 0, 0, 0, 0x7f, 0, 0, 0}, entry)))
                .containsExactly(
                        "OUT a",
                        "damage it has an entry of stream 1 with 2130706432 bytes; expected 0 to 3, and at most"
                                + " 16777216");
    }
}
