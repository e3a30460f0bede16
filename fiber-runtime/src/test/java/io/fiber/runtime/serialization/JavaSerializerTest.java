// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.spi.serializer.ObjectSerializer;
import io.fiber.spi.serializer.SerializerProvider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class JavaSerializerTest {

    interface Task<A, B> extends Function<A, B>, Serializable {}

    record Point(int x, int y, String name) implements Serializable {
        int distanceTo(Point other) {
            return Math.abs(x - other.x) + Math.abs(y - other.y);
        }
    }

    enum Colour {
        RED,
        GREEN {
            @Override
            String shout() {
                return "GREEN!";
            }
        };

        String shout() {
            return name();
        }
    }

    record Echo(String prefix) implements InvocationHandler, Serializable {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return prefix + arguments[0];
        }
    }

    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(SerializerProvider.class))
                .filteredOn(provider -> provider.name().equals("java"))
                .hasSize(1)
                .allMatch(JavaSerializerProvider.class::isInstance);
    }

    @Test
    void lambdasTravelWithWhatTheyCaptured() {
        int factor = 3;
        int[] table = {1, 2, 3};
        Point origin = new Point(0, 0, "origin");
        Task<Point, Integer> task = point -> point.distanceTo(origin) * factor + table[2];

        assertThat(Serializing.travelled(task).apply(new Point(1, 2, "p"))).isEqualTo(12);
    }

    @Test
    void methodReferencesTravel() {
        Task<Point, Integer> bound = new Point(1, 1, "p")::distanceTo;
        Task<String, Integer> unbound = Integer::parseInt;
        Task<Point, String> accessor = Point::name;

        assertThat(Serializing.travelled(bound).apply(new Point(3, 3, "q"))).isEqualTo(4);
        assertThat(Serializing.travelled(unbound).apply("12")).isEqualTo(12);
        assertThat(Serializing.travelled(accessor).apply(new Point(0, 0, "n"))).isEqualTo("n");
    }

    @Test
    void functionsOfTheJdkTravelWhenTheyAreCastOrMadeByTheJdk() {
        Function<Integer, Integer> cast = (Function<Integer, Integer> & Serializable) x -> x + 1;
        Comparator<String> byLength = Comparator.comparing((Function<String, Integer> & Serializable) String::length);
        TreeMap<String, Integer> sorted = new TreeMap<>(byLength.reversed());
        sorted.putAll(Map.of("a", 1, "bbb", 3, "cc", 2));

        assertThat(Serializing.travelled(cast).apply(1)).isEqualTo(2);
        assertThat(Serializing.travelled(sorted).firstKey()).isEqualTo("bbb");
    }

    @Test
    void recordsEnumsAndProxiesTravel() {
        Point point = new Point(1, 2, "p");
        Comparable<?> proxy = (Comparable<?>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Comparable.class, Function.class}, new Echo("> "));

        assertThat(Serializing.travelled(point)).isEqualTo(point);
        assertThat(Serializing.travelled(Colour.RED)).isSameAs(Colour.RED);
        assertThat(Serializing.travelled(Colour.GREEN)).isSameAs(Colour.GREEN);
        @SuppressWarnings("unchecked")
        Function<Object, Object> function = (Function<Object, Object>) Serializing.travelled((Object) proxy);
        assertThat(function.apply("x")).isEqualTo("> x");
    }

    @Test
    void classesTravelAndPrimitiveOnesToo() {
        List<Class<?>> classes =
                List.of(int.class, void.class, int[][].class, String.class, Point.class, Point[].class);

        assertThat(Serializing.travelled(classes)).isEqualTo(classes);
    }

    @Test
    void sharedObjectsAreSharedAgain() {
        Point point = new Point(1, 2, "p");
        Object[] pair = Serializing.travelled(new Object[] {point, point});

        assertThat(pair[0]).isEqualTo(point).isSameAs(pair[1]);
    }

    @Test
    void oneReadTakesWhatOneWriteWroteFromAnyStream() throws IOException, ClassNotFoundException {
        ObjectSerializer serializer = Serializing.serializer();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) {
            serializer.write(new Point(i, i, "p".repeat(i * 30)), out);
            serializer.write(null, out);
            serializer.write(Map.of("k", List.of(i)), out);
        }
        ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());

        for (int i = 0; i < 100; i++) {
            assertThat(serializer.read(in)).isEqualTo(new Point(i, i, "p".repeat(i * 30)));
            assertThat(serializer.read(in)).isNull();
            assertThat(serializer.read(in)).isEqualTo(Map.of("k", List.of(i)));
        }
        assertThat(in.read()).isEqualTo(-1);
    }

    @Test
    void arraysThatCannotBeInTheBytesAreNotAllocated() throws IOException {
        PayloadOutput out = new PayloadOutput();
        Serializing.serializer().write(new Object[] {"x"}, out);
        byte[] bytes = out.toPayload().toArray();
        int length = indexOfLength(bytes);
        bytes[length] = 0x7F;
        bytes[length + 1] = -1;
        PayloadInput in = io.fiber.runtime.protocol.Payload.of(bytes).open();

        assertThatExceptionOfType(java.io.InvalidClassException.class)
                .isThrownBy(() -> Serializing.serializer().read(in))
                .havingCause()
                .withMessage("an array of 2147418113 elements is announced in a value of " + bytes.length
                        + " bytes. The value is damaged");
    }

    @Test
    @SuppressWarnings("JdkObsolete")
    void collectionsOfManySizesAreNotTakenForImpossible() {
        for (int size : new int[] {0, 1, 12, 13, 48, 49, 1000, 100_000}) {
            Map<Integer, String> map = new java.util.HashMap<>();
            IdentityHashMap<Object, Object> identities = new IdentityHashMap<>();
            java.util.Hashtable<Object, Object> table = new java.util.Hashtable<>();
            for (int i = 0; i < size; i++) {
                map.put(i, "");
                identities.put(i, "");
                table.put(i, "");
            }
            assertThat(Serializing.travelled(map)).isEqualTo(map);
            assertThat(Serializing.travelled(identities)).hasSize(size);
            assertThat(Serializing.travelled(table)).isEqualTo(table);
            assertThat(Serializing.travelled(new java.util.HashSet<>(map.keySet())))
                    .isEqualTo(map.keySet());
            assertThat(Serializing.travelled(new java.util.ArrayDeque<>(map.keySet())))
                    .hasSize(size);
            assertThat(Serializing.travelled(new java.util.PriorityQueue<>(map.keySet())))
                    .hasSize(size);
            assertThat(Serializing.travelled(new java.util.concurrent.ConcurrentHashMap<>(map)))
                    .isEqualTo(map);
            assertThat(Serializing.travelled(new java.util.concurrent.CopyOnWriteArrayList<>(map.keySet())))
                    .hasSize(size);
            assertThat(Serializing.travelled(List.copyOf(map.keySet()))).hasSize(size);
            assertThat(Serializing.travelled(Map.copyOf(map))).isEqualTo(map);
        }
    }

    /** The length stands in front of the only element, a string of one letter. */
    private static int indexOfLength(byte[] bytes) {
        return bytes.length - 4 - Integer.BYTES;
    }
}
