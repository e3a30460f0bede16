// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.SerializationException;
import io.fiber.function.RemoteFunction;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.serialization.functions.FunctionName;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** One method that a class refers to at several places, for other types at each: its compiler confuses them (JDK-8208752). */
class MethodReferencesTest {

    interface Marker {}

    interface Parser<T> extends RemoteFunction<String, T> {
        @Override
        T apply(String text);
    }

    interface Making<T> extends Supplier<T>, Serializable {}

    private static final class Base implements Comparable<Base>, Serializable {
        private static final long serialVersionUID = 1L;
        private final Object held;

        Base(Object held) {
            this.held = held;
        }

        private String shown() {
            return "<" + held + ">";
        }

        @Override
        public int compareTo(Base other) {
            return 0;
        }
    }

    private static <T> String shown(T value) {
        return value + "!";
    }

    @SafeVarargs
    private static <T> int count(T... values) {
        return values.length;
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // a reference to such a method is what is tested
    private static <T> T read(String text) {
        @SuppressWarnings("unchecked")
        T value = (T) (text.isEmpty() ? Integer.valueOf(0) : text);
        return value;
    }

    @Test
    void anInheritedMethodIsCalledForItemsOfEachType() throws Exception {
        RemoteFunction<Integer, String> ofNumbers = Object::toString;
        RemoteFunction<String, String> ofTexts = Object::toString;
        RemoteFunction<Integer, Integer> wholeOfInts = Number::intValue;
        RemoteFunction<Double, Integer> wholeOfDoubles = Number::intValue;
        RemoteFunction<String, Integer> lengths = CharSequence::length;
        RemoteFunction<StringBuilder, Integer> lengthsOfBuilders = CharSequence::length;

        assertThat(Serializing.travelled(ofNumbers).apply(1)).isEqualTo("1");
        assertThat(Serializing.travelled(ofTexts).apply("a")).isEqualTo("a");
        assertThat(Serializing.travelled(ofNumbers).apply(2)).isEqualTo("2");
        assertThat(Serializing.travelled(wholeOfInts).apply(1)).isEqualTo(1);
        assertThat(Serializing.travelled(wholeOfDoubles).apply(1.5)).isEqualTo(1);
        assertThat(Serializing.travelled(lengths).apply("abc")).isEqualTo(3);
        assertThat(Serializing.travelled(lengthsOfBuilders).apply(new StringBuilder("ab")))
                .isEqualTo(2);
    }

    @Test
    void methodsOfTheProgramAndConstructorsAreCalledForItemsOfEachType() throws Exception {
        RemoteFunction<Integer, String> one = MethodReferencesTest::shown;
        RemoteFunction<String, String> two = MethodReferencesTest::shown;
        RemoteFunction<Integer, Base> ofNumbers = Base::new;
        RemoteFunction<String, Base> ofTexts = Base::new;
        RemoteFunction<List<Integer>, Collection<Integer>> copies = ArrayList::new;
        RemoteFunction<Collection<String>, List<String>> others = ArrayList::new;

        assertThat(Serializing.travelled(one).apply(1)).isEqualTo("1!");
        assertThat(Serializing.travelled(two).apply("a")).isEqualTo("a!");
        assertThat(Serializing.travelled(ofNumbers).apply(1).shown()).isEqualTo("<1>");
        assertThat(Serializing.travelled(ofTexts).apply("a").shown()).isEqualTo("<a>");
        assertThat(Serializing.travelled(copies).apply(List.of(1))).containsExactly(1);
        assertThat(Serializing.travelled(others).apply(java.util.Set.of("a"))).containsExactly("a");
    }

    @Test
    void whatTheCompilerMakesALambdaOfWorksAsBefore() throws Exception {
        RemoteFunction<Integer, Integer> varargs = MethodReferencesTest::count;
        RemoteFunction<String, Integer> moreVarargs = MethodReferencesTest::count;
        RemoteFunction<Integer, int[]> array = int[]::new;
        RemoteFunction<Integer, String[][]> moreArrays = String[][]::new;

        assertThat(Serializing.travelled(varargs).apply(1)).isEqualTo(1);
        assertThat(Serializing.travelled(moreVarargs).apply("a")).isEqualTo(1);
        assertThat(Serializing.travelled(array).apply(2)).hasSize(2);
        assertThat(Serializing.travelled(moreArrays).apply(3)).hasNumberOfRows(3);
    }

    @Test
    void whatAReferenceWasMadeWithTravelsByAnObjectStream() throws Exception {
        Base number = new Base(1);
        Base text = new Base("a");
        RemoteFunction<Base, Integer> comparing = number::compareTo;
        Making<String> first = number::shown;
        Making<CharSequence> second = text::shown;
        Making<Object> third = new Base(List.of(2))::shown;

        assertThat(Serializing.travelled(comparing).apply(text)).isZero();
        assertThat(Serializing.travelled(first).get()).isEqualTo("<1>");
        assertThat(Serializing.travelled(second).get()).isEqualTo("<a>");
        assertThat(Serializing.travelled(third).get()).isEqualTo("<[2]>");
    }

    @Test
    void aFunctionThatHasTravelledTravelsOn() throws Exception {
        RemoteFunction<Long, String> ofNumbers = Object::toString;
        RemoteFunction<StringBuilder, String> ofTexts = Object::toString;
        RemoteFunction<StringBuilder, String> there = Serializing.travelled(Serializing.travelled(ofTexts));

        assertThat(Serializing.travelled(ofNumbers).apply(1L)).isEqualTo("1");
        assertThat(there.apply(new StringBuilder("b"))).isEqualTo("b");
        assertThat(FunctionName.of(there)).hasToString("java.lang.Object::toString");
    }

    @Test
    void functionsInsideOfObjectsAreMadeForTheirTypes() throws Exception {
        RemoteFunction<Short, String> ofNumbers = Object::toString;
        RemoteFunction<Character, String> ofTexts = Object::toString;
        List<RemoteFunction<?, String>> both = Serializing.travelled(new ArrayList<>(List.of(ofNumbers, ofTexts)));

        assertThat(applied(both.get(0), (short) 1)).isEqualTo("1");
        assertThat(applied(both.get(1), 'a')).isEqualTo("a");
    }

    @SuppressWarnings("unchecked")
    private static <T> String applied(RemoteFunction<?, String> function, T item) throws Exception {
        return ((RemoteFunction<T, String>) function).apply(item);
    }

    @Test
    void theFilterOfTheJvmIsAskedAboutTheClassThatWasWritten() {
        TypeFilter strict = new TypeFilter(ObjectInputFilter.Config.createFilter(
                "java.base/*;" + getClass().getName() + "*;!*"));
        TypeFilter stricter = new TypeFilter(ObjectInputFilter.Config.createFilter("!java.lang.invoke.*"));
        RemoteFunction<Object, String> function = Object::toString;
        Payload payload = Serializing.written(new ArrayList<>(List.of(function)));

        assertThat(reader(strict).read(payload.open())).isInstanceOf(List.class);
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> reader(stricter).read(payload.open()))
                .withMessageContaining(
                        "java.lang.invoke.SerializedLambda is not allowed by this JVM's jdk.serialFilter");
    }

