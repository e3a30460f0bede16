// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.SerializationException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.spi.serializer.ObjectSerializer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
    void anExceptionThatCannotBeSerializedComesBackAsText() {
        HoldsAnything thrown = new HoldsAnything(Thread.currentThread());

        RemoteFailure failure = travelled(thrown);

        assertThat(failure.original()).isEmpty();
        assertThat(failure.type()).isEqualTo(HoldsAnything.class.getName());
        assertThat(failure.message()).contains("holds");
        assertThat(failure.stackTrace()).isEqualTo(printed(thrown)).startsWith("HoldsAnything of Thread");
    }

    @Test
    void anExceptionThatIsTooDeepOrTooLargeComesBackAsText() {
        assertThat(travelled(new HoldsAnything(SerializationErrorsTest.Chain.of(200_000)))
                        .original())
                .isEmpty();
        assertThat(travelled(new HoldsAnything(SerializationErrorsTest.Chain.of(500)))
                        .original())
                .isEmpty();
        assertThat(travelled(new HoldsAnything(new byte[17 << 20])).original()).isEmpty();
        assertThat(travelled(new HoldsAnything(new byte[15 << 20])).original()).isPresent();
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
    void anExceptionOfAMissingOrForbiddenClassComesBackAsText() {
        PayloadOutput out = new PayloadOutput();
        codec.write(new HoldsAnything("x"), out);
        codec.write(new javax.naming.NamingException("nobody"), out);
        PayloadInput in = out.toPayload().open();
        FailureCodec blind = new FailureCodec(
                Serializing.serializer(ClassLoader.getPlatformClassLoader(), TypeFilter.standard()), Side.MASTER);

        RemoteFailure missing = blind.read(in);
        RemoteFailure forbidden = blind.read(in);

        assertThat(missing.type()).isEqualTo(HoldsAnything.class.getName());
        assertThat(missing.original()).isEmpty();
        assertThat(forbidden.message()).contains("nobody");
        assertThat(forbidden.original()).isEmpty();
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
