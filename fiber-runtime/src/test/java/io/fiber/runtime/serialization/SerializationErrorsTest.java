// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fiber.SerializationException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.format.DateTimeFormatter;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SerializationErrorsTest {

    private static final String HERE = "io.fiber.runtime.serialization.SerializationErrorsTest";
    private static final String OWN_CLASS =
            " Let it implement java.io.Serializable, make the field transient, or create it inside the task.";

    interface Task extends Serializable {
        Object run();
    }

    static final class Db {
        Object query() {
            return "row";
        }
    }

    record Job(String name, Object db) implements Serializable {}

    private final Db db = new Db();

    @Test
    void aCapturedObjectIsNamedWithTheLambdaThatCapturesIt() {
        Db captured = db;
        Task task = () -> captured;

        assertThat(writing(task))
                .isEqualTo("FBR-201 Cannot serialize argument 17 of map: " + HERE
                        + "$Db is not Serializable; found at captured argument 0 (type " + HERE + "$Db) of a lambda in "
                        + HERE
                        + ".aCapturedObjectIsNamedWithTheLambdaThatCapturesIt." + OWN_CLASS);
    }

    @Test
    void aCapturedThisIsExplained() {
        Task task = () -> db;

        assertThat(writing(task))
                .isEqualTo("FBR-201 Cannot serialize argument 17 of map: " + HERE
                        + " is not Serializable; found at captured argument 0 (type " + HERE + ") of a lambda in "
                        + HERE
                        + ".aCapturedThisIsExplained. The lambda captures `this` (" + HERE
                        + "), which is not Serializable: copy the field it"
                        + " uses to a local variable, or make the method that it calls static.");
    }

    @Test
    void theObjectOfAMethodReferenceIsNamedWithTheWayOut() {
        Task task = db::query;

        assertThat(writing(task))
                .isEqualTo("FBR-201 Cannot serialize argument 17 of map: " + HERE
                        + "$Db is not Serializable; found at captured argument 0 (type " + HERE
                        + "$Db) of the method reference " + HERE
                        + "$Db::query in "
                        + HERE + ". A method reference of this form captures the object: "
                        + "make the method static, or let the class implement java.io.Serializable.");
    }

    @Test
    void theWayToAFieldDeepInsideIsNamed() {
        Job job = new Job("j", Map.of("k", new ArrayList<>(List.of("a", new Job("inner", new Object[] {1, db})))));
        Task task = () -> job;

        assertThat(writing(task))
                .isEqualTo("FBR-201 Cannot serialize argument 17 of map: " + HERE
                        + "$Db is not Serializable; found at captured argument 0 (type " + HERE
                        + "$Job) of a lambda in " + HERE
                        + ".theWayToAFieldDeepInsideIsNamed > field " + HERE
                        + "$Job.db > a value of java.util.ImmutableCollections$Map1"
                        + " > element 1 of java.util.ArrayList > field " + HERE
                        + "$Job.db > element 1 of java.lang.Object[]."
                        + OWN_CLASS);
    }

    @Test
    void aFieldOfTheValueItselfIsNamed() {
        assertThat(writing(new Job("j", db)))
                .isEqualTo("FBR-201 Cannot serialize argument 17 of map: " + HERE
                        + "$Db is not Serializable; found at field " + HERE + "$Job.db." + OWN_CLASS);
    }

    @Test
    void theObjectAroundAnInnerClassIsExplained() {
        @SuppressWarnings("serial")
        Task task = new Task() {
            @Override
            public Object run() {
                return db;
            }
        };

        assertThat(writing(task))
                .isEqualTo(
                        "FBR-201 Cannot serialize argument 17 of map: " + HERE + " is not Serializable; found at field "
                                + HERE + "$1.this$0. An inner class refers to its enclosing object: make it static, a"
                                + " record or a lambda.");
    }

    @Test
    void aPlainFunctionIsExplained() {
        Function<Integer, Integer> plain = x -> x + 1;

        assertThat(writing(plain))
                .isEqualTo(
                        "FBR-201 Cannot serialize argument 17 of map: a java.util.function.Function (lambda in " + HERE
                                + ") is not Serializable. "
                                + "Use io.fiber.function.RemoteFunction, or cast it to (Function & Serializable).");
    }

    @Test
    void aPlainFunctionInsideTheJdkIsExplained() {
        Comparator<String> comparator = Comparator.comparing(String::length);
        TreeMap<String, Integer> map = new TreeMap<>(comparator);

        assertThat(writing(map))
                .isEqualTo("FBR-201 Cannot serialize argument 17 of map: a lambda in " + HERE
                        + " is not Serializable; it is somewhere in java.util.TreeMap. "
                        + "Use io.fiber.function.RemoteFunction, or cast it to (Function & Serializable).");
    }

    @Test
    void whatTheJdkDoesNotSerializeComesWithAWayOut() {
        Map<String, Integer> map = new HashMap<>(Map.of("a", 1));
        String start = "FBR-201 Cannot serialize argument 17 of map: ";

        assertThat(writing(Optional.of(1)))
                .isEqualTo(start + "java.util.Optional is not Serializable. Send its value, or null.");
        assertThat(writing(java.util.OptionalInt.of(1)))
                .isEqualTo(start + "java.util.OptionalInt is not Serializable. Send its value, or null.");
        assertThat(writing(new ArrayList<>(List.of(1, 2)).subList(0, 1)))
                .isEqualTo(start + "java.util.ArrayList$SubList is not Serializable. Copy it: new ArrayList<>(list).");
        assertThat(writing(map.keySet()))
                .isEqualTo(start + "java.util.HashMap$KeySet is not Serializable. Copy it: new HashSet<>(set).");
        assertThat(writing(map.values()))
                .isEqualTo(
                        start + "java.util.HashMap$Values is not Serializable. Copy it: new ArrayList<>(collection).");
        assertThat(writing(Map.entry("a", 1)))
                .isEqualTo(start + "java.util.KeyValueHolder is not Serializable. "
                        + "Copy it: new AbstractMap.SimpleImmutableEntry<>(entry), or use a record.");
        assertThat(writing(Stream.of(1)))
                .isEqualTo(start
                        + "java.util.stream.ReferencePipeline$Head is not Serializable. Collect it into a list first.");
        assertThat(writing(Path.of("x")))
                .isEqualTo(start + "sun.nio.fs.UnixPath is not Serializable. Send path.toString().");
        assertThat(writing(Thread.currentThread()))
                .isEqualTo(start + Thread.currentThread().getClass().getName()
                        + " is not Serializable. Create it inside the task.");
        assertThat(writing(new CompletableFuture<>()))
                .isEqualTo(start
                        + "java.util.concurrent.CompletableFuture is not Serializable. Create it inside the task.");
        assertThat(writing(new AtomicReference<>(new AbstractMap.SimpleEntry<>("k", Optional.empty()))))
                .isEqualTo(start + "java.util.Optional is not Serializable; found at the content of"
                        + " java.util.concurrent.atomic.AtomicReference > the value of"
                        + " java.util.AbstractMap$SimpleEntry. Send its value, or null.");
    }

    @Test
    void whatCannotBeMadeSerializableIsNotAdvisedTo() {
        String start = "FBR-201 Cannot serialize argument 17 of map: ";
        String logger = " is not Serializable. A logger belongs to its process: keep it in a static field, which each"
                + " process initializes for itself.";

        assertThat(writing(new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB)))
                .isEqualTo(start + "java.awt.image.BufferedImage is not Serializable. "
                        + "Send its bytes or the path of its file, and read it inside the task: "
                        + "ImageIO.write(image, \"png\", out) writes it to a ByteArrayOutputStream, "
                        + "ImageIO.read(in) reads it.");
        assertThat(writing(Logger.getLogger("acme"))).isEqualTo(start + "java.util.logging.Logger" + logger);
        assertThat(writing(System.getLogger("acme"))).startsWith(start + "sun.").endsWith(logger);
        assertThat(writing(new Object()))
                .isEqualTo(
                        start + "java.lang.Object is not Serializable. A plain Object has no data to send. If it is a"
                                + " lock, make its field static or transient; between processes, use a lock of a"
                                + " manager (fiber.manager().lock()).");
        assertThat(writing(new ByteArrayInputStream(new byte[1])))
                .isEqualTo(start
                        + "java.io.ByteArrayInputStream is not Serializable. It is open only in this process. Send"
                        + " the file's path or its bytes, and open it inside the task.");
        assertThat(writing(new CountDownLatch(1)))
                .isEqualTo(start + "java.util.concurrent.CountDownLatch is not Serializable. It works only between"
                        + " threads of one process. Use a lock, event or barrier of a manager"
                        + " (fiber.manager()), which works between processes.");
        assertThat(writing(ByteBuffer.allocate(1)))
                .isEqualTo(start + "java.nio.HeapByteBuffer is not Serializable. "
                        + "Send its bytes: buffer.get(array) fills a byte[].");
        assertThat(writing(DateTimeFormatter.ISO_DATE))
                .isEqualTo(
                        start + "java.time.format.DateTimeFormatter is not Serializable. It is a class of the JDK, so"
                                + " you cannot make it Serializable. Send the data that the task needs (numbers,"
                                + " strings, arrays, a record), and create the object inside the task.");
        assertThat(writing(new Job("j", new Object())))
                .contains("; found at field " + HERE + "$Job.db. A plain Object has no data to send.")
                .doesNotContain("implement");
        assertThat(writing(new TreeMap<>(Map.of("k", new ArrayList<>(List.of(new Object()))))))
                .contains("A plain Object has no data to send.");
    }

    @Test
    void aClassOfALibraryMayBeOutOfReach() {
        assertThat(writing(new Job("j", new SoftAssertions())))
                .matches("FBR-201 Cannot serialize argument 17 of map: org.assertj.core.api.SoftAssertions is not"
                        + " Serializable; found at field"
                        + " io.fiber.runtime.serialization.SerializationErrorsTest.Job.db. Its class is in"
                        + " assertj-core-[0-9.]+jar. If you can change that library, let the class implement"
                        + " java.io.Serializable. Otherwise send the data that the object is made from and create the"
                        + " object inside the task, or make the field transient.");
    }

    @Test
    void anExceptionOfTheProgramsOwnCodeIsNamed() {
        assertThat(writing(new Object[] {new Hostile()}))
                .isEqualTo(
                        "FBR-201 Cannot serialize argument 17 of map: java.lang.IllegalStateException: closed was thrown by "
                                + HERE + "$Hostile.writeObject.");
    }

    static final class Hostile implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) {
            throw new IllegalStateException("closed");
        }
    }

    static final class Chain implements Serializable {
        private static final long serialVersionUID = 1L;

        @Nullable
        final Chain next;

        Chain(@Nullable Chain next) {
            this.next = next;
        }

        static Chain of(int length) {
            Chain chain = new Chain(null);
            for (int i = 1; i < length; i++) {
                chain = new Chain(chain);
            }
            return chain;
        }
    }

    @Test
    void aChainThatIsTooDeepForTheWriterIsExplained() {
        assertThat(writing(Chain.of(5_000_000)))
                .matches(
                        "FBR-201 Cannot serialize argument 17 of map: its objects are nested too deeply for a stack of "
                                + "[0-9]+ MiB. Send a list of the parts instead of a chain of objects.");
    }

    @Test
    void aChainThatIsTooDeepForTheReaderIsExplained() {
        assertThat(reading(Serializing.written(Chain.of(6_000))))
                .matches("FBR-204 Cannot read argument 17 of map on the worker: objects are nested deeper than [0-9]+"
                        + " levels, the most that is safe on a stack of [0-9]+ MiB; send a list of the parts instead"
                        + " of a chain of objects.");
    }

    static class Base {
        Base(int needed) {}
    }

    static class Hidden {
        private Hidden() {}
    }

    static class Fine {
        Fine() {}
    }

    static final class BelowBase extends Base implements Serializable {
        private static final long serialVersionUID = 1L;

        BelowBase() {
            super(1);
        }
    }

    static final class BelowHidden extends Hidden implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    static final class BelowFine extends Fine implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    static final class Replaced extends Base implements Serializable {
        private static final long serialVersionUID = 1L;

        Replaced() {
            super(1);
        }

        private Object writeReplace() {
            return "replaced";
        }
    }

    static final class Outside implements java.io.Externalizable {
        private static final long serialVersionUID = 1L;

        Outside() {}

        @Override
        public void writeExternal(java.io.ObjectOutput out) {}

        @Override
        public void readExternal(java.io.ObjectInput in) {}
    }

    @Test
    void anObjectThatCouldNotBeReadBackIsRefusedWhenItIsWritten() {
        assertThat(writing(new Job("j", List.of(new BelowBase()))))
                .isEqualTo("FBR-201 Cannot serialize argument 17 of map: an object of " + HERE
                        + "$BelowBase could not be read back; found at field " + HERE
                        + "$Job.db > element 0 of java.util.ImmutableCollections$List12. Its superclass " + HERE
                        + "$Base is not Serializable and has no constructor without parameters that BelowBase may call: "
                        + "give it one, let it implement java.io.Serializable, or send a record.");
        assertThat(writing(new BelowHidden()))
                .contains("Its superclass " + HERE + "$Hidden is not Serializable and has no");
        assertThat(writing(new Outside()))
                .isEqualTo("FBR-201 Cannot serialize argument 17 of map: an object of " + HERE
                        + "$Outside could not be read back. It is Externalizable and has no public constructor without "
                        + "parameters: give it one.");
        assertThat(Serializing.travelled(new BelowFine())).isInstanceOf(BelowFine.class);
        assertThat(Serializing.<Object>travelled(new Replaced())).isEqualTo("replaced");
        assertThat(Serializing.<Object>travelled(BelowBase.class)).isEqualTo(BelowBase.class);
        assertThat(Serializing.travelled(new ArrayList<>(List.of(new Job("j", BelowBase.class)))))
                .hasSize(1);
    }

    @Test
    void moreThanTheLimitNamesValueAndLimit() {
        PayloadOutput small = new PayloadOutput(1 << 20);

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> Serializing.on(Side.MASTER)
                        .write(
                                new ArrayList<>(List.of(new byte[600_000], new byte[600_000])),
                                small,
                                Serializing.ARGUMENT,
                                17))
                .withMessage("FBR-205 Cannot send argument 17 of map: it is larger than the limit of 1048576 bytes (1"
                        + " MiB). Send it in parts, or write it to a file that both sides can read and send the path.")
                .matches(e -> e.code().equals("FBR-205"));
        assertThat(small.length()).isZero();
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> Serializing.on(Side.MASTER).write(new long[200_000], small))
                .withMessageStartingWith("FBR-205 Cannot send a value of a message: ");
    }

    @Test
    void moreThanTwoGigabytesNameTheLimitOfAPayload() {
        PayloadOutput out = new PayloadOutput();
        assertThat(catchThrowableOfType(
                                io.fiber.runtime.protocol.PayloadLimitException.class,
                                () -> out.require((2L << 30) + 1))
                        .limitBytes())
                .isEqualTo(2147483648L);
        SerializationException thrown = WriteFailure.of(
                "the result of map",
                "x",
                catchThrowableOfType(
                        io.fiber.runtime.protocol.PayloadLimitException.class, () -> out.require((2L << 30) + 1)));

        assertThat(thrown)
                .hasMessage("FBR-205 Cannot send the result of map: it is larger than the limit of 2147483648 bytes"
                        + " (2 GiB). Send it in parts, or write it to a file that both sides can read and send the"
                        + " path.");
    }

    /** A list that makes its elements when they are written, and has no end. */
    static final class Endless implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) throws IOException {
            for (long i = 0; i >= 0; i++) {
                out.writeObject(List.of(i, i));
            }
        }
    }

    @Test
    @Tag("slow")
    void whatHasNoEndIsStoppedByTheHeap() {
        assertThat(writing(new Endless()))
                .matches("FBR-205 Cannot send argument 17 of map: after [0-9]+ KiB of it the heap of this process is"
                        + " almost full \\(limit: [0-9]+ MiB\\). If it has no end \\(a lazy list, a generator\\), send"
                        + " a part of it, or the code that produces it. Otherwise raise -Xmx, send it in parts, or"
                        + " write it to a file that both sides can read and send the path.");
    }

    static final class Refusing implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) throws IOException {
            throw new InvalidObjectException("a negative age");
        }
    }

    @Test
    void aClassThatRefusesItsBytesIsQuoted() {
        assertThat(reading(Serializing.written(new Refusing())))
                .isEqualTo("FBR-206 Cannot read argument 17 of map on the worker: java.io.InvalidObjectException: a"
                        + " negative age. The bytes are damaged, or a class rejected them while it was deserialized.");
    }

    @Test
    void errorsWithoutAnIndexAndOnTheMasterSaySo() throws Exception {
        PayloadOutput out = new PayloadOutput();
        ValueName function = new ValueName("the function", "map");
        ValueCodec codec = Serializing.on(Side.MASTER);

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> codec.write(Optional.empty(), out, function))
                .withMessageStartingWith("FBR-201 Cannot serialize the function of map: java.util.Optional ");
        codec.write(new java.net.URL("http://localhost/"), out, function);
        Payload payload = out.toPayload();
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> codec.read(payload.open(), function))
                .withMessage("FBR-204 Cannot read the function of map on the master: java.net.URL is not allowed:"
                        + " from the JDK, Fiber reads only values and collections; send it as java.net.URI.");
    }

    private static String writing(Object value) {
        SerializationException thrown =
                catchThrowableOfType(SerializationException.class, () -> Serializing.written(value));
        return String.valueOf(thrown.getMessage());
    }

    private static String reading(Payload payload) {
        SerializationException thrown =
                catchThrowableOfType(SerializationException.class, () -> Serializing.read(payload));
        return String.valueOf(thrown.getMessage());
    }
}
