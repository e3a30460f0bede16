// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class JsonTest {

    private enum Color {
        RED
    }

    private record Inner(long number, int other) {}

    private record Outer(String text, Color color, List<Inner> inner, List<Integer> none, Counted counted) {}

    private record Counted(long tasksDone, long tasksFailed, long workersLost) {}

    @Test
    void writesWhatALibraryWrites() throws Exception {
        Outer value = new Outer(
                "a", Color.RED, List.of(new Inner(Long.MIN_VALUE, 2), new Inner(3, -4)), List.of(), counted());

        assertThat(Json.of(value)).isEqualTo(new ObjectMapper().writeValueAsString(value));
        assertThat(Json.of(List.of(List.of(), Map.of(), "", 1))).isEqualTo("[[],{},\"\",1]");
    }

    private static Counted counted() {
        return new Counted(1, 2, 3);
    }

    @Test
    void textsAreReadBackAsTheyWere() throws Exception {
        StringBuilder all = new StringBuilder();
        for (char each = 0; each < 0x180; each++) {
            all.append(each);
        }
        String text = all + "\u2028\ud83d\ude00[{\"";
        Map<String, List<String>> value = new TreeMap<>(Map.of(text, List.of(text, "["), "{", List.of()));

        ObjectMapper library = new ObjectMapper();
        JsonNode read = library.readTree(Json.of(value));
        assertThat(read).isEqualTo(library.<JsonNode>valueToTree(value));
    }

    @Test
    void aValueOfAnotherKindIsRefused() {
        assertThatThrownBy(() -> Json.of(List.of(1.5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Not written as JSON: class java.lang.Double");
    }
}
