// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static io.fiber.backend.local.LocalSession.assertGone;
import static io.fiber.backend.local.LocalSession.command;
import static io.fiber.backend.local.LocalSession.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spec.Resources;
import io.fiber.spec.Volume;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What this host cannot run as it was asked for. */
class RefusedJobsTest {

    @TempDir
    Path directory;

    private LocalSession session;

    @BeforeEach
    void open() {
        session = new LocalSession(directory);
    }

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void whatIsNotOfferedIsRefusedByName() {
        assertRefused(
                shell("true").image("debian:12"),
                "FBR-106 Process 'train' needs IMAGE (image=debian:12); backend 'local' does not offer it. Leave it"
                        + " out, or choose a backend that offers IMAGE.");
        assertRefused(
                shell("true").resources(Resources.cpus(2)),
                "FBR-106 Process 'train' needs CPU_LIMIT (cpus=2.0) for a plain command; backend 'local' offers it"
                        + " for Java programs only, as the number of processors that their JVM counts on. Leave the"
                        + " cpus out, or choose a backend that bounds any program.");
        assertThatThrownBy(() -> session.start(
                        shell("true").volumes(List.of(Volume.of("data", "/data").readOnly()))))
                .isInstanceOf(JobRejectedException.class)
                .hasMessageStartingWith("FBR-106 Process 'train' needs VOLUMES (volumes=[");
        assertThatThrownBy(() -> session.start(shell("true").resources(Resources.memory("64m"))))
                .isInstanceOf(JobRejectedException.class)
                .hasMessageStartingWith(
                        "FBR-106 Process 'train' needs MEMORY_LIMIT (memoryBytes=67108864) for a plain command;");
    }

    @Test
    void programThatCannotBeExecutedIsRefused() throws IOException {
        assertThatThrownBy(() -> session.start(command("no-such-program-of-fiber")))
                .isInstanceOf(JobRejectedException.class)
                .hasMessageStartingWith(
                        "FBR-139 Process 'train' cannot be started: the program 'no-such-program-of-fiber'"
                                + " cannot be executed, because no directory of its PATH (");
        Path plain = Files.writeString(directory.resolve("plain"), "exit 0");
        assertRefused(
                command(plain.toString()),
                "FBR-139 Process 'train' cannot be started: the program '" + plain + "' cannot be executed, because '"
                        + plain + "' is not executable by this user. Correct the command, or install the program.");
        Path script = Files.writeString(directory.resolve("script"), "#!/no/such/sh -e\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        assertRefused(
                command("./script").workingDirectory(directory),
                "FBR-139 Process 'train' cannot be started: the program './script' cannot be executed, because its first"
                        + " line names the interpreter '/no/such/sh', which cannot be executed. Correct the command,"
                        + " or install the program.");
    }

    @Test
    void workingDirectoryThatIsMissingIsRefused() {
        Path missing = directory.resolve("missing");
        assertRefused(
                shell("true").workingDirectory(missing),
                "FBR-139 Process 'train' is to start in the working directory '" + missing
                        + "', which is not a directory of this host. Create it, or name another one.");
    }

    /** The second job cannot be started because its log file is a directory; the first had been started by then. */
    @Test
    void submissionIsStartedWholeOrNotAtAll() throws IOException {
        Files.createDirectory(directory.resolve("job-1.log"));
        Path mark = directory.resolve("pid");

        assertThatThrownBy(() -> session.start(
                        shell("echo $$ > " + mark + "-; mv " + mark + "- " + mark + "; sleep 300")
                                .output(new JobOutput.Files(directory)),
                        3))
                .isInstanceOf(JobRejectedException.class)
                .hasMessageStartingWith("FBR-139 Process 'job-1' cannot be started: ");

        assertThat(session.events()).isEmpty();
        assertThat(session.registered()).isEmpty();
        if (Files.exists(mark)) {
            assertGone(Long.parseLong(Files.readString(mark).strip()));
        }
    }

    private void assertRefused(JobSpec.Builder spec, String message) {
        assertThatThrownBy(() -> session.start(spec))
                .isInstanceOf(JobRejectedException.class)
                .hasMessage(message);
        assertThat(session.events()).isEmpty();
    }
}
