// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.ManagedArray;
import io.fiber.ManagedList;
import io.fiber.ManagedMap;
import io.fiber.ManagedNamespace;
import io.fiber.ManagedValue;
import io.fiber.Pool;
import io.fiber.RemoteTaskException;
import io.fiber.SerializationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lists, maps, namespaces, values and arrays that processes share. */
@SuppressWarnings({"unchecked", "NullAway", "ModifyCollectionInEnhancedForLoop"
}) // values that are there were put in; iteration uses a snapshot
abstract class ManagedCollectionsContract extends ManagerContract {

    @Test
    void namespaceListAndMapWithNestedHandlesAreChangedByAnotherProcess() {
        ManagedNamespace namespace = manager().namespace();
        ManagedList<Object> list = manager().list(List.of(1, 2));
        ManagedList<Integer> inner = manager().list(List.of(10));
        ManagedMap<String, Object> map = manager().map(Map.of("a", 1));
        namespace.set("x", 41);
        namespace.set("list", inner);
        list.add(inner);
        map.put("inner", inner);
        inProcess(() -> {
            int x = namespace.get("x", int.class);
            namespace.set("x", x + 1);
            list.set(0, (int) list.get(0) + 1);
            ManagedList<Integer> nested = (ManagedList<Integer>) list.get(2);
            nested.add(nested.get(0) + 1);
            map.put("a", (int) map.get("a") + 1);
            ((ManagedList<Integer>) map.get("inner")).replaceAll(value -> value + 1);
        });
        assertThat(namespace.<Integer>get("x", int.class)).isEqualTo(42);
        assertThat(list.get(0)).isEqualTo(2);
        assertThat(inner).containsExactly(11, 12);
        assertThat(map.get("a")).isEqualTo(2);
        assertThat(namespace
                        .<ManagedList<Integer>>get("list", ManagedList.class)
                        .snapshot())
                .containsExactly(11, 12);
    }

    /** A change of such a copy would be lost silently. */
    @Test
    void valuesThatTheManagerHoldsAreHandedOutAsCopiesThatRefuseChanges() {
        ManagedMap<String, List<String>> index = manager().map();
        ManagedList<List<String>> rows = manager().list(List.of(new ArrayList<>(List.of("x"))));
        ManagedValue<List<String>> value = manager().value(new ArrayList<>());
        ManagedNamespace namespace = manager().namespace();
        namespace.set("list", new ArrayList<String>());

        for (Supplier<List<String>> read : List.<Supplier<List<String>>>of(
                () -> index.computeIfAbsent("a", key -> new ArrayList<>()),
                () -> index.get("a"),
                () -> index.getOrDefault("a", List.of()),
                () -> index.putIfAbsent("a", new ArrayList<>()),
                () -> index.compute("a", (key, words) -> words),
                () -> index.merge("a", new ArrayList<>(), (words, more) -> words),
                () -> index.values().iterator().next(),
                () -> index.values().stream().findFirst().orElseThrow(),
                () -> index.entrySet().iterator().next().getValue(),
                () -> rows.get(0),
                () -> rows.iterator().next(),
                () -> rows.stream().findFirst().orElseThrow(),
                () -> new ArrayList<>(rows).get(0),
                () -> value.get(),
                () -> value.updateAndGet(words -> words),
                () -> namespace.get("list", List.class))) {
            List<String> copy = read.get();
            assertThatThrownBy(() -> copy.add("apple"))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageStartingWith("FBR-445 ");
        }
        index.compute("a", (key, words) -> {
            words.add("apple");
            return words;
        });
        index.snapshot().get("a").add("avocado");
        List<String> own = index.remove("a");
        own.add("banana");
        assertThat(own).containsExactly("apple", "banana");
    }

    @Test
    void mergeIsOneCallAtTheHost() {
        ManagedMap<String, Integer> counts = manager().map();
        List<String> words = new ArrayList<>();
        IntStream.range(0, 200).forEach(i -> words.add("word" + i % 7));
        try (Pool pool = fiber().pool(3)) {
            pool.map(word -> counts.merge(word, 1, Integer::sum), words);
        }
        Map<String, Integer> expected = new HashMap<>();
        words.forEach(word -> expected.merge(word, 1, Integer::sum));
        assertThat(counts.snapshot()).isEqualTo(expected);
    }

    @Test
    void aListIsAList() {
        ManagedList<String> list = manager().list();
        list.add("b");
        list.add(0, "a");
        list.addAll(List.of("d", "c", "e", "c"));
        list.addAll(1, List.of("z"));
        assertThat(list).containsExactly("a", "z", "b", "d", "c", "e", "c").hasSize(7);
        assertThat(list.indexOf("c")).isEqualTo(4);
        assertThat(list.lastIndexOf("c")).isEqualTo(6);
        assertThat(list.contains("q")).isFalse();
        assertThat(list.remove("z")).isTrue();
        assertThat(list.remove(0)).isEqualTo("a");
        assertThat(list.set(0, "y")).isEqualTo("b");
        list.sort((left, right) -> right.compareTo(left));
        assertThat(list).isEqualTo(List.of("y", "e", "d", "c", "c"));
        assertThat(list.removeIf(each -> each.equals("c"))).isTrue();
        list.retainAll(List.of("y", "e"));
        list.removeAll(List.of("e"));
        list.replaceAll(each -> each + "!");
        list.add(null);
        assertThat(list.snapshot()).containsExactly("y!", null);
        assertThat(list.stream().count()).isEqualTo(2);
        assertThat(list.<Integer>call(List::size)).isEqualTo(2);
        list.clear();
        assertThat(list.isEmpty()).isTrue();
    }

