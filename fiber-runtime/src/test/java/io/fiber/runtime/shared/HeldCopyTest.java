// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.Options;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What a caller may do with a copy of a value that a manager goes on holding. */
class HeldCopyTest {

    private static <T> void assertRefuses(T copy, List<Consumer<T>> changes) {
        String before = copy.toString();
        for (Consumer<T> change : changes) {
            assertThatThrownBy(() -> change.accept(copy)).isInstanceOf(UnsupportedOperationException.class);
        }
        assertThat(copy).hasToString(before);
    }

    @Test
    void refusalSaysWhatToDo() {
        List<String> copy = HeldCopy.of(new ArrayList<>());

        assertThatThrownBy(() -> copy.add("apple"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("FBR-445 This is a copy of a value that a manager holds, so a change to it would be lost."
                        + " Change the value in the manager: map.compute(key, ...), map.merge(...),"
                        + " value.updateAndGet(...) and call(...) run a function there. Or change a copy of your own,"
                        + " such as new ArrayList<>(value), and put it back.");
    }

    @Test
    void listsRefuseEveryChange() {
        for (List<Integer> held : List.of(new ArrayList<>(List.of(3, 1, 2)), Arrays.asList(3, 1, 2))) {
            ArrayList<Integer> copy = HeldCopy.of(held);
            assertThat(copy).isEqualTo(held);
            assertRefuses(
                    copy,
                    List.of(
                            list -> list.add(4),
                            list -> list.add(0, 4),
                            list -> list.addAll(List.of(4)),
                            list -> list.addAll(0, List.of(4)),
                            list -> list.set(0, 4),
                            list -> list.remove(0),
                            list -> list.remove((Object) 3),
                            list -> list.removeAll(List.of(3)),
                            list -> list.retainAll(List.of(3)),
                            list -> list.removeIf(i -> i == 3),
                            list -> list.replaceAll(i -> i + 1),
                            list -> list.sort(null),
                            ArrayList::clear,
                            list -> list.subList(0, 2).clear(),
                            list -> removeFirst(list.iterator()),
                            list -> removeFirst(list.listIterator())));
        }
    }

    private static void removeFirst(Iterator<?> iterator) {
        iterator.next();
        iterator.remove();
    }

    @Test
    void setsRefuseEveryChange() {
        for (Set<Integer> held : List.of(new HashSet<>(List.of(3, 1, 2)), new LinkedHashSet<>(List.of(3, 1, 2)))) {
            HashSet<Integer> copy = HeldCopy.of(held);
            assertThat(copy).isEqualTo(held).containsExactlyElementsOf(held);
            assertRefuses(
                    copy,
                    List.of(
                            set -> set.add(4),
                            set -> set.addAll(List.of(4)),
                            set -> set.remove(3),
                            set -> set.removeAll(List.of(3)),
                            set -> set.retainAll(List.of(3)),
                            set -> set.removeIf(i -> i == 3),
                            HashSet::clear,
                            set -> removeFirst(set.iterator())));
        }
    }

    @Test
    void mapsRefuseEveryChange() {
        Map<String, Integer> linked = new LinkedHashMap<>(Map.of("a", 1));
        for (Map<String, Integer> held : List.of(new HashMap<>(linked), linked)) {
            HashMap<String, Integer> copy = HeldCopy.of(held);
            assertThat(copy).isEqualTo(held);
            assertRefuses(
                    copy,
                    List.of(
                            map -> map.put("b", 2),
                            map -> map.putAll(Map.of("b", 2)),
                            map -> map.putIfAbsent("b", 2),
                            map -> map.remove("a"),
                            map -> map.remove("a", 1),
                            map -> map.replace("a", 2),
                            map -> map.replace("a", 1, 2),
                            map -> map.replaceAll((key, value) -> value + 1),
                            map -> map.computeIfAbsent("b", key -> 2),
                            map -> map.computeIfPresent("a", (key, value) -> null),
                            map -> map.compute("a", (key, value) -> null),
                            map -> map.merge("a", 1, Integer::sum),
                            HashMap::clear,
                            map -> map.keySet().remove("a"),
                            map -> map.values().remove(1),
                            map -> map.entrySet().iterator().next().setValue(2)));
        }
    }

    @Test
    void whatIsInsideIsACopyToo() {
        Map<String, List<Set<Integer>>> held = new HashMap<>();
        held.put("a", new ArrayList<>(List.of(new HashSet<>(Set.of(1)))));
        Map<String, List<Set<Integer>>> copy = HeldCopy.of(held);

        List<Set<Integer>> inside = Objects.requireNonNull(copy.get("a"));

        assertRefuses(inside, List.of(List::clear));
        assertRefuses(inside.get(0), List.of(Set::clear));
    }

    @Test
    void collectionThatContainsItselfIsCopied() {
        List<Object> held = new ArrayList<>();
        held.add(held);

        List<Object> copy = HeldCopy.of(held);

        assertThat(copy).hasSize(1);
    }

    @Test
    void copyOfACopyCanBeChangedAndTravelsAsAnOrdinaryCollection() throws Exception {
        List<Integer> list = HeldCopy.of(new ArrayList<>(List.of(1)));
        Set<Integer> set = HeldCopy.of(new HashSet<>(Set.of(1)));
        Map<Integer, Integer> map = HeldCopy.of(new HashMap<>(Map.of(1, 1)));

        for (Object copy : List.of(list, set, map)) {
            assertThat(travelled(copy)).isEqualTo(copy);
            assertThat(travelled(copy).getClass().getName()).startsWith("java.util.");
        }
        Collection<Integer> own = new ArrayList<>(list);
        own.add(2);
        assertThat(own).containsExactly(1, 2);
    }

    private static Object travelled(Object value) {
        Codecs codecs = Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, UnaryOperator.identity());
        PayloadOutput out = new PayloadOutput();
        codecs.values().write(value, out);
        return Objects.requireNonNull(codecs.values().read(out.toPayload().open()));
    }

    /** A counter that is handed out would be counted up in vain. */
    @Test
    void typesThatExistToBeChangedAreWarnedOfOnce() {
        List<String> said = new ArrayList<>();
        Logger logger = Logger.getLogger(HeldCopy.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                said.add(entry.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            Object adder = new LongAdder();
            assertThat(HeldCopy.<Object>of(adder)).isSameAs(adder);
            assertThat(HeldCopy.<Object>of(new TreeMap<>(Map.of(1, 1)))).isEqualTo(Map.of(1, 1));
            HeldCopy.of(adder);
            HeldCopy.ofMade(List.of(1));
            HeldCopy.ofMade(7);
            HeldCopy.ofMade(new TreeMap<>(Map.of(1, 1)));
            HeldCopy.ofMade(new TreeMap<>(Map.of(1, 1)));
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }

        assertThat(said).hasSize(2);
        assertThat(said.get(0))
                .startsWith("FBR-445 A manager handed out a copy of a java.util.concurrent.atomic.LongAdder. Changes to"
                        + " the copy are lost. ");
        assertThat(said.get(1)).startsWith("FBR-445 A manager handed out a copy of a java.util.TreeMap. ");
    }
}
