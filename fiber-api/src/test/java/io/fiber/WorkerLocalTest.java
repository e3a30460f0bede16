// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it fills the memory")
class WorkerLocalTest {

    private static final AtomicInteger CALLS = new AtomicInteger();

    @Test
    void valueIsMadeOnceInAProcessWhateverTheNumberOfCopies() throws Exception {
        WorkerLocal<Object> local = WorkerLocal.of(Object::new);
        WorkerLocal<Object> other = WorkerLocal.of(Object::new);

        Object value = local.get();

        assertThat(local.get()).isSameAs(value);
        assertThat(copy(local).get()).isSameAs(value);
        assertThat(other.get()).isNotSameAs(value);
    }

    @Test
    void supplierThatThrowsIsTriedAgain() {
        WorkerLocal<String> local = WorkerLocal.of(() -> {
            if (CALLS.getAndIncrement() == 0) {
                throw new IOException("no such model");
            }
            return "model";
        });

        assertThatThrownBy(local::get)
                .isInstanceOf(FiberException.class)
                .hasMessage("FBR-486 The supplier of a WorkerLocal threw java.io.IOException: no such model")
                .hasCauseInstanceOf(IOException.class);
        assertThat(local.get()).isEqualTo("model");
    }

    @Test
    void valuesToWhichNoHandleRefersAreFreedBeforeTheMemoryIsFull() {
        fillMemory();
    }

    @Test
    void valueOfALivingHandleIsKept() {
        WorkerLocal<Object> local = WorkerLocal.of(Object::new);
        int value = System.identityHashCode(local.get());

        fillMemory();

        assertThat(System.identityHashCode(local.get())).isEqualTo(value);
    }

    private static final class Connection implements AutoCloseable {
        private static final AtomicInteger MADE = new AtomicInteger();
        private static final AtomicInteger CLOSED = new AtomicInteger();

        Connection() {
            MADE.incrementAndGet();
        }

        @Override
        public void close() {
            CLOSED.incrementAndGet();
        }
    }

    @Test
    void valueThatMustBeClosedIsKeptUntilTheProcessEnds() throws Exception {
        byte[] sent = written(WorkerLocal.of(Connection::new));
        assertThat(this.<Connection>read(sent).get()).isNotNull();

        fillMemory();

        assertThat(this.<Connection>read(sent).get()).isNotNull();
        assertThat(Connection.MADE).hasValue(1);
        assertThat(Connection.CLOSED).hasValue(0);
    }

    /** Uses more than all of it, each time for a WorkerLocal of its own. */
    private static void fillMemory() {
        int eighth = (int) Math.min(1 << 30, Runtime.getRuntime().maxMemory() / 8);
        for (int call = 0; call < 10; call++) {
            assertThat(WorkerLocal.of(() -> new byte[eighth]).get()).hasSize(eighth);
        }
    }

    private <T> WorkerLocal<T> copy(WorkerLocal<T> local) throws IOException, ClassNotFoundException {
        return read(written(local));
    }

    private static byte[] written(WorkerLocal<?> local) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(local);
        }
        return bytes.toByteArray();
    }

    @SuppressWarnings("unchecked") // what was written
    private <T> WorkerLocal<T> read(byte[] written) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(written))) {
            return (WorkerLocal<T>) in.readObject();
        }
    }
}
