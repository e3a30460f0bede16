// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each case is a JVM of its own, since what is exported once cannot be taken back. */
class AgronaAccessTest {

    private static final List<Integer> VERSIONS = List.of(17, 25);
    private static final String EXPORT = "java.base/jdk.internal.misc";

    @TempDir
    Path directory;

    static Stream<Arguments> everyJdkAndPath() {
        return VERSIONS.stream()
                .flatMap(version -> Stream.of(ChildJvm.CodePath.values()).map(path -> Arguments.of(version, path)));
    }

    @ParameterizedTest
    @MethodSource("everyJdkAndPath")
    void withoutFlagThePackageIsOpenedInProcess(int version, ChildJvm.CodePath path) throws Exception {
        boolean classPath = path == ChildJvm.CodePath.CLASS_PATH;

        assertThat(run(version, path, List.of()))
                .contains("used 42 exported before false, workers need no option " + classPath + " by " + path.shown());
    }

    @ParameterizedTest
    @MethodSource("everyJdkAndPath")
    void withFlagNothingIsToBeDone(int version, ChildJvm.CodePath path) throws Exception {
        String flag = "--add-exports=" + EXPORT + "=" + path.reader();

        assertThat(run(version, path, List.of(flag, "-Dfiber.agrona.open=false")))
                .contains("used 42 exported before true, workers need no option false by " + path.shown());
    }

    @ParameterizedTest
    @MethodSource("everyJdkAndPath")
    void switchedOffItIsAnErrorThatNamesTheFlag(int version, ChildJvm.CodePath path) throws Exception {
        assertThat(run(version, path, List.of("-Dfiber.agrona.open=false")))
                .isEqualTo("FBR-110 This JVM does not export java.base/jdk.internal.misc to Agrona, whose buffers"
                        + " Fiber uses,"
                        + " and opening it in process is switched off (agrona.open=false from"
                        + " -Dfiber.agrona.open). Start"
                        + " the JVM with: --add-exports java.base/jdk.internal.misc=" + path.reader()
                        + " . You can set this option on the command line, in the environment variable"
                        + " JDK_JAVA_OPTIONS, as 'Add-Exports: java.base/jdk.internal.misc' in the manifest of"
                        + " a jar that java -jar starts, in -Dexec.args of mvn exec:exec (exec:java gives"
                        + " workers no class path), or in <argLine> of Surefire. Workers get it from Fiber.\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void whereTheWayIsClosedItIsTheSameError(int version) throws Exception {
        assertThat(run(version, ChildJvm.CodePath.CLASS_PATH, List.of("--limit-modules=java.base,java.logging")))
                .startsWith(
                        "FBR-110 This JVM does not export java.base/jdk.internal.misc to Agrona, whose buffers Fiber"
                                + " uses, and opening it in process failed: java.lang.ClassNotFoundException:"
                                + " sun.reflect.ReflectionFactory. Start the JVM with: --add-exports"
                                + " java.base/jdk.internal.misc=ALL-UNNAMED . You can set");
    }

    private String run(int version, ChildJvm.CodePath path, List<String> options) throws Exception {
        return new ChildJvm(directory, AgronaAccessProbe.class).run(version, path, options);
    }
}
