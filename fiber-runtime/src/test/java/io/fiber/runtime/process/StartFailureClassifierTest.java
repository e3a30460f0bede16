// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.backend.BackendUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StartFailureClassifierTest extends Handler {

    private final Logger logger = Logger.getLogger("io.fiber");
    private final List<String> said = new ArrayList<>();
    private final StartFailureClassifier shortage = new StartFailureClassifier();

    @BeforeEach
    void listen() {
        logger.addHandler(this);
    }

    @AfterEach
    void leave() {
        logger.removeHandler(this);
    }

    @Test
    void clusterThatDoesNotAnswerIsSaidOnceUntilItDoes() {
        shortage.isUnanswered(new BackendUnavailableException("It is down."));
        shortage.isUnanswered(new BackendUnavailableException("It is down."));
        assertThat(said)
                .containsExactly("FBR-138 No worker can be started now. Running workers continue, and pools try"
                        + " again. FBR-139 It is down.");

        shortage.isAnswered();
        shortage.isUnanswered(new BackendUnavailableException("It is down again."));
        assertThat(said).hasSize(2);
    }

    @Override
    public void publish(LogRecord entry) {
        said.add(entry.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
