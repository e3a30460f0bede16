// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MapTargetTest {

    private static final int KEYS = 1_000;

    /** Counts how often keys are compared. */
    private static final class Key {
        private final int number;
        private final AtomicInteger compared;

        Key(int number, AtomicInteger compared) {
            this.number = number;
            this.compared = compared;
        }

        @Override
        public boolean equals(Object other) {
            compared.incrementAndGet();
            return other instanceof Key key && key.number == number;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    @Test
    void keyIsRemovedWithoutALookAtOthers() throws Exception {
        AtomicInteger compared = new AtomicInteger();
        Map<Object, Object> entries = new HashMap<>();
        for (int i = 0; i < KEYS; i++) {
            entries.put(new Key(i, compared), i == 7 ? null : i);
        }
        MapTarget target = new MapTarget(entries);
        compared.set(0);

        assertThat(target.call(ObjectOperation.REMOVE_KEY, new Object[] {new Key(KEYS - 1, compared)}))
                .isEqualTo(true);
        assertThat(target.call(ObjectOperation.REMOVE_KEY, new Object[] {new Key(KEYS - 1, compared)}))
                .isEqualTo(false);
        assertThat(target.call(ObjectOperation.REMOVE_KEY, new Object[] {new Key(7, compared)}))
                .isEqualTo(true);

        assertThat(target.call(ObjectOperation.SIZE, new Object[0])).isEqualTo(KEYS - 2);
        assertThat(compared.get()).isLessThan(10);
    }
}
