// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that submit and receive more than their heap holds. */
@Tag("slow")
class MemoryTest {

    /** A run that takes longer than this hangs; it takes some seconds. */
    private static final long HANGS_AFTER_SECONDS = 120;

    private static final long SUM_OF_64 = 64L * (5 << 20) + 64 * 63 / 2;
    private static final long SUM_OF_TWICE_32 = 64L * (5 << 20) + 2 * (32 * 31 / 2);
    private static final String ALL_ANSWERED = "answer " + 10 * (10 + 2_000 + 2 + 4);

    private static final Pattern KIND = Pattern.compile("answer|FBR-[0-9]+|OutOfMemoryError");

    @TempDir
    Path tmp;

    private MasterJvm master(String... arguments) {
        return new MasterJvm(
                tmp,
                MemoryPrograms.class,
                List.of("-Xmx64m", "-Dfiber.worker.jvm-options=-Xmx400m,-XX:+UseSerialGC"),
                arguments);
    }

    @Test
    void argumentsOfFiveTimesTheHeapAreSubmittedAsThereIsRoom() {
        try (MasterJvm master = master("arguments")) {
            assertThat(master.awaitLine("sum")).isEqualTo(Long.toString(SUM_OF_64));
            master.awaitEnd();
        }
    }

    @Test
    void lazyItemsOfFiveTimesTheHeapAreMapped() {
        try (MasterJvm master = master("list")) {
            assertThat(master.awaitLine("sum")).isEqualTo(Long.toString(SUM_OF_64));
            master.awaitEnd();
        }
    }

    @Test
    void streamThatIsHardlyReadKeepsNoOtherFromItsItems() {
        try (MasterJvm master = master("streams")) {
            assertThat(master.awaitLine("sum")).isEqualTo(Long.toString(SUM_OF_TWICE_32));
            master.awaitEnd();
        }
    }

    @Test
    void workerMakesNoMoreResultsThanItsHeapHolds() {
        List<String> options = List.of("-Xmx512m", "-Dfiber.worker.jvm-options=-Xmx64m,-XX:+UseSerialGC");
        try (MasterJvm master = new MasterJvm(tmp, MemoryPrograms.class, options, "chunk")) {
            assertThat(master.awaitLine("sum")).isEqualTo(Long.toString(64L * (5 << 20)));
            master.awaitEnd();
        }
    }

    @Test
    void resultThatDoesNotFitIsTheErrorOfItsCallAndTheSessionWorksOn() {
        try (MasterJvm master = master("result")) {
            assertThat(master.awaitLine("refused"))
                    .startsWith("FBR-208 A message of 1258")
                    .contains("does not fit into the heap of the process that received it (");
            assertThat(master.awaitLine("works")).isEqualTo(Integer.toString(1 << 20));
            master.awaitEnd();
        }
    }

    @Test
    void resultsThatDoNotFitBesideEachOtherAreErrorsOfTheirCallsAndTheSessionWorksOn() {
        try (MasterJvm master = master("results")) {
            assertThat(master.awaitLine("works")).isEqualTo(Integer.toString(1 << 20));
            assertThat(master.awaitLine("ended")).isEqualTo("30");
            assertThat(Integer.parseInt(master.awaitLine("refused"))).isPositive();
            assertThat(master.awaitLine("beside"))
                    .as("how often another thread found no memory")
                    .isEqualTo("0");
            master.awaitEnd();
        }
    }

    @Test
    void queueIsFullWithAQuarterOfTheHeap() {
        try (MasterJvm master = master("queue")) {
            assertThat(master.awaitLine("held")).isEqualTo("3");
            assertThat(master.awaitLine("sum")).isEqualTo(Long.toString(19L * (5 << 20)));
            master.awaitEnd();
        }
    }

    @Test
    void callWhoseItemsLeaveNoMemoryToSayThatTheyCannotBeReadIsOver() {
        try (MasterJvm master = master("unreadable")) {
            assertThat(master.awaitLine("ended")).isEqualTo("4");
            master.awaitEnd();
        }
    }

    @Test
    void programWhoseHeapIsFullAtTimesEnds() throws Exception {
        endsOf(LongStream.of(1));
    }

    @Test
    @Tag("soak")
    @Timeout(value = 100, unit = TimeUnit.MINUTES)
    void programWhoseHeapIsFullAtTimesEndsAHundredTimes() throws Exception {
        Map<String, Integer> ends = endsOf(LongStream.range(100, 200));

        assertThat(ends).containsKey("answer");
    }

    /** Each run ends, and with the right answer or with an error that says why; returns how many ended how. */
    private Map<String, Integer> endsOf(LongStream seeds) throws Exception {
        Map<String, Integer> ends = new TreeMap<>();
        for (long seed : seeds.toArray()) {
            String end = endOf(seed);
            System.out.println("seed " + seed + ": " + end);
            assertThat(end)
                    .as("seed %s", seed)
                    .matches(ALL_ANSWERED + "|(error|Exception) .*(OutOfMemoryError|FBR-[2-4]).*");
            Matcher kind = KIND.matcher(end);
            ends.merge(kind.find() ? kind.group() : "other", 1, Integer::sum);
        }
        System.out.println(ends);
        return ends;
    }

    /** Returns what the threads of a program do that hangs. */
    private static String threads(Process program) {
        try {
            Process jstack = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jstack")
                                    .toString(),
                            Long.toString(program.pid()))
                    .redirectErrorStream(true)
                    .start();
            return new String(jstack.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "Its threads cannot be shown: " + e;
        }
    }

    private String endOf(long seed) throws Exception {
        Path output = tmp.resolve("output");
        Process master = new ProcessBuilder(MasterJvm.command(
                        tmp,
                        List.of("-Xmx64m", "-Dfiber.worker.jvm-options=-Xmx64m,-XX:+UseSerialGC"),
                        MemoryPrograms.class,
                        "filled",
                        Long.toString(seed)))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean hasEnded = master.waitFor(HANGS_AFTER_SECONDS, TimeUnit.SECONDS);
            String written = Files.readString(output);
            assertThat(hasEnded)
                    .as(() -> "seed " + seed + " ends; it wrote: " + written + "\n" + threads(master))
                    .isTrue();
            return written.lines()
                    .filter(line -> line.startsWith("answer ")
                            || line.startsWith("error ")
                            || line.startsWith("Exception in thread \"main\""))
                    .findFirst()
                    .orElse(written);
        } finally {
            master.destroyForcibly();
        }
    }
}
