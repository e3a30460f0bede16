// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.pool.scheduling.Answer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultArrayTest {

    private final ResultArray results = new ResultArray();

    private void put(int first, Object... values) {
        results.reserve(first + values.length);
        for (int i = 0; i < values.length; i++) {
            results.set(first + i, values[i]);
        }
    }

    @Test
    void intsComeBackInTheirPlaces() {
        put(100, 7, 8);
        for (int i = 0; i < 100; i++) {
            put(i, i);
        }

        List<Object> list = results.toList();
        assertThat(list).hasSize(102).startsWith(0, 1, 2).endsWith(99, 7, 8).contains(50);
        assertThat(list.equals(List.copyOf(list))).isTrue();
    }

    @Test
    void oneResultOfAnotherTypeLeavesTheOthersAsTheyAre() {
        put(3, 4, 5);
        put(0, 1, "two");
        results.set(2, null);
        put(5, 6L);

        assertThat(results.toList()).containsExactly(1, "two", null, 4, 5, 6L);
    }

    @Test
    void blocksOfIntsAndOfOtherResultsAreReadInAnyOrder() {
        ResultReader reader = EncodedResults.reader();
        results.add(new Answer.Block(2, 3, EncodedResults.of(4, "five", 6)), reader);
        results.add(new Answer.Block(0, 2, EncodedResults.of(2, 3)), reader);

        assertThat(results.toList()).containsExactly(2, 3, 4, "five", 6);
    }

    @Test
    void listCannotBeChangedAndTravelsAsOneOfTheJdk() throws Exception {
        put(0, 1, 2, 3);
        List<Object> list = results.toList();
        assertThatThrownBy(() -> list.set(0, 9)).isInstanceOf(UnsupportedOperationException.class);

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(list);
        }
        Object read = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();

        assertThat(read).isEqualTo(List.of(1, 2, 3));
        assertThat(read.getClass().getName()).startsWith("java.util.");
    }

    @Test
    void callWithoutItemsGivesAnEmptyList() {
        assertThat(results.toList()).isEmpty();
    }
}
