// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CredentialProgramTest {

    private static final long LIMIT_MS = 60_000;

    private static CredentialProgram.Answer run(String script, long limitMs) throws IOException {
        return CredentialProgram.run(List.of("/bin/sh", "-c", script), Map.of("WORD", "v"), "input", limitMs);
    }

    @Test
    void programReadsItsInputToTheEndAndIsTakenAtItsWord() throws IOException {
        CredentialProgram.Answer answer = run("cat; echo $WORD; echo one >&2; echo two >&2; exit 3", LIMIT_MS);

        assertThat(answer).isEqualTo(new CredentialProgram.Answer(3, "inputv\n", "two"));
        assertThat(answer).hasToString("exit code 3: two");
    }

    @Test
    void programThatDoesNotReadWritesMoreThanAPipeHolds() throws IOException {
        assertThat(run("head -c 300000 /dev/zero", LIMIT_MS).output()).hasSize(300_000);
    }

    @Test
    void programThatDoesNotEndIsKilled() {
        assertThatThrownBy(() -> run("sleep 600", 300))
                .isInstanceOf(IOException.class)
                .hasMessage("it has not ended within 300 ms");
    }

    @Test
    void processLeftBehindThatKeepsTheOutputOpenIsNotWaitedFor() throws IOException {
        String pid = run("sleep 600 & echo $!", LIMIT_MS).output().strip();

        assertThat(ProcessHandle.of(Long.parseLong(pid)))
                .hasValueSatisfying(left -> assertThat(left.destroy()).isTrue());
    }
}