    @Test
    void bothEndsOfAListAreReadAndRemoved() {
        ManagedList<String> list = manager().list(List.of("a", "b", "c"));

        assertThat(list.getFirst()).isEqualTo("a");
        assertThat(list.getLast()).isEqualTo("c");
        assertThat(list.removeFirst()).isEqualTo("a");
        assertThat(list.removeLast()).isEqualTo("c");
        assertThat(list.snapshot()).containsExactly("b");
        list.clear();
        assertThatThrownBy(list::getFirst)
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("The list is empty.");
        assertThatThrownBy(list::getLast).isInstanceOf(NoSuchElementException.class);
        assertThatThrownBy(list::removeFirst).isInstanceOf(NoSuchElementException.class);
        assertThatThrownBy(list::removeLast).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void severalTakersOfTheLastElementGetEachOnce() {
        ManagedList<Integer> list =
                manager().list(IntStream.range(0, 200).boxed().toList());

        List<Integer> taken;
        try (Pool pool = fiber().pool(3)) {
            taken = pool.map(i -> list.removeLast(), IntStream.range(0, 200));
        }

        assertThat(taken).doesNotHaveDuplicates().hasSize(200);
        assertThat(list).isEmpty();
    }

    @Test
    void aMapIsAMapInTheOrderOfItsKeys() {
        ManagedMap<String, Integer> map = manager().map();
        assertThat(map.put("one", 1)).isNull();
        map.putAll(Map.of("two", 2));
        assertThat(map.putIfAbsent("one", 7)).isEqualTo(1);
        assertThat(map.computeIfAbsent("three", String::length)).isEqualTo(5);
        assertThat(map.computeIfPresent("three", (key, value) -> 3)).isEqualTo(3);
        assertThat(map.compute("four", (key, value) -> value == null ? 4 : 0)).isEqualTo(4);
        assertThat(map.getOrDefault("five", 5)).isEqualTo(5);
        assertThat(map.replace("one", 1, 11)).isTrue();
        assertThat(map.replace("two", 22)).isEqualTo(2);
        assertThat(map.containsKey("two")).isTrue();
        assertThat(map.containsValue(22)).isTrue();
        assertThat(map.remove("two", 23)).isFalse();
        assertThat(map.remove("four")).isEqualTo(4);
        map.replaceAll((key, value) -> value + 1);
        assertThat(map.keySet()).containsExactly("one", "two", "three");
        assertThat(map.values()).containsExactly(12, 23, 4);
        assertThat(map).isEqualTo(Map.of("one", 12, "two", 23, "three", 4));
        for (Map.Entry<String, Integer> entry : map.entrySet()) {
            entry.setValue(entry.getValue() + 1);
        }
        Iterator<String> keys = map.keySet().iterator();
        keys.next();
        keys.remove();
        assertThat(map.snapshot()).isEqualTo(Map.of("two", 24, "three", 5));
        assertThat(map.<Integer>call(Map::size)).isEqualTo(2);
        map.clear();
        assertThat(map).isEmpty();
    }

    @Test
    void aWalkMeetsWhatAMapHeldWhenItBegan() {
        Map<Integer, String> entries = new HashMap<>();
        String text = "x".repeat(1000);
        IntStream.range(0, 500).forEach(i -> entries.put(i, text));
        ManagedMap<Integer, String> map = manager().map(entries);
        List<Integer> met = new ArrayList<>();
        for (Integer key : map.keySet()) {
            met.add(key);
            map.remove(key);
            if (key < 100) {
                map.put(1000 + key, text);
            }
        }
        assertThat(met).containsExactlyInAnyOrderElementsOf(entries.keySet());
        assertThat(map.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(1000, 1100).boxed().toList());
    }

    @Test
    void viewsOfAMapChangeTheMap() {
        ManagedMap<String, Integer> map = manager().map(Map.of("a", 1, "b", 2));
        assertThat(map.keySet().remove("a")).isTrue();
        assertThat(map.keySet().remove("a")).isFalse();
        map.entrySet().stream().forEach(entry -> entry.setValue(entry.getValue() + 1));
        assertThat(map.get("b")).isEqualTo(3);
        assertThat(map.keySet().stream().toList()).containsExactly("b");
        assertThat(map.values().stream().toList()).containsExactly(3);
        assertThat(map.keySet().contains("b")).isTrue();
        assertThat(map.values().contains(3)).isTrue();
        map.values().remove(3);
        assertThat(map).isEmpty();
        map.put("c", 4);
        map.keySet().clear();
        assertThat(map.values()).isEmpty();
    }

    @Test
    void aListOfHalfAMegabyteIsWalked() {
        List<String> elements = IntStream.range(0, 500)
                .mapToObj(i -> i + "-" + "x".repeat(1000))
                .toList();
        ManagedList<String> list = manager().list(elements);
        assertThat(list).containsExactlyElementsOf(elements);
        assertThat(list.equals(elements)).isTrue();
        assertThat(list.hashCode()).isEqualTo(elements.hashCode());
    }

    @Test
    void whatCollectionsThrowIsWhatTheJdkThrows() {
        ManagedList<Integer> list = manager().list(List.of(1, 2, 3));
        assertThatThrownBy(() -> list.get(3))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("3")
                .cause()
                .isInstanceOf(RemoteTaskException.class);
        assertThatThrownBy(() -> list.iterator().remove()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> manager().namespace().get("nothing", Object.class))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("nothing");
    }

    @Test
    void whatTheProgramsFunctionThrowsArrivesWithItsRemoteTrace() {
        ManagedMap<String, Integer> map = manager().map(Map.of("a", 0));
        assertThatThrownBy(() -> map.compute("a", (key, value) -> 1 / value))
                .isInstanceOf(RemoteTaskException.class)
                .hasMessageContaining("java.lang.ArithmeticException: / by zero")
                .hasCauseInstanceOf(ArithmeticException.class)
                .satisfies(thrown -> assertThat(((RemoteTaskException) thrown).remoteStackTrace())
                        .contains("ManagedCollectionsContract"));
        assertThat(map.get("a")).isZero();
    }

    @Test
    void aFunctionThatCannotTravelIsRefusedAtTheCaller() {
        ManagedMap<String, Integer> map = manager().map();
        BiFunction<Integer, Integer, Integer> plain = Integer::sum;
        assertThatThrownBy(() -> map.merge("a", 1, plain))
                .isInstanceOf(SerializationException.class)
                .hasMessageStartingWith("FBR-201");
    }

    @Test
    void valuesAndArraysAreUpdatedAtTheHost() {
        ManagedValue<Integer> value = manager().value(0);
        ManagedArray<Double, double[]> doubles = manager().array(new double[] {1, 2, 3});
        ManagedArray<Long, long[]> longs = manager().array(new long[4]);
        try (Pool pool = fiber().pool(3)) {
            pool.map(
                    i -> {
                        value.updateAndGet(before -> before + i);
                        return longs.updateAndGet(i % 4, before -> before + 1);
                    },
                    IntStream.range(0, 100));
        }
        assertThat(value.get()).isEqualTo(4950);
        assertThat(value.compareAndSet(4950, 1)).isTrue();
        assertThat(value.getAndUpdate(before -> before + 1)).isEqualTo(1);
        assertThat(value.getAndSet(7)).isEqualTo(2);
        assertThat(longs.toArray()).containsExactly(25, 25, 25, 25);
        assertThat(longs.getAndUpdate(0, before -> before + 1)).isEqualTo(25);
        assertThat(longs.compareAndSet(0, 25L, 1L)).isFalse();
        assertThat(longs.compareAndSet(0, 26L, 27L)).isTrue();
        assertThat(longs.get(0)).isEqualTo(27);
        doubles.setRange(1, new double[] {20, 30});
        doubles.set(0, doubles.get(0) + 9);
        assertThat(doubles.toArray()).containsExactly(10, 20, 30);
        assertThat(doubles.copyOfRange(1, 2)).containsExactly(20);
        assertThatThrownBy(() -> doubles.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> doubles.setRange(2, new double[2])).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aNamespaceKeepsNamesInOrder() {
        ManagedNamespace namespace = manager().namespace();
        namespace.set("b", 1);
        namespace.set("a", null);
        assertThat(namespace.names()).containsExactly("b", "a");
        assertThat(namespace.has("a")).isTrue();
        assertThat(namespace.<Object>get("a", Object.class)).isNull();
        assertThatThrownBy(() -> namespace.get("a", int.class))
                .isInstanceOf(ClassCastException.class)
                .hasMessage("The value 'a' of the namespace is null; expected java.lang.Integer.");
        assertThatThrownBy(() -> namespace.get("b", String.class))
                .isInstanceOf(ClassCastException.class)
                .hasMessage("The value 'b' of the namespace is a java.lang.Integer; expected java.lang.String.");
        assertThat(namespace.remove("a")).isTrue();
        assertThat(namespace.remove("a")).isFalse();
        assertThat(namespace.names()).containsExactly("b");
    }

    @Test
    void handlesOfOneObjectAreEqualWhereverTheyHaveBeen() {
        ManagedValue<Integer> value = manager().value(1);
        ManagedList<Object> list = manager().list(Arrays.asList(value, manager().value(1)));
        assertThat(list.get(0)).isEqualTo(value).hasSameHashCodeAs(value);
        assertThat(list.get(1)).isNotEqualTo(value);
    }
}
