// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.cli.run.BackendAccess;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.discovery.Providers;
import io.fiber.spec.EndCause;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import javax.tools.ToolProvider;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobCheckTest {

    private static final Duration LIMIT = Duration.ofSeconds(200);
    private static final int MAJOR_VERSION_OFFSET = 7;
    private static final int JAVA_55 = 99;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final List<Finding> findings = new ArrayList<>();

    @Test
    void aJavaThatIsTooOldForTheProgramIsNamedWithTheOneThatIsNeeded() throws Exception {
        byte[] program = JobCheck.program();
        program[MAJOR_VERSION_OFFSET] = JAVA_55;

        check(program, LIMIT);

        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Finding.Level.FAULT);
            assertThat(finding.text())
                    .isEqualTo("FBR-545 Where jobs run, 'java' is version "
                            + Runtime.version().feature() + "; the program's classes need 55");
            assertThat(finding.fix())
                    .hasValue("name an image, or a path with fiber.worker.java, that has Java 55 or" + " later");
        });
    }

    @Test
    void aJobThatDoesNotEndInTimeIsCancelledAndSaysWhatWasHeardOfIt() throws Exception {
        check(programWithoutEnd(), Duration.ZERO);

        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.text()).startsWith("FBR-543 The job ").contains("has not ended within 0 s");
            assertThat(finding.level()).isEqualTo(Finding.Level.NOTE);
        });
    }

    private byte[] programWithoutEnd() throws IOException {
        Path source = Files.writeString(directory.resolve("ProbeJob.java"), """
                package io.fiber.cli.doctor;

                public final class ProbeJob {
                    public static void main(String[] arguments) throws InterruptedException {
                        Thread.sleep(Long.MAX_VALUE);
                    }
                }
                """);
        int code = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", directory.toString(), source.toString());
        assertThat(code).as("end of the compiler").isZero();
        return Files.readAllBytes(directory.resolve("io/fiber/cli/doctor/ProbeJob.class"));
    }

    @Test
    void datagramsBetweenHostsThatDoNotPassAreAFault() throws Exception {
        Dialled far = new Dialled(
                InetAddress.getByName("192.0.2.7"),
                "192.0.2.7",
                CallerHost.Reach.NETWORK,
                List.of(20_000, 20_001),
                Dialled.Way.UDP);
        List<String> said = List.of(
                "fiber-doctor user=anna",
                "fiber-doctor shm-mib=4",
                "fiber-doctor shm-writable=true",
                "fiber-doctor tmp-writable=true",
                "fiber-doctor udp=no answer",
                "fiber-doctor tcp=answered",
                "fiber-doctor end=reached");

        new JobReport(said, JobTermination.exited(0), far).tell(findings::add);

        assertThat(findings)
                .extracting(Finding::level, Finding::text)
                .contains(
                        Tuple.tuple(Finding.Level.FAULT, "FBR-540 Where the job runs, /dev/shm has 4 MiB free"),
                        Tuple.tuple(
                                Finding.Level.FAULT,
                                "FBR-547 The job called this process (192.0.2.7, the ports 20000 to 20001, advertised"
                                        + " as"
                                        + " 192.0.2.7) by UDP: no answer"),
                        Tuple.tuple(Finding.Level.OK, "the job reaches this process at 192.0.2.7"));
        assertThat(findings)
                .filteredOn(finding -> finding.subject().equals("udp"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.fix().orElseThrow())
                        .startsWith("set fiber.transport=socket, because TCP gets through; or let UDP pass"));
    }

    @Test
    void whatTheChosenTransportDoesNotUseMayBeMissing() throws Exception {
        for (Dialled.Way way : Dialled.Way.values()) {
            findings.clear();
            Dialled far = new Dialled(
                    InetAddress.getByName("192.0.2.7"), "192.0.2.7", CallerHost.Reach.NETWORK, List.of(0), way);
            List<String> said = List.of(
                    "fiber-doctor shm-mib=" + (way == Dialled.Way.UDP ? 64 : 0),
                    "fiber-doctor shm-writable=true",
                    "fiber-doctor tmp-writable=true",
                    "fiber-doctor " + way.name().toLowerCase(Locale.ROOT) + "=answered",
                    "fiber-doctor end=reached");

            new JobReport(said, JobTermination.exited(0), far).tell(findings::add);

            assertThat(findings)
                    .extracting(Finding::subject)
                    .containsExactlyElementsOf(
                            way == Dialled.Way.UDP
                                    ? List.of("job", "job's memory", "udp", "tcp")
                                    : List.of("job", "tcp"));
            assertThat(findings)
                    .extracting(Finding::level)
                    .doesNotContain(Finding.Level.FAULT)
                    .filteredOn(level -> level == Finding.Level.NOTE)
                    .hasSize(way == Dialled.Way.UDP ? 1 : 0);
        }
    }

    @Test
    void connectionsBetweenHostsThatDoNotPassAreAFault() throws Exception {
        Dialled far = new Dialled(
                InetAddress.getByName("192.0.2.7"), "192.0.2.7", CallerHost.Reach.NETWORK, List.of(0), Dialled.Way.TCP);
        List<String> said =
                List.of("fiber-doctor tmp-writable=true", "fiber-doctor udp=answered", "fiber-doctor end=reached");

        new JobReport(said, JobTermination.exited(0), far).tell(findings::add);

        assertThat(findings)
                .extracting(Finding::level, Finding::subject)
                .contains(Tuple.tuple(Finding.Level.FAULT, "tcp"));
    }

    @Test
    void oneProcessorIsOneAndAUserWithoutANameIsNotNamed() throws Exception {
        Dialled near = new Dialled(
                InetAddress.getLoopbackAddress(),
                "127.0.0.1",
                CallerHost.Reach.SAME_HOST,
                List.of(20_000, 20_001),
                Dialled.Way.UDP);
        List<String> said = List.of(
                "fiber-doctor java=17.0.2",
                "fiber-doctor home=/opt/java",
                "fiber-doctor user=?",
                "fiber-doctor processors=1",
                "fiber-doctor heap-mib=64",
                "fiber-doctor end=reached");

        new JobReport(said, JobTermination.exited(0), near).tell(findings::add);

        assertThat(findings)
                .extracting(Finding::text)
                .contains("ran with Java 17.0.2 in /opt/java, 1 processor, heap up to 64 MiB");
        assertThat(HostChecks.processors("1")).isEqualTo("1 processor");
        assertThat(HostChecks.processors("2")).isEqualTo("2 processors");
    }

    @Test
    void codeOfTheBackendIsThatOfTheFindingAndOtherWordsOfItAreNotSearchedForOne() {
        Dialled near = new Dialled(
                InetAddress.getLoopbackAddress(), "127.0.0.1", CallerHost.Reach.SAME_HOST, List.of(0), Dialled.Way.TCP);

        for (String detail : List.of(
                "FBR-163 The image 'x' has no java.",
                "PBS-17 No such queue.",
                "The node says: see FBR-163 for more.")) {
            new JobReport(
                            List.of("a last line"),
                            JobTermination.failed(EndCause.START_FAILED, OptionalInt.empty(), detail),
                            near)
                    .tell(findings::add);
        }

        assertThat(findings)
                .extracting(Finding::code, Finding::text, Finding::fix)
                .containsExactly(
                        Tuple.tuple(
                                Optional.of("FBR-163"),
                                "The job did not finish: start failed: FBR-163 The image 'x' has no java.",
                                Optional.of("see docs/errors.md, section FBR-163")),
                        Tuple.tuple(
                                Optional.of("PBS-17"),
                                "The job did not finish: start failed: PBS-17 No such queue.",
                                Optional.of("look up PBS-17 in the documentation of the backend")),
                        Tuple.tuple(
                                Optional.of("FBR-546"),
                                "FBR-546 The job did not finish: start failed: The node says: see FBR-163 for more.;"
                                        + " its last lines: a last line",
                                Optional.of("check whether Java itself runs there: fiber run -- java -version")));
    }

    private void check(byte[] program, Duration limit) throws Exception {
        Providers providers = Providers.discover(List.of(JobCheckTest.class.getClassLoader()));
        FiberConfig config = FiberConfig.load(
                new ConfigSources(Map.of(), Map.of(), Map.of(), Path.of("")), providers.keys(List.of()));
        BackendProvider local = providers.backends().providers().stream()
                .filter(provider -> provider.name().equals("local"))
                .findFirst()
                .orElseThrow();
        try (BackendAccess door = BackendAccess.open(local, config.optionsOf(local))) {
            Dialled dialled = Dialled.of(door.backend().callerHost(), config, Optional.empty());
            Path files = door.directory().resolve("doctor");
            new JobCheck(door, dialled, new JobCheck.Terms(Optional.empty(), Optional.empty(), files, limit), program)
                    .run(findings::add);
            assertThat(files).doesNotExist();
        }
    }
}
