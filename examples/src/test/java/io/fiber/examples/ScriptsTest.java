// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code test} in a checkout of three modules, with a Java that does nothing and a Maven that tells its arguments. */
final class ScriptsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path checkout;

    /** What the script has printed, in a list that is a line for each argument of Maven's. */
    private record Outcome(int code, String output, List<String> maven) {

        /** The value of an option that begins like this, whose parts are separated by commas. */
        Set<String> option(String begin) {
            return maven.stream()
                    .filter(argument -> argument.startsWith(begin))
                    .findFirst()
                    .map(argument -> setOf(argument.substring(begin.length())))
                    .orElseThrow();
        }

        Set<String> modules() {
            return setOf(maven.get(maven.indexOf("-pl") + 1));
        }

        private static Set<String> setOf(String parts) {
            return new TreeSet<>(List.of(parts.split(",", -1)));
        }
    }

    @BeforeEach
    void aCheckout() throws Exception {
        for (String script : List.of("test", "dev/changed.sh")) {
            Files.createDirectories(checkout.resolve(script).getParent());
            Files.copy(ROOT.resolve(script), checkout.resolve(script));
        }
        program("bin/mvn", "printf '%s\\n' \"$@\" >arguments");
        program("bin/java", "");
        write(".gitignore", "target/\n/bin/\n/arguments\n");
        write("docs/index.md", "");
        write("pom.xml", "");
        module("fiber-spi");
        module("fiber-api", "fiber-spi");
        module("cli", "fiber-api");
        // The only one that has no parent.
        write("fiber-bom/pom.xml", """
                <artifactId>fiber-bom</artifactId>
                <dependencies>
                <artifactId>fiber-spi</artifactId>
                <artifactId>fiber-cli</artifactId>
                </dependencies>
                """);
        write("fiber-api/src/test/java/io/ApiTest.java", "");
        write("fiber-api/src/test/java/io/PagesTest.java", "@Tag(\"documentation\")");
        write("cli/src/test/java/io/CliTest.java", "");
        write("cli/src/test/java/io/ClusterTest.java", "@Tag(\"cluster\")");
        write("cli/src/test/java/io/SlowTest.java", "@Tag(\"slow\")");
        write("cli/src/test/java/io/PackagedIT.java", "");
        git("init", "--quiet", "--initial-branch=main");
        commit();
    }

    @Test
    void noColoursAreInAnOutputThatIsNoTerminal() throws Exception {
        program("bin/mvn", "printf '\\033[1mBuilding\\033[m\\n\\033[0m\\n'; exit 3");

        Outcome outcome = test();

        assertThat(outcome.output()).isEqualTo("Building\n\nMaven ended with status 3: see [ERROR] above.\n");
        assertThat(outcome.code()).isEqualTo(3);
    }

    @Test
    void firstRingIsWhatHasNoTag() throws Exception {
        assertThat(test().maven())
                .contains("verify")
                .noneMatch(argument -> argument.startsWith("-Dgroups") || argument.startsWith("-pl"));
    }

    @Test
    void secondRingIsWhatIsSlowOrNeedsAClusterAndHasAllChecks() throws Exception {
        Outcome outcome = test("--slow");

        assertThat(outcome.maven()).contains("-Dgroups=slow | cluster", "-DexcludedGroups=soak", "-Dfiber.errorprone=");
        assertThat(outcome.option("-Dtest=")).containsExactly("io/ClusterTest", "io/SlowTest");
        assertThat(test("--slow", "-pl", "fiber-api").modules()).containsExactly("fiber-api");
    }

    @Test
    @Tag("slow")
    void lastLinesNameWhatFailedAndMavensAdviceIsLeftOut() throws Exception {
        Files.copy(ROOT.resolve("dev/TestReport.java"), checkout.resolve("dev/TestReport.java"));
        program("bin/java", "exec '" + Path.of(System.getProperty("java.home"), "bin", "java") + "' \"$@\"");
        write("fiber-api/target/surefire-reports/TEST-io.ApiTest.xml", """
                <testsuite name="io.ApiTest" time="1.5">
                <testcase classname="io.ApiTest" name="adds">
                <failure message="m">AssertionError: expected: 3

                 but was: 4
                \tat io.ApiTest.adds(ApiTest.java:7)</failure>
                </testcase>
                <testcase classname="io.ApiTest" name="subtracts"/>
                </testsuite>
                """);
        write("ending", """
                [INFO] Reactor Summary for Fiber for Java 0.1.0-SNAPSHOT:
                [INFO] fiber-spi .......................................... FAILURE [  2.000 s]
                [INFO] fiber-cli .......................................... SKIPPED
                [ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.6.1:test (default-test) on project \
                fiber-api: There are test failures.
                [ERROR] See the reports.
                [ERROR] -> [Help 1]
                [ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.16.0:compile (default-compile) on project \
                fiber-spi: Compilation failure
                [ERROR] /fiber-spi/A.java:[3,4] cannot find symbol
                [ERROR] -> [Help 1]
                [ERROR]
                [ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
                [ERROR] [Help 1] http://example.org/help
                """);
        program("bin/mvn", "cat ending; exit 1");

        // Whatever ran before is not removed.
        Outcome outcome = test("--add");

        assertThat(outcome.output()).doesNotContain("Help 1]", "-e switch").endsWith("""
                        Not built:
                          fiber-spi, compile: Compilation failure /fiber-spi/A.java:[3,4] cannot find symbol
                        Not tested, because a module that they need failed: fiber-cli
                        Failed:
                          io.ApiTest > adds: AssertionError: expected: 3 but was: 4
                        1 passed, 1 failed, 0 skipped
                        """);
        assertThat(outcome.code()).isEqualTo(1);
    }

    @Test
    void reportsOfAnEarlierRunAreRemovedAndWhatTheProfileQuickHasMadeStays() throws Exception {
        write("cli/target/surefire-reports/TEST-io.CliTest.xml", "");
        write("cli/target/classes/A.class", "");
        write("cli/target/quick/classes/A.class", "");

        test();

        assertThat(checkout.resolve("cli/target/surefire-reports")).doesNotExist();
        assertThat(checkout.resolve("cli/target/classes/A.class")).exists();
        assertThat(checkout.resolve("cli/target/quick/classes/A.class")).exists();
    }

    @Test
    void reportsOfAnEarlierRunStayToBeAdded() throws Exception {
        write("cli/target/surefire-reports/TEST-io.CliTest.xml", "");

        test("--add", "--slow");

        assertThat(checkout.resolve("cli/target/surefire-reports/TEST-io.CliTest.xml"))
                .exists();
    }

    @Test
    void aChangedModuleIsTestedWithThoseThatDependOnIt() throws Exception {
        write("fiber-api/src/main/java/io/Api.java", "class Api {}");

        Outcome outcome = test("--changed");

        assertThat(outcome.modules()).containsExactly("cli", "fiber-api", "fiber-bom");
        assertThat(outcome.option("-Dtest="))
                .containsExactly("io/ApiTest", "io/CliTest", "io/ClusterTest", "io/PagesTest", "io/SlowTest");
        assertThat(outcome.option("-Dit.test=")).containsExactly("io/PackagedIT");
        assertThat(outcome.output()).contains("Tested: cli fiber-api fiber-bom\n");
    }

    @Test
    void aProjectInsideAModuleCountsAsTheModule() throws Exception {
        write("cli/peers/peer/pom.xml", "");
        write("cli/peers/peer/src/main/java/io/Peer.java", "class Peer {}");

        assertThat(test("--changed").modules()).containsExactly("cli", "fiber-bom");
    }

    @Test
    void ofAChangedPageOnlyWhatReadsPagesIsTested() throws Exception {
        write("docs/index.md", "# Changed");

        Outcome outcome = test("--changed");

        assertThat(outcome.modules()).containsExactly("fiber-api");
        assertThat(outcome.option("-Dtest=")).containsExactly("io/PagesTest");
        assertThat(outcome.option("-Dit.test=")).containsExactly("none");
        assertThat(outcome.output()).contains("Tested: documentation\n");
    }

    @Test
    void allIsTestedWhenAFileBelongsToNoModule() throws Exception {
        write("pom.xml", "<project/>");
        write("cli/src/test/java/io/CliTest.java", "class CliTest {}");

        Outcome outcome = test("--changed");

        assertThat(outcome.maven()).doesNotContain("-pl");
        assertThat(outcome.output()).contains("All modules are tested: pom.xml has changed, which belongs to none.\n");
    }

    @Test
    void nothingIsTestedWhenNothingHasChanged() throws Exception {
        Outcome outcome = test("--changed");

        assertThat(outcome.maven()).isEmpty();
        assertThat(outcome.output())
                .startsWith("Nothing has changed since ")
                .endsWith("\n0 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void onABranchTheChangesSinceItLeftMainCount() throws Exception {
        git("checkout", "--quiet", "-b", "mine");
        write("cli/src/main/java/io/Cli.java", "class Cli {}");
        commit();

        assertThat(test("--changed").modules()).containsExactly("cli", "fiber-bom");
        assertThat(test("--changed", "HEAD").maven()).isEmpty();
    }

    @Test
    void anUnknownRevisionIsRefused() throws Exception {
        Outcome outcome = test("--changed", "nowhere");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.output())
                .isEqualTo("There is no revision 'nowhere' (from --changed); git log shows those that there are.\n");
        assertThat(outcome.maven()).isEmpty();
    }

    private Outcome test(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("bash", "test"));
        words.addAll(List.of(arguments));
        Path told = checkout.resolve("arguments");
        Files.deleteIfExists(told);
        ProcessBuilder builder = builder(words);
        builder.environment().put("JAVA_HOME", checkout.toString());
        builder.environment().put("PATH", checkout.resolve("bin") + ":" + System.getenv("PATH"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output, Files.exists(told) ? Files.readAllLines(told) : List.of());
    }

    private void commit() throws Exception {
        git("add", "--all");
        git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--message=all");
    }

    private void git(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("git"));
        words.addAll(List.of(arguments));
        Process process = builder(words).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    /** Settings of this user's, and a checkout that this build may be called from, are not meant. */
    private ProcessBuilder builder(List<String> words) {
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(checkout.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        return builder;
    }

    private void module(String name, String... needs) throws IOException {
        StringBuilder pom = new StringBuilder("<parent>\n<artifactId>fiber-parent</artifactId>\n</parent>\n<artifactId>"
                + artifact(name) + "</artifactId>\n<dependencies>\n");
        for (String each : needs) {
            pom.append("<artifactId>").append(artifact(each)).append("</artifactId>\n");
        }
        write(name + "/pom.xml", pom.append("</dependencies>\n").toString());
    }

    private static String artifact(String module) {
        return module.startsWith("fiber-") ? module : "fiber-" + module;
    }

    private void program(String file, String body) throws IOException {
        Files.setPosixFilePermissions(
                write(file, "#!/bin/sh\n" + body + "\n"), PosixFilePermissions.fromString("rwx------"));
    }

    private Path write(String file, String content) throws IOException {
        Path path = checkout.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, content);
    }
}