    private ValueCodec reader(TypeFilter filter) {
        return new ValueCodec(Serializing.serializer(getClass().getClassLoader(), filter), Side.WORKER);
    }

    @Test
    void furtherInterfacesAndMethodsOfTheInterfaceAreThere() {
        Parser<Integer> numbers = MethodReferencesTest::read;
        Parser<String> texts = MethodReferencesTest::read;
        Function<Byte, String> marked = (Function<Byte, String> & Serializable & Marker) Object::toString;
        Function<Float, String> alsoMarked = (Function<Float, String> & Serializable & Marker) Object::toString;

        assertThat(Serializing.travelled(numbers).apply("")).isZero();
        assertThat(Serializing.travelled(texts).apply("a")).isEqualTo("a");
        assertThat(appliedByTheWiderInterface(Serializing.travelled(texts))).isEqualTo("b");
        assertThat(Serializing.travelled(marked).apply((byte) 1)).isEqualTo("1");
        assertThat(Serializing.travelled(alsoMarked)).isInstanceOf(Marker.class);
        assertThat(Serializing.travelled(alsoMarked).apply(1f)).isEqualTo("1.0");
        assertThat(Serializing.travelled(alsoMarked).andThen(text -> text + "0").apply(1f))
                .isEqualTo("1.00");
    }

    private static Object appliedByTheWiderInterface(RemoteFunction<String, ?> function) {
        try {
            return function.apply("b");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
