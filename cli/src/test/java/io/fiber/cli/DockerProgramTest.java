// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code fiber run --dockerfile} does with the program {@code docker}, whose place a script takes. No engine is asked. */
class DockerProgramTest extends CliFixture {

    private static final Duration LIMIT = Duration.ofSeconds(100);
    private static final int AFTER_CTRL_C = 130;

    @BeforeEach
    void inADirectoryWithADockerfile() throws Exception {
        Path programs = Files.createDirectory(directory.resolve("programs"));
        cli = cli.with("PATH", programs + ":" + System.getenv("PATH"))
                .with("DOCKER_HOST", "unix://" + directory.resolve("no.sock"));
        Files.writeString(directory.resolve("Dockerfile"), "FROM scratch\n");
    }

    @Test
    void ctrlCBeforeTheJobIsTakenEndsTheKeeperAndItsBuild() throws Exception {
        Path pids = directory.resolve("pids");
        docker("echo $$ $PPID > " + pids + ".new; mv " + pids + ".new " + pids + "; while :; do sleep 0.1; done");
        Process process = cli.builder(words("--detach"))
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile())
                .start();
        try {
            await().atMost(LIMIT).until(() -> Files.exists(pids));
            Cli.signal("INT", process.pid());

            assertThat(process.waitFor()).isEqualTo(AFTER_CTRL_C);
            assertThat(directory.resolve("out")).isEmptyFile();
            assertThat(directory.resolve("err")).isEmptyFile();
            assertThat(directory.resolve("state/fiber/runs")).isEmptyDirectory();
            await().atMost(LIMIT).until(() -> alive(pids).isEmpty());
        } finally {
            process.destroyForcibly();
            alive(pids).forEach(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void aBuildWithoutAnIdIsToldWithTheFileThatHasNone() throws Exception {
        docker("true");

        Cli.Result result = cli.run(words("--quiet"));

        assertThat(result.err())
                .matches("fiber: FBR-556 The image of " + directory.resolve("Dockerfile")
                        + " has no name: docker build returned no id\\. Can it write to '[^']+\\.id'\\? A docker that"
                        + " was installed as a snap has its own /tmp\\. Name a directory that both can write, for"
                        + " example in your home: JAVA_TOOL_OPTIONS=-Djava\\.io\\.tmpdir=DIRECTORY\n");
        assertThat(result.out()).isEmpty();
        assertThat(result.code()).isEqualTo(125);
    }

    private static List<ProcessHandle> alive(Path pids) throws Exception {
        return Files.exists(pids)
                ? Stream.of(Files.readString(pids).strip().split(" ", -1))
                        .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                        .filter(ProcessHandle::isAlive)
                        .toList()
                : List.of();
    }

    private void docker(String build) throws Exception {
        Path script = Files.writeString(
                directory.resolve("programs/docker"),
                "#!/bin/sh\nif [ $1 = version ]; then echo 28.2.2; exit 0; fi\n" + build + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    private static String[] words(String option) {
        return List.of("run", option, "--backend", "docker", "--dockerfile", "Dockerfile", "--", "true")
                .toArray(String[]::new);
    }
}
