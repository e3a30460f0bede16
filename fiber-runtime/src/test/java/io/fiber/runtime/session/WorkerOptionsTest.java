// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerOptionsTest {

    private static final List<String> OWN = List.of(
            "-Xshare:auto",
            "-XX:SharedArchiveFile=/cache/a.jsa",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xms8m",
            "-XX:CompileThresholdScaling=4",
            "-XX:MaxRAMPercentage=9.37",
            "-XX:ActiveProcessorCount=2",
            "-agentlib:jdwp=server=y");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "-XX:+UseG1GC, -XX:+UseSerialGC",
        "-XX:+UseZGC, -XX:+UseSerialGC",
        "-XX:+UseShenandoahGC, -XX:+UseSerialGC",
        "-XX:-UseSerialGC, -XX:+UseSerialGC",
        "-Xms1g, -Xms8m",
        "-XX:InitialHeapSize=1g, -Xms8m",
        "-XX:MinHeapSize=16m, -Xms8m",
        "-XX:InitialRAMPercentage=10, -Xms8m",
        "-Xmx6m, -Xms8m -XX:MaxRAMPercentage=9.37",
        "-Xmx6000K, -Xms8m -XX:MaxRAMPercentage=9.37",
        "-XX:MaxHeapSize=6291456, -Xms8m -XX:MaxRAMPercentage=9.37",
        "-Xmx2g, -XX:MaxRAMPercentage=9.37",
        "-XX:MaxRAMPercentage=40, -XX:MaxRAMPercentage=9.37",
        "-XX:MaxRAMFraction=2, -XX:MaxRAMPercentage=9.37",
        "-XX:+AggressiveHeap, -XX:+UseSerialGC -Xms8m -XX:MaxRAMPercentage=9.37",
        "-XX:CompileThreshold=100, -XX:CompileThresholdScaling=4",
        "-XX:Tier4InvocationThreshold=9, -XX:CompileThresholdScaling=4",
        "-Xshare:off, -Xshare:auto -XX:SharedArchiveFile=/cache/a.jsa",
        "-XX:AOTCache=app.aot, -Xshare:auto -XX:SharedArchiveFile=/cache/a.jsa",
        "-XX:ActiveProcessorCount=1, -XX:ActiveProcessorCount=2",
        "'-agentlib:jdwp=transport=dt_socket,server=y,address=5005', -agentlib:jdwp=server=y",
        "'-Xrunjdwp:transport=dt_socket,server=y,address=5005', -agentlib:jdwp=server=y",
    })
    void theUsersOptionReplacesThoseOfItsGroup(String users, String leftOut) {
        List<String> expected = new ArrayList<>(OWN);
        expected.removeAll(List.of(leftOut.split(" ")));

        assertThat(WorkerOptions.beside(List.of(users), OWN)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "-Xlog:gc",
        "-XX:+UseStringDeduplication",
        "-XX:+UseMaximumCompactionOnSystemGC",
        "-Dgc=UseG1GC",
        "@nowhere"
    })
    void otherOptionsReplaceNothing(String users) {
        assertThat(WorkerOptions.beside(List.of(users), OWN)).isEqualTo(OWN);
    }

    @Test
    void optionsInFilesCount() throws IOException {
        Path words = Files.writeString(folder.resolve("words"), "-ea\n\"-XX:+UseG1GC\" -Xms1g\n");
        Path flags = Files.writeString(folder.resolve("flags"), "+UseZGC\n");

        assertThat(WorkerOptions.beside(List.of("@" + words), OWN)).doesNotContain("-XX:+UseSerialGC", "-Xms8m");
        assertThat(WorkerOptions.beside(List.of("-XX:VMOptionsFile=" + words), OWN))
                .doesNotContain("-XX:+UseSerialGC", "-Xms8m");
        assertThat(WorkerOptions.beside(List.of("-XX:Flags=" + flags), OWN))
                .doesNotContain("-XX:+UseSerialGC")
                .contains("-Xms8m");
    }
}
