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

    /** Of which only a few fit into memory. */
    private static final class Large implements AutoCloseable {
        private static final AtomicInteger CLOSED = new AtomicInteger();
        private final byte[] content =
                new byte[(int) Math.min(1 << 30, Runtime.getRuntime().maxMemory() / 8)];

        @Override
        public void close() {
            CLOSED.incrementAndGet();
        }
    }

    @Test
    void valuesToWhichNoHandleRefersAreFreedBeforeTheMemoryIsFull() {
        for (int call = 0; call < 20; call++) {
            WorkerLocal<Object> plain = WorkerLocal.of(() -> new Large().content);
            assertThat(plain.get()).isNotNull();
            WorkerLocal<Large> closeable = WorkerLocal.of(Large::new);
            assertThat(closeable.get().content).isNotEmpty();
        }

        assertThat(Large.CLOSED).hasPositiveValue();
    }

    @Test
    void valueOfALivingHandleIsKept() {
        WorkerLocal<Object> local = WorkerLocal.of(Object::new);
        int value = System.identityHashCode(local.get());
        for (int call = 0; call < 10; call++) {
            assertThat(WorkerLocal.of(() -> new Large().content).get()).isNotNull();
        }

        assertThat(System.identityHashCode(local.get())).isEqualTo(value);
    }

    private static <T> WorkerLocal<T> copy(WorkerLocal<T> local) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(local);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            @SuppressWarnings("unchecked")
            WorkerLocal<T> read = (WorkerLocal<T>) in.readObject();
            return read;
        }
    }
}
