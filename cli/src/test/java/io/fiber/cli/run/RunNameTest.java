// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.backend.Program;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunNameTest {

    @ParameterizedTest
    @CsvSource({
        "my.PiEstimation, pi-estimation",
        "my.module/my.Outer$Inner, inner",
        "HTTPServer2, httpserver2",
        "my.Größe, gr-e",
        "my.$, main"
    })
    void mainClassGivesTheName(String main, String name) {
        Program program =
                new Program.Java(Optional.empty(), List.of(), List.of("a.jar"), List.of(), main, List.of("1"));

        assertThat(RunName.of(program, List.of("java", "-cp", "a.jar", main, "1")))
                .isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({"app.jar, app", "/srv/My_App-1.2.jar, my-app-1-2"})
    void jarGivesTheName(String jar, String name) {
        Program program = new Program.Java(
                Optional.empty(), List.of(), List.of(jar), List.of(), "x.Launcher", List.of("-jar", "b"));

        assertThat(RunName.of(program, List.of("java", "-jar", jar, "-jar", "b")))
                .isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({"nvidia-smi, nvidia-smi", "/usr/bin/python3, python3", "./-, main"})
    void anotherCommandGivesTheName(String word, String name) {
        List<String> words = List.of(word, "train.py");

        assertThat(RunName.of(new Program.Command(words), words)).isEqualTo(name);
    }
}
