// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

class SystemTargetTest {

    @Test
    void recordsOfTheJdksLoggingNameTheClassThatLogs() {
        List<LogRecord> records = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                records.add(entry);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(SystemTargetTest.class.getName());
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        IllegalStateException thrown = new IllegalStateException("why");
        try {
            Logs.of(SystemTargetTest.class).log(System.Logger.Level.WARNING, "Not {0}, which is no place", thrown);
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }

        assertThat(records).singleElement().satisfies(entry -> {
            assertThat(entry.getLevel()).isEqualTo(Level.WARNING);
            assertThat(entry.getThrown()).isSameAs(thrown);
            assertThat(new SimpleFormatter().format(entry))
                    .contains(" io.fiber.runtime.logging.SystemTargetTest\n")
                    .contains("WARNING: Not {0}, which is no place");
        });
    }
}
