// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.Pool;
import io.fiber.PoolBuilder;
import io.fiber.spec.Resources;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.logging.LogManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of the program's JVM that change the meaning of code hold in its workers, and in theirs. */
@Tag("slow")
class InheritedOptionsTest {

    @TempDir
    Path directory;

    /** Tells in words how code behaves in this JVM. */
    private static String behaviour() {
        Map<String, Object> words = new TreeMap<>();
        words.put("assertions", InheritedOptionsTest.class.desiredAssertionStatus());
        words.put("encoding", Charset.defaultCharset());
        words.put("locale", Locale.getDefault());
        words.put("zone", TimeZone.getDefault().getID());
        words.put("opens", Object.class.getModule().isOpen("java.util", InheritedOptionsTest.class.getModule()));
        words.put("tmp", System.getProperty("java.io.tmpdir"));
        words.put("mode", System.getProperty("app.mode"));
        words.put("token", System.getProperty("app.token"));
        words.put("own", System.getProperty("app.own"));
        words.put("logging", LogManager.getLogManager().getProperty("app.level"));
        words.put("jmx", System.getProperty("com.sun.management.sample"));
        return words.toString();
    }

    private static String commandLine() {
        return ProcessHandle.current().info().commandLine().orElse("");
    }

    /** Opens a session and tells what holds in the master, in a worker, and in a worker of that. */
    public static void main(String[] args) {
        System.out.println("master " + behaviour());
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            System.out.println("worker " + pool.apply(() -> behaviour()));
            System.out.println("nested "
                    + pool.apply(() -> {
                        try (Pool nested = Fiber.current().pool(1)) {
                            return nested.apply(() -> behaviour());
                        }
                    }));
            System.out.println("command " + pool.apply(() -> commandLine()));
        }
    }

    private List<String> options() throws Exception {
        Path logging = Files.writeString(directory.resolve("logging.properties"), "app.level = 7\n");
        return List.of(
                "-Xmx200m",
                "-ea",
                "--add-opens",
                "java.base/java.util=ALL-UNNAMED",
                "-Dfile.encoding=ISO-8859-1",
                "-Duser.language=de",
                "-Duser.country=CH",
                "-Duser.timezone=Asia/Tokyo",
                "-Dapp.mode=with blanks",
                "-Dapp.token=s3cret",
                "-Dapp.own=of the master",
                "-Djava.util.logging.config.file=" + logging,
                "-Dcom.sun.management.sample=1");
    }

    @Test
    void workersAndTheirsBehaveAsTheProgramDoes() throws Exception {
        try (MasterJvm master = new MasterJvm(directory, InheritedOptionsTest.class, options())) {
            String own = master.awaitLine("master ");
            String expected = own.replace("jmx=1", "jmx=null");

            assertThat(own)
                    .contains("assertions=true", "encoding=ISO-8859-1", "locale=de_CH", "zone=Asia/Tokyo")
                    .contains("opens=true", "mode=with blanks", "token=s3cret", "logging=7", "jmx=1", "" + directory);
            assertThat(master.awaitLine("worker ")).isEqualTo(expected);
            assertThat(master.awaitLine("nested ")).isEqualTo(expected);
            assertThat(master.awaitLine("command "))
                    .contains("-Dfile.encoding=ISO-8859-1", "-ea")
                    .doesNotContain("s3cret")
                    .doesNotContain("-Xmx200m");
            master.awaitEnd();
        }
    }

    /** JVMs read these variables by themselves, and would open a debugger's port again in each worker. */
    @Test
    void optionsInVariablesReachWorkersAsThoseOfTheCommandLineDo() throws Exception {
        Map<String, String> variables = Map.of(
                "JAVA_TOOL_OPTIONS", "-Dapp.mode=tool -Dcom.sun.management.sample=1",
                "JDK_JAVA_OPTIONS", "-Dapp.own=launcher -Dcom.sun.management.sample=2",
                "_JAVA_OPTIONS", "-Dapp.token=last -Dcom.sun.management.sample=3");
        List<String> command = MasterJvm.command(directory, List.of(), InheritedOptionsTest.class);
        try (MasterJvm master = new MasterJvm(variables, command)) {
            String own = master.awaitLine("master ");
            String expected = own.replace("jmx=3", "jmx=null");

            assertThat(own).contains("mode=tool", "own=launcher", "token=last", "jmx=3");
            assertThat(master.awaitLine("worker ")).isEqualTo(expected);
            assertThat(master.awaitLine("nested ")).isEqualTo(expected);
            master.awaitEnd();
        }
    }

    @Test
    void optionsThatWorkersAreGivenWinAndInheritanceCanBeSwitchedOff() throws Exception {
        List<String> options = new ArrayList<>(options());
        options.add("-Dfiber.worker.jvm-options=-Dapp.own=of-the-worker,-Duser.timezone=UTC,-da");
        try (MasterJvm master = new MasterJvm(directory, InheritedOptionsTest.class, options)) {
            assertThat(master.awaitLine("worker "))
                    .contains("own=of-the-worker", "zone=UTC", "assertions=false", "token=s3cret");
            master.awaitEnd();
        }
        options.set(options.size() - 1, "-Dfiber.worker.inherit-options=false");
        try (MasterJvm master = new MasterJvm(directory, InheritedOptionsTest.class, options)) {
            assertThat(master.awaitLine("worker "))
                    .contains("own=null", "token=null", "assertions=false", "opens=false", "logging=null");
            master.awaitEnd();
        }
    }

    @Test
    void workersShareTheMemoryOfTheHost() {
        try (Fiber fiber = LocalFiber.open();
                Fiber bounded = LocalFiber.builder()
                        .set("worker.jvm-options", "-XX:MaxRAMPercentage=40")
                        .open()) {
            assertThat(preview(fiber.poolBuilder(3))).doesNotContain("MaxRAMPercentage");
            assertThat(preview(fiber.poolBuilder(4))).contains(" -XX:MaxRAMPercentage=18.75 ");
            assertThat(preview(fiber.poolBuilder(80))).contains(" -XX:MaxRAMPercentage=0.93 ");
            try (Pool beside = fiber.pool(4)) {
                assertThat(beside.apply(() -> 1)).isOne();
                assertThat(preview(fiber.poolBuilder(2))).contains(" -XX:MaxRAMPercentage=12.50 ");
            }
            assertThat(preview(fiber.poolBuilder(4)
                            .resources(Resources.unspecified().withMemoryBytes(1 << 28))))
                    .contains(" -Xmx256m ");
            assertThat(preview(bounded.poolBuilder(4)))
                    .contains(" -XX:MaxRAMPercentage=40 ")
                    .doesNotContain("-XX:MaxRAMPercentage=18.75");
        }
    }

    @Test
    void workersShareTheProcessorsOfTheHost() {
        int processors = Runtime.getRuntime().availableProcessors();
        try (Fiber fiber = LocalFiber.open();
                Fiber chosen = LocalFiber.builder()
                        .set("worker.jvm-options", "-XX:ActiveProcessorCount=3")
                        .open()) {
            assertThat(preview(fiber.poolBuilder(2 * processors))).contains(" -XX:ActiveProcessorCount=1 ");
            assertThat(preview(chosen.poolBuilder(2 * processors)))
                    .contains(" -XX:ActiveProcessorCount=3 ")
                    .doesNotContain("-XX:ActiveProcessorCount=1 ");
            assertThat(preview(chosen.poolBuilder(1))).doesNotContain("-XX:ActiveProcessorCount=" + processors);
            assertThat(preview(fiber.poolBuilder(2 * processors).resources(Resources.cpus(1))))
                    .containsOnlyOnce("-XX:ActiveProcessorCount=1");
        }
    }

    @Test
    void theUsersCollectorAndHeapReplaceFibersOwn() {
        try (Fiber fiber = LocalFiber.builder()
                .set("worker.jvm-options", "-XX:+UseParallelGC,-Xmx7m")
                .open()) {
            assertThat(preview(fiber.poolBuilder(1)))
                    .contains(" -XX:+UseParallelGC ", " -Xmx7m ")
                    .doesNotContain("UseSerialGC", "-Xms");
        }
    }

    /** What counts is how many there may be, not with how many a pool begins. */
    @Test
    void poolsThatGrowShareTheMemoryOfTheHost() {
        try (Fiber fiber = LocalFiber.open()) {
            assertThat(preview(fiber.poolBuilder(1).adaptive(1, 64))).contains(" -XX:MaxRAMPercentage=1.17 ");
            try (Pool pool = fiber.pool(1)) {
                assertThat(pool.apply(() -> commandLine())).doesNotContain("MaxRAMPercentage");
                pool.resize(4);
                pool.awaitReady();
                assertThat(preview(fiber.poolBuilder(2))).contains(" -XX:MaxRAMPercentage=12.50 ");
                assertThat(ProcessHandle.current().descendants())
                        .filteredOn(process ->
                                process.info().commandLine().orElse("").contains(" -XX:MaxRAMPercentage=18.75 "))
                        .hasSize(3);
            }
            await().untilAsserted(
                            () -> assertThat(preview(fiber.poolBuilder(3))).doesNotContain("MaxRAMPercentage"));
        }
    }

    @Test
    void processThatHasEndedNoLongerSharesTheMemory() {
        try (Fiber fiber = LocalFiber.open()) {
            FiberQueue<String> words = fiber.queue();
            FiberProcess process = fiber.process(words::take);
            assertThat(preview(fiber.poolBuilder(3))).contains(" -XX:MaxRAMPercentage=18.75 ");

            words.put("end");
            assertThat(process.join()).isZero();
            await().untilAsserted(
                            () -> assertThat(preview(fiber.poolBuilder(3))).doesNotContain("MaxRAMPercentage"));
        }
    }

    private static String preview(PoolBuilder pool) {
        return pool.preview().orElseThrow();
    }
}
