// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateTerminatedBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shell that runs a program in a pod of a Job, run by the shell of this host. */
@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class RestartsTest {

    private static final Instant LONG_AGO = Instant.EPOCH;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private Path message() {
        return directory.resolve("message");
    }

    private Process start(Instant submitted, String... program) throws IOException {
        List<String> words = Restarts.words(
                List.of(program), Optional.empty(), Optional.of(message().toString()), submitted);
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
    }

    private static int exitCode(Process process) throws InterruptedException {
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @ParameterizedTest
    @ValueSource(ints = {75, 129, 130, 137, 143})
    void codeOfARestartableEndIsPassedOn(int code) throws Exception {
        assertThat(exitCode(start(Instant.now(), "sh", "-c", "exit " + code))).isEqualTo(code);
        assertThat(message()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 76, 127, 134, 255})
    void codeOfAnyOtherEndIsInTheMessageOfAContainerThatHasSucceeded(int code) throws Exception {
        assertThat(exitCode(start(Instant.now(), "sh", "-c", "exit " + code))).isZero();

        ContainerStateTerminated end = Restarts.ofProgram(pod(), ended(0, Files.readString(message())));
        assertThat(end.getExitCode()).isEqualTo(code);
    }

    @Test
    void successNeedsNoMessage() throws Exception {
        assertThat(exitCode(start(Instant.now(), "true"))).isZero();
        assertThat(message()).doesNotExist();
    }

    @Test
    void wordsArriveAsTheyAreAndVariablesOfTheShellAreNotExported() throws Exception {
        assertThat(exitCode(start(
                        Instant.now(),
                        "sh",
                        "-c",
                        "printf '%s|' \"$@\" \"$pause\" \"$code\"",
                        "x",
                        "a b",
                        "$HOME",
                        "")))
                .isZero();
        assertThat(directory.resolve("output")).hasContent("a b|$HOME||||");
    }

    @Test
    void codeIsThatWithWhichTheProgramEndsSomeTimeAfterItWasAsked() throws Exception {
        Process process = start(
                Instant.now(),
                "sh",
                "-c",
                "trap 'sleep 1; exit 75' TERM; touch '" + directory + "/up'; while :; do sleep 0.1; done");
        await().atMost(LIMIT).until(() -> Files.exists(directory.resolve("up")));

        process.destroy();

        assertThat(exitCode(process)).isEqualTo(75);
    }

    @Test
    void laterPodPausesAndEndsAtOnceWhenItIsAskedTo() throws Exception {
        Process process = start(LONG_AGO, "touch", directory.resolve("up").toString());

        assertThat(process.waitFor(2, TimeUnit.SECONDS))
                .as("a program without a pause ends")
                .isFalse();
        assertThat(directory.resolve("up")).doesNotExist();
        process.destroy();
        assertThat(exitCode(process)).isEqualTo(143);
        assertThat(directory.resolve("up")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"120, 120, 115s", "30, 30, 25s", "3, 30, 1s"})
    void pauseAndNoticeGoByTheGrace(long graceS, String pause, String notice) {
        assertThat(Restarts.words(List.of("tool"), Optional.of(graceS), Optional.empty(), LONG_AGO))
                .containsSubsequence("fiber", pause, "0", "20", "/dev/termination-log", "tool");
        assertThat(Restarts.stopNotice(Optional.of(graceS))).isEqualTo(notice);
    }

    @Test
    void onlyTheMessageOfAMarkedPodThatHasSucceededIsAnExitCode() {
        Pod unmarked = new PodBuilder().withNewMetadata().endMetadata().build();

        assertThat(List.of(
                        Restarts.ofProgram(unmarked, ended(0, "code=7 ")),
                        Restarts.ofProgram(pod(), ended(0, "code = 7")),
                        Restarts.ofProgram(
                                pod(),
                                new ContainerStateTerminatedBuilder()
                                        .withExitCode(0)
                                        .build())))
                .extracting(ContainerStateTerminated::getExitCode)
                .containsOnly(0);
        assertThat(Restarts.ofProgram(pod(), ended(75, "code=7")).getExitCode()).isEqualTo(75);
        assertThat(Restarts.ofProgram(pod(), ended(0, "code=137 oom\n")))
                .returns(137, ContainerStateTerminated::getExitCode)
                .returns(PodReading.OUT_OF_MEMORY, ContainerStateTerminated::getReason);
    }

    private static Pod pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withAnnotations(Map.of(Restarts.ANNOTATION, "3"))
                .endMetadata()
                .build();
    }

    private static ContainerStateTerminated ended(int code, String message) {
        return new ContainerStateTerminatedBuilder()
                .withExitCode(code)
                .withMessage(message)
                .build();
    }
}
