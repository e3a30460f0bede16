// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.CallerHost.Reach;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

/** What changes the meaning of code holds in workers; what is about one process does not. */
class InheritedOptionsTest {

    private static InheritedOptions of(Map<String, String> properties, Reach reach, String... arguments) {
        return InheritedOptions.of(List.of(arguments), properties::get, reach);
    }

    @Test
    void propertiesOfTheUserAreNotOnTheCommandLine() {
        InheritedOptions options = of(
                Map.of("greeting", "hello", "db.password", "s3cret=1", "javax.net.ssl.keyStorePassword", "s3cret"),
                Reach.SAME_HOST,
                "-Dgreeting=hello",
                "-Ddb.password=s3cret=1",
                "-Djavax.net.ssl.keyStorePassword=s3cret");

        assertThat(options.jvmOptions()).isEmpty();
        assertThat(options.properties())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "greeting", "hello", "db.password", "s3cret=1", "javax.net.ssl.keyStorePassword", "s3cret"));
    }

    @Test
    void propertyHasThePresentValueAndIsGoneWhenTheProgramHasRemovedIt() {
        InheritedOptions options = of(Map.of("mode", "new"), Reach.SAME_HOST, "-Dmode=old", "-Dgone=x", "-Dempty");

        assertThat(options.properties()).containsExactly(Map.entry("mode", "new"));
        assertThat(options.leftBehind()).containsExactly("-Dgone", "-Dempty");
    }

    @Test
    void whatAJvmMustHaveBeforeMainIsOnTheCommandLine() {
        InheritedOptions options = of(
                Map.of("file.encoding", "ISO-8859-1", "user.language", "de", "java.naming.security.credentials", "pw"),
                Reach.SAME_HOST,
                "-ea:com.acme...",
                "-esa",
                "-da",
                "--enable-preview",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-modules=java.sql",
                "--enable-native-access=ALL-UNNAMED",
                "-Xss4m",
                "-Dfile.encoding=ISO-8859-1",
                "-Duser.language=de",
                "-Djava.naming.security.credentials=pw");

        assertThat(options.jvmOptions())
                .containsExactly(
                        "-ea:com.acme...",
                        "-esa",
                        "-da",
                        "--enable-preview",
                        "--add-opens=java.base/java.util=ALL-UNNAMED",
                        "--add-modules=java.sql",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xss4m",
                        "-Dfile.encoding=ISO-8859-1",
                        "-Duser.language=de");
        assertThat(options.properties()).containsExactly(Map.entry("java.naming.security.credentials", "pw"));
        assertThat(options.leftBehind()).isEmpty();
    }

    @Test
    void whatIsAboutThisProcessIsLeftBehindWithoutItsValue() {
        InheritedOptions options = of(
                Map.of("com.sun.management.jmxremote.port", "9010", "fiber.lease", "9s", "java.class.path", "a.jar"),
                Reach.SAME_HOST,
                "-Xmx2g",
                "-XX:+UseZGC",
                "-javaagent:/opt/agent.jar=key=s3cret",
                "-agentlib:jdwp=transport=dt_socket",
                "-Dcom.sun.management.jmxremote.port=9010",
                "-Dfiber.lease=9s",
                "-Djava.class.path=a.jar",
                "--add-modules=ALL-DEFAULT");

        assertThat(options.jvmOptions()).isEmpty();
        assertThat(options.properties()).isEmpty();
        assertThat(options.leftBehind())
                .containsExactly(
                        "-Xmx2g",
                        "-XX:+UseZGC",
                        "-javaagent:/opt/agent.jar",
                        "-agentlib:jdwp",
                        "-Dcom.sun.management.jmxremote.port");
    }

    @Test
    void pathsOfThisHostStayOnIt() {
        Map<String, String> present = Map.of("java.io.tmpdir", "/scratch", "user.home", "/home/me");

        assertThat(of(present, Reach.SAME_HOST, "-Djava.io.tmpdir=/scratch", "-Duser.home=/home/me")
                        .jvmOptions())
                .containsExactly("-Djava.io.tmpdir=/scratch", "-Duser.home=/home/me");
        assertThat(of(present, Reach.NETWORK, "-Djava.io.tmpdir=/scratch", "-Duser.home=/home/me")
                        .leftBehind())
                .containsExactly("-Djava.io.tmpdir", "-Duser.home");
    }

    @Test
    void workersElsewhereHaveEncodingLocaleAndZoneOfThisProcess() {
        Map<String, String> present =
                Map.of("file.encoding", "UTF-8", "user.language", "de", "user.country", "DE", "user.variant", "");

        assertThat(of(present, Reach.SAME_HOST).jvmOptions()).isEmpty();
        assertThat(of(present, Reach.NETWORK, "-Duser.language=de").jvmOptions())
                .containsExactlyInAnyOrder(
                        "-Dfile.encoding=UTF-8",
                        "-Duser.language=de",
                        "-Duser.country=DE",
                        "-Duser.timezone=" + TimeZone.getDefault().getID());
    }
}
