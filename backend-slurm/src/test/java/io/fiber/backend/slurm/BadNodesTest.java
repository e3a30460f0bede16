// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BadNodesTest {

    private static final int NO_JAVA = 127 << 8;
    private static final int NO_OUTPUT = 53;

    private final BadNodes nodes = new BadNodes();

    private static QueueRow running(String id, String node) {
        return new QueueRow(id, "RUNNING", 0, "None", node);
    }

    private static QueueRow failed(String id, String node, int waitStatus) {
        return new QueueRow(id, "FAILED", waitStatus, "NonZeroExitCode", node);
    }

    private Optional<String> bad() {
        return nodes.with(Optional.empty());
    }

    @Test
    void nodeOnWhichTwoJobsDoNotStartIsBadWhileOthersRunElsewhere() {
        nodes.look(List.of(running("7_1", "n2"), failed("7_0", "n1", NO_JAVA)));
        nodes.look(List.of(running("7_1", "n2"), failed("7_0", "n1", NO_JAVA)));
        assertThat(bad()).isEmpty();

        nodes.look(List.of(running("7_1", "n2"), failed("7_0", "n1", NO_JAVA), failed("7_2", "n1", NO_OUTPUT)));
        assertThat(bad()).contains("n1");
        assertThat(nodes.with(Optional.of("gpu[1-3]"))).contains("gpu[1-3],n1");
    }

    @Test
    void whereNothingRunsForLongNoNodeIsToBlame() {
        nodes.look(List.of(running("7_2", "n2"), failed("7_0", "n1", NO_JAVA), failed("7_1", "n1", NO_JAVA)));
        nodes.look(List.of(running("7_5", "n2"), failed("7_2", "n2", NO_JAVA), failed("7_3", "n2", NO_JAVA)));

        assertThat(bad()).isEmpty();
    }

    @Test
    void programThatEndsInAnotherWayBlamesNoNode() {
        List<QueueRow> rows = List.of(
                running("7_2", "n2"), failed("7_0", "n1", 1 << 8), failed("7_1", "n1", 9), failed("7_3", "", NO_JAVA));
        nodes.look(rows);
        nodes.look(rows);

        assertThat(bad()).isEmpty();
    }

    @Test
    void badNodesAreForgottenOnce() {
        List<QueueRow> rows = List.of(running("7_2", "n2"), failed("7_0", "n1", NO_JAVA), failed("7_1", "n1", NO_JAVA));
        nodes.look(rows);
        nodes.look(rows);

        assertThat(nodes.forget()).isTrue();
        assertThat(bad()).isEmpty();
        assertThat(nodes.forget()).isFalse();
    }
}
