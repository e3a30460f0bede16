// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.support.batch.Commands.Answer;
import io.fiber.backend.support.batch.Commands.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CommandsTest {

    private static final Command ASK = Command.of(Duration.ofSeconds(1), List.of("qstat", "-f"));

    private final List<List<String>> run = new ArrayList<>();

    private final Commands commands = command -> {
        run.add(command.words());
        return new Answer(run.size() - 1, command.words().size() + " ", "");
    };

    @Test
    void argumentsThatFitAreOneCommand() {
        assertThat(commands.runWith(ASK, List.of("1", "2")).isGood()).isTrue();

        assertThat(run).containsExactly(List.of("qstat", "-f", "1", "2"));
    }

    @Test
    void argumentsThatAreTooLongForALineAreSeveralCommands() {
        List<String> ids = IntStream.range(0, 5_000)
                .mapToObj(index -> "12345[" + index + "].server")
                .toList();

        Answer answer = commands.runWith(ASK, ids);

        assertThat(run).hasSizeGreaterThan(2).allSatisfy(words -> {
            assertThat(words).startsWith("qstat", "-f").hasSizeGreaterThan(2);
            assertThat(String.join(" ", words).length()).isLessThan(Commands.LONGEST_LINE + 100);
        });
        assertThat(run.stream().flatMap(words -> words.stream().skip(2)))
                .as("the arguments of all commands")
                .containsExactlyElementsOf(ids);
        assertThat(answer.exitCode()).as("the first one that is not 0").isEqualTo(1);
    }

    @Test
    void oneArgumentThatIsLongerThanALineIsTriedNevertheless() {
        commands.runWith(ASK, List.of("x".repeat(Commands.LONGEST_LINE + 1)));

        assertThat(run).hasSize(1);
    }
}
