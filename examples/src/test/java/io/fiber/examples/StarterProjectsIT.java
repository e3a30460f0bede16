// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.examples.StandaloneProject.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The projects that a newcomer copies. */
@Tag("slow")
final class StarterProjectsIT {
    private static final Path EXAMPLES = Path.of("").toAbsolutePath();
    private static final Pattern GRADLE = Pattern.compile("\"io\\.fiber:([a-z-]+)");
    private static final Pattern MAVEN = Pattern.compile("<artifactId>(fiber-[a-z-]+)<");

    @Test
    void programRunsInWorkersByTheCommandOfItsPage() throws Exception {
        assertThat(Files.readString(EXAMPLES.resolve("starter-maven/README.md")))
                .contains("mvn -q compile exec:exec");
        try (StandaloneProject project = StandaloneProject.copyOf("starter-maven")) {
            Outcome outcome = project.maven("compile", "exec:exec");
            assertThat(outcome.code()).as(outcome.output()).isZero();
            assertThat(outcome.output())
                    .containsSubsequence("0 squared is 0, says process ", "9 squared is 81, says process ");
        }
    }

    /** Gradle does not run here: what can be wrong without a sign are names and versions. */
    @Test
    void gradleBuildNamesTheSameModulesInTheSameVersion() throws IOException {
        String gradle = Files.readString(EXAMPLES.resolve("starter-gradle/build.gradle.kts"));
        assertThat(found(GRADLE, gradle))
                .isEqualTo(found(MAVEN, Files.readString(EXAMPLES.resolve("starter-maven/pom.xml"))));
        assertThat(gradle).contains("platform(\"io.fiber:fiber-bom:" + System.getProperty("fiber.version") + "\")");
        assertThat(program("starter-gradle")).isEqualTo(program("starter-maven"));
    }

    private static Set<String> found(Pattern name, String text) {
        return name.matcher(text).results().map(each -> each.group(1)).collect(Collectors.toSet());
    }

    private static String program(String project) throws IOException {
        return Files.readString(EXAMPLES.resolve(project).resolve("src/main/java/com/example/Main.java"));
    }
}
