// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.broadcast;

import io.fiber.FiberException;
import io.fiber.runtime.process.LookupClient;
import io.fiber.runtime.process.LookupServer;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.ValueCodec;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The values that a worker was sent. Thread-safe; the first look at a value blocks until it is here. */
public final class BroadcastCache implements ValueSource {

    private final LookupClient lookups;
    private final ValueCodec codec;
    private final SharedCopy copies;
    private final Map<ValueId, Item> items = new ConcurrentHashMap<>();

    /** One value; the lock of the object guards its fetching. */
    private static final class Item {
        private @Nullable Path file;
        private @Nullable ByteBuffer mapped;
        private SoftReference<Object> value = new SoftReference<>(null);
    }

    /**
     * Creates an empty cache.
     *
     * @param lookups asks the process that started this one
     * @param codec reads objects
     * @param copies where the workers of a host that is not the first process's share their copies
     */
    public BroadcastCache(LookupClient lookups, ValueCodec codec, SharedCopy copies) {
        this.lookups = lookups;
        this.codec = codec;
        this.copies = copies;
    }

    @Override
    public Object get(ValueId id) {
        Item item = items.computeIfAbsent(id, key -> new Item());
        synchronized (item) {
            Object known = item.value.get();
            if (known != null && !id.form().isView()) {
                return known;
            }
            try {
                try {
                    return read(id, item);
                } catch (NoSuchFileException e) {
                    // The worker that had made the copy has ended and removed it.
                    item.file = null;
                    return read(id, item);
                }
            } catch (IOException e) {
                throw failure(e);
            }
        }
    }

    private Object read(ValueId id, Item item) throws IOException {
        ByteBuffer bytes = item.mapped;
        if (bytes == null) {
            bytes = ValueFile.map(file(id, item), id.sizeBytes());
            item.mapped = id.form().isView() ? bytes : null;
        }
        Object value = id.form().read(bytes, codec);
        item.value = new SoftReference<>(value);
        return value;
    }

    static FiberException failure(IOException e) {
        String why = String.valueOf(e.getMessage());
        return why.startsWith("FBR-512 ")
                ? new FiberException(why, e)
                : new FiberException("FBR-512", "The broadcast value cannot be fetched: " + why, e);
    }

    /** Returns the file of a value on this host. */
    Path file(ValueId id) throws IOException {
        Item item = items.computeIfAbsent(id, key -> new Item());
        synchronized (item) {
            return file(id, item);
        }
    }

    private Path file(ValueId id, Item item) throws IOException {
        Path known = item.file;
        if (known == null) {
            PayloadInput where = ask(question(BroadcastRegister.WHERE, id));
            boolean isFile = where.readByte() == BroadcastRegister.FILE;
            String name = where.readText();
            known = isFile ? Path.of(name) : copies.of(id, offset -> part(id, offset));
            item.file = known;
        }
        return known;
    }

    private ByteBuffer part(ValueId id, long offset) throws IOException {
        PayloadOutput question = question(BroadcastRegister.PART, id);
        question.writeLong(offset);
        PayloadInput answer = ask(question);
        return ByteBuffer.wrap(answer.readExactly((int) answer.remaining()));
    }

    private PayloadInput ask(PayloadOutput question) throws IOException {
        return lookups.ask(LookupServer.BROADCAST, question.toPayload());
    }

    private static PayloadOutput question(int operation, ValueId id) {
        PayloadOutput out = new PayloadOutput();
        out.write(operation);
        BroadcastRegister.writeId(id, out);
        return out;
    }
}
