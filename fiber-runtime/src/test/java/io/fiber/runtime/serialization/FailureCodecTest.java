// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.SerializationException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.spi.serializer.ObjectSerializer;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import javax.management.BadAttributeValueExpException;
import javax.naming.CompositeName;
import javax.naming.NamingException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.xml.sax.SAXParseException;

class FailureCodecTest {

    private static final int LIMIT = 64 << 10;

    private final FailureCodec codec = new FailureCodec(Serializing.serializer(), Side.MASTER);

    @SuppressWarnings("OverrideThrowableToString")
    static final class HoldsAnything extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial")
        private final Object held;

        HoldsAnything(Object held) {
            super("holds");
            this.held = held;
        }

        @Override
        public String toString() {
            return "HoldsAnything of " + held.getClass().getSimpleName();
        }
    }

    @SuppressWarnings("OverrideThrowableToString")
    static final class Hostile extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("getMessage");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("toString");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("getCause");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new IllegalStateException("getStackTrace");
        }
    }

    static final class Circle extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private @Nullable Throwable next;

        Circle(String message) {
            super(message);
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            return next;
        }
    }

    static final class Endless extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable getCause() {
            return new Endless();
        }
    }

    @Test
    void anExceptionComesBackAsTextAndAsItself() {
        IOException thrown = new IOException("disk", new IllegalStateException("full"));
        thrown.addSuppressed(new ArithmeticException("zero"));

        RemoteFailure failure = travelled(thrown);

        assertThat(failure.type()).isEqualTo("java.io.IOException");
        assertThat(failure.message()).contains("disk");
        assertThat(failure.stackTrace()).isEqualTo(printed(thrown));
        assertThat(failure.original()).get().satisfies(original -> {
            assertThat(original).isExactlyInstanceOf(IOException.class).hasMessage("disk");
            assertThat(original.getStackTrace()).isEqualTo(thrown.getStackTrace());
            assertThat(original.getCause()).hasMessage("full");
            assertThat(original.getSuppressed()).hasSize(1);
        });
    }

    @Test
    void anExceptionWithoutAMessageHasNone() {
        assertThat(travelled(new Error()).message()).isEmpty();
    }

    @Test
    void anExceptionThatCannotBeShownWithoutAFieldIsReplacedByOneOfItsSuperclass() {
        HoldsAnything thrown = new HoldsAnything(Thread.currentThread());
        thrown.addSuppressed(new ArithmeticException("zero"));

        RemoteFailure failure = travelled(thrown);

        assertThat(failure.type()).isEqualTo(HoldsAnything.class.getName());
        assertThat(failure.message()).contains("holds");
        assertThat(failure.stackTrace()).isEqualTo(printed(thrown)).startsWith("HoldsAnything of Thread");
        assertThat(failure.original()).get().satisfies(original -> {
            assertThat(original)
                    .isExactlyInstanceOf(RuntimeException.class)
                    .hasMessage(HoldsAnything.class.getName() + ": holds");
            assertThat(original.getStackTrace()).isEqualTo(thrown.getStackTrace());
            assertThat(original.getSuppressed()).singleElement().isInstanceOf(ArithmeticException.class);
        });
    }

    @Test
    void aFieldThatIsTooDeepOrTooLargeIsLeftOut() {
        for (Object held : List.of(SerializationErrorsTest.Chain.of(5_000_000), new byte[17 << 20])) {
            assertThat(travelled(new Holding("m", held)).original())
                    .get()
                    .satisfies(original -> assertThat(((Holding) original).held).isNull());
        }
        assertThat(travelled(new HoldsAnything(new byte[15 << 20])).original())
                .get()
                .isInstanceOf(HoldsAnything.class);
    }

    /** Unlike {@link HoldsAnything} it can do without. */
    static final class Holding extends Exception {
        private static final long serialVersionUID = 1L;

        private final int number = 7;

        @SuppressWarnings("serial")
        private final Object held;

        @SuppressWarnings("serial")
        private final Object beside = List.of("beside");

        Object held() {
            return held;
        }

        Holding(String message, Object held) {
            super(message);
            this.held = held;
        }
    }

    @SuppressWarnings("UnusedVariable")
    private static final class Unreadable implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) throws IOException {
            throw new InvalidObjectException("never");
        }
    }

    private static final class Unwritable implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) {
            throw new IllegalStateException("never");
        }
    }

    static List<Object> parts() throws Exception {
        return List.of(
                Optional.of(1),
                Path.of("x"),
                Thread.currentThread(),
                new Object(),
                new URL("http://localhost/"),
                new Unreadable(),
                new Unwritable(),
                List.of(new Unreadable()),
                new ArrayList<>(List.of(new Unwritable(), 1)));
    }

    @ParameterizedTest
    @MethodSource("parts")
    void aFieldThatCannotBeWrittenOrReadIsLeftOut(Object held) {
        Holding thrown = new Holding("m", held);
        thrown.initCause(new SSLHandshakeException("no trust"));

        assertThat(travelled(thrown).original()).get().satisfies(original -> {
            assertThat(original).isInstanceOf(Holding.class).hasMessage("m");
            Holding holding = (Holding) original;
            assertThat(holding.held).isNull();
            assertThat(holding.beside).isEqualTo(List.of("beside"));
            assertThat(holding.number).isEqualTo(7);
            assertThat(holding.getStackTrace()).isEqualTo(thrown.getStackTrace());
            assertThat(holding.getCause()).isInstanceOf(SSLHandshakeException.class);
        });
    }

    @Test
    void partsThatCanBeReadStay() {
        assertThat(travelled(new Holding("m", Level.FINE)).original())
                .get()
                .satisfies(original -> assertThat(((Holding) original).held).isSameAs(Level.FINE));
        assertThat(travelled(new Holding("m", List.of(Optional.of(1), "x"))).original())
                .get()
                .satisfies(original -> assertThat(((Holding) original).beside).isEqualTo(List.of("beside")));
    }

    @Test
    void exceptionsOfTheJdkKeepTheirChain() {
        Throwable validator = new CertPathBuilderException("no path");
        SSLHandshakeException handshake = new SSLHandshakeException("no trust");
        handshake.initCause(validator);
        UncheckedIOException thrown = new UncheckedIOException(new IOException("download", handshake));
        NamingException naming = new NamingException("nobody");
        naming.setRemainingName(new CompositeName());
        thrown.addSuppressed(naming);
        thrown.addSuppressed(new Holding("own", new SAXParseException("bad", "p", "s", 3, 4)));

        assertThat(travelled(thrown).original()).get().satisfies(original -> {
            assertThat(original).isInstanceOf(UncheckedIOException.class);
            assertThat(cause(original, 3)).hasSameClassAs(validator).hasMessage("no path");
            assertThat(cause(original, 2))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessage("no trust");
            assertThat(original.getSuppressed()[0])
                    .isInstanceOf(NamingException.class)
                    .hasMessageContaining("nobody");
            assertThat(((SAXParseException) ((Holding) original.getSuppressed()[1]).held).getLineNumber())
                    .isEqualTo(3);
        });
    }

    /** Returns the cause that is so many levels inside. */
    private static Throwable cause(Throwable thrown, int levels) {
        Throwable at = thrown;
        for (int i = 0; i < levels; i++) {
            at = requireNonNull(at.getCause());
        }
        return at;
    }

    @Test
    void aCauseThatCannotBeReadIsReplacedAndItsOwnCauseIsKept() throws Exception {
        BadAttributeValueExpException refused = new BadAttributeValueExpException("x");
        refused.initCause(new ArithmeticException("zero"));
        UnreadableCause cause = new UnreadableCause("cause", refused);
        UncheckedIOException thrown = new UncheckedIOException(cause);

        assertThat(travelled(thrown).original()).get().satisfies(original -> {
            assertThat(original).isInstanceOf(UncheckedIOException.class);
            assertThat(original.getCause())
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessage(UnreadableCause.class.getName() + ": cause");
            assertThat(cause(original, 1).getStackTrace()).isEqualTo(cause.getStackTrace());
            assertThat(cause(original, 2))
                    .isExactlyInstanceOf(Exception.class)
                    .hasMessageStartingWith("javax.management.BadAttributeValueExpException");
            assertThat(cause(original, 3))
                    .isExactlyInstanceOf(ArithmeticException.class)
                    .hasMessage("zero");
        });
    }

    private static final class UnreadableCause extends IOException {
        private static final long serialVersionUID = 1L;

        UnreadableCause(String message, Throwable cause) {
            super(message, cause);
        }

        private void readObject(ObjectInputStream in) throws IOException {
            throw new InvalidObjectException("never");
        }
    }

    @Test
    void thousandsOfCausesAndSuppressedOnesTravel() {
        Throwable thrown = new IllegalStateException("root");
        for (int i = 0; i < 3000; i++) {
            thrown = new IllegalStateException("cause " + i, thrown);
            thrown.setStackTrace(new StackTraceElement[] {new StackTraceElement("A", "b", "A.java", i)});
        }
        Throwable outermost = thrown;
        for (int i = 0; i < 500; i++) {
            outermost.addSuppressed(new ArithmeticException("suppressed " + i));
        }

        assertThat(travelled(outermost).original()).get().satisfies(original -> {
            int causes = 0;
            Throwable at = original;
            for (; at.getCause() != null; at = at.getCause()) {
                causes++;
            }
            assertThat(causes).isEqualTo(3000);
            assertThat(at).hasMessage("root");
            assertThat(original.getSuppressed()).hasSize(500);
            assertThat(original.getStackTrace()).isEqualTo(outermost.getStackTrace());
        });
    }

    @Test
    void whatIsTooMuchInAllIsCutAndTheRestTravels() {
        Exception thrown = new Exception("thrown", new IOException("cause"));
        String text = "x".repeat(60_000);
        for (int i = 0; i < 9_000; i++) {
            ArithmeticException suppressed = new ArithmeticException(text);
            suppressed.setStackTrace(new StackTraceElement[0]);
            thrown.addSuppressed(suppressed);
        }
        PayloadOutput out = new PayloadOutput();
        codec.write(thrown, out);
        Payload written = out.toPayload();

        assertThat(written.length()).isBetween(10L << 20, 18L << 20);
        assertThat(codec.read(written.open()).original()).get().satisfies(original -> {
            assertThat(original).isExactlyInstanceOf(Exception.class).hasMessage("thrown");
            assertThat(original.getCause())
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessage("cause");
            assertThat(original.getSuppressed()[0].getMessage()).isEqualTo(text);
            assertThat(original.getSuppressed()[8_000])
                    .isExactlyInstanceOf(ArithmeticException.class)
                    .hasMessage(null);
        });
    }

    @Test
    void oneExceptionThatIsMetTwiceIsReadOnce() {
        Exception shared = new Exception("shared");
        Exception thrown = new Exception("thrown", shared);
        thrown.addSuppressed(new Holding("m", shared));

        assertThat(travelled(thrown).original())
                .get()
                .satisfies(original ->
                        assertThat(((Holding) original.getSuppressed()[0]).held).isSameAs(original.getCause()));
    }

    @Test
    void aCircleOfWhichAPartCannotBeWrittenEnds() {
        Circle one = new Circle("one");
        Holding two = new Holding("two", Optional.of(one));
        one.next = two;
        two.initCause(one);

        assertThat(travelled(one).original())
                .get()
                .satisfies(original -> assertThat(original.getCause())
                        .isInstanceOf(Holding.class)
                        .hasMessage("two"));
    }

    @Test
    void anExceptionWhoseMethodsThrowComesBack() {
        RemoteFailure failure = travelled(new Hostile());

        assertThat(failure.type()).isEqualTo(Hostile.class.getName());
        assertThat(failure.message()).isEmpty();
        assertThat(failure.stackTrace()).isEqualTo(Hostile.class.getName() + "\n");
    }

    @Test
    void causesInACircleEnd() {
        Circle one = new Circle("one");
        Circle two = new Circle("two");
        one.next = two;
        two.next = one;

        RemoteFailure failure = travelled(one);

        assertThat(failure.stackTrace()).isEqualTo(printed(one)).contains("CIRCULAR REFERENCE");
        assertThat(failure.original())
                .get()
                .satisfies(original -> assertThat(original)
                        .extracting(Throwable::getCause)
                        .extracting(Throwable::getCause)
                        .isSameAs(original));
    }

    @Test
    void causesWithoutEndAreCut() {
        RemoteFailure failure = travelled(new Endless());

        assertThat(failure.stackTrace().length()).isLessThanOrEqualTo(LIMIT).isGreaterThan(LIMIT / 2);
    }

    @Test
    void longTextsAreCutAndTheRootCauseStaysVisible() {
        Throwable root = new IllegalStateException("the root of it");
        RuntimeException thrown = new RuntimeException("x".repeat(100_000), root);

        RemoteFailure failure = travelled(thrown);

        assertThat(failure.message().orElseThrow()).hasSize(LIMIT).endsWith("xxx... (cut, 100000 characters)");
        assertThat(failure.stackTrace().length()).isLessThanOrEqualTo(LIMIT);
        assertThat(failure.stackTrace())
                .endsWith("xxx\n... (cut)\nCaused by: java.lang.IllegalStateException: the root of it\n");
        assertThat(failure.original())
                .get()
                .satisfies(original -> assertThat(original).hasMessage("x".repeat(100_000)));
    }

    @Test
    void aStackOverflowComesBack() {
        StackOverflowError thrown =
                org.assertj.core.api.Assertions.catchThrowableOfType(StackOverflowError.class, () -> forever(1));

        assertThat(travelled(thrown).original()).get().isInstanceOf(StackOverflowError.class);
    }

    @Test
    void anExceptionOfAMissingOrForbiddenClassIsReplacedByOneOfItsSuperclass() {
        PayloadOutput out = new PayloadOutput();
        codec.write(new HoldsAnything("x"), out);
        codec.write(new BadAttributeValueExpException("nobody"), out);
        PayloadInput in = out.toPayload().open();
        FailureCodec blind = new FailureCodec(
                Serializing.serializer(ClassLoader.getPlatformClassLoader(), TypeFilter.standard()), Side.MASTER);

        RemoteFailure missing = blind.read(in);
        RemoteFailure forbidden = blind.read(in);

        assertThat(missing.type()).isEqualTo(HoldsAnything.class.getName());
        assertThat(missing.original())
                .get()
                .satisfies(original -> assertThat(original)
                        .isExactlyInstanceOf(RuntimeException.class)
                        .hasMessage(HoldsAnything.class.getName() + ": holds"));
        assertThat(forbidden.type()).isEqualTo("javax.management.BadAttributeValueExpException");
        assertThat(forbidden.original())
                .get()
                .satisfies(original -> assertThat(original)
                        .isExactlyInstanceOf(Exception.class)
                        .hasMessage("javax.management.BadAttributeValueExpException"));
        assertThat(in.remaining()).isZero();
    }

    @Test
    void whatIsNoExceptionOrDamagedIsNoOriginal() {
        ObjectSerializer liar = new ObjectSerializer() {
            @Override
            public void write(@Nullable Object value, java.io.OutputStream out) throws IOException {
                out.write(1);
            }

            @Override
            public Object read(java.io.InputStream in) {
                return List.of("no exception");
            }
        };
        PayloadOutput out = new PayloadOutput();
        new FailureCodec(liar, Side.WORKER).write(new Error("e"), out);
        Payload payload = out.toPayload();

        assertThat(new FailureCodec(liar, Side.MASTER).read(payload.open()).original())
                .isEmpty();
        assertThat(codec.read(payload.open()).original()).isEmpty();
    }

    @Test
    void bytesThatEndTooEarlyAreDamaged() {
        PayloadOutput out = new PayloadOutput();
        codec.write(new Error("e"), out);
        byte[] bytes = out.toPayload().toArray();

        for (int length = 0; length < bytes.length; length += 7) {
            Payload part = Payload.of(java.util.Arrays.copyOf(bytes, length));
            assertThatExceptionOfType(SerializationException.class)
                    .isThrownBy(() -> codec.read(part.open()))
                    .withMessageStartingWith(
                            "FBR-206 Cannot read the failure of a task on the master: java.io.EOFException")
                    .matches(e -> e.code().equals("FBR-206"));
        }
    }

    private RemoteFailure travelled(Throwable thrown) {
        PayloadOutput out = new PayloadOutput();
        new FailureCodec(Serializing.serializer(), Side.WORKER).write(thrown, out);
        PayloadInput in = out.toPayload().open();
        RemoteFailure failure = codec.read(in);
        assertThat(in.remaining()).isZero();
        return failure;
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int forever(int depth) {
        return forever(depth + 1) + 1;
    }

    private static String printed(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }
}
