// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.broadcast;

import io.fiber.FiberException;
import io.fiber.runtime.process.LookupClient;
import io.fiber.runtime.process.LookupServer;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.RefusedLookupException;
import io.fiber.runtime.serialization.ValueCodec;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The broadcast values that a worker has received. The first read of a value blocks until it is here. The answer to the
 * question where a value is also says which other values were closed, and the cache releases those. Thread-safe.
 */
public final class BroadcastCache implements ValueSource {

    private final LookupClient lookups;
    private final ValueCodec codec;
    private final SharedCopy copies;
    private final Map<ValueId, Item> items = new ConcurrentHashMap<>();

    /** One value; the object's lock guards fetching it. */
    private static final class Item {
        private @Nullable Path file;
        /** What was read: an object, or bytes of which each caller has a view of its own. */
        private SoftReference<Object> value = new SoftReference<>(null);
    }

    /** Creates an empty cache. On a host other than the first process's, workers share what is in {@code copies}. */
    public BroadcastCache(LookupClient lookups, ValueCodec codec, SharedCopy copies) {
        this.lookups = lookups;
        this.codec = codec;
        this.copies = copies;
    }

    @Override
    public Object get(ValueId id) {
        Item item = items.computeIfAbsent(id, key -> new Item());
        synchronized (item) {
            try {
                try {
                    return read(id, item);
                } catch (NoSuchFileException e) {
                    // The worker that created the copy has ended and removed it meanwhile.
                    return read(id, item);
                }
            } catch (IOException e) {
                throw failure(e);
            }
        }
    }

    private Object read(ValueId id, Item item) throws IOException {
        Object known = item.value.get();
        if (known == null) {
            ByteBuffer bytes = ValueFile.map(file(id, item), id.sizeBytes());
            known = id.form().isView() ? bytes : id.form().read(bytes, codec);
            item.value = new SoftReference<>(known);
        }
        return known instanceof ByteBuffer bytes ? id.form().read(bytes, codec) : known;
    }

    static FiberException failure(IOException e) {
        return e instanceof RefusedLookupException refused
                ? new FiberException(refused.code(), refused.reason(), refused)
                : new FiberException("FBR-512", "The broadcast value cannot be fetched: " + e.getMessage(), e);
    }

    Path file(ValueId id) throws IOException {
        Item item = items.computeIfAbsent(id, key -> new Item());
        synchronized (item) {
            return file(id, item);
        }
    }

    private Path file(ValueId id, Item item) throws IOException {
        Path known = item.file;
        if (known == null || !Files.exists(known)) {
            PayloadOutput question = question(BroadcastRegister.WHERE, id);
            BroadcastRegister.writeIds(List.copyOf(items.keySet()), question);
            PayloadInput where = ask(question);
            boolean isFile = where.readByte() == BroadcastRegister.FILE;
            String name = where.readText();
            for (ValueId closed : BroadcastRegister.readIds(where)) {
                items.remove(closed);
                copies.remove(closed);
            }
            known = isFile ? Path.of(name) : copies.of(id, offset -> part(id, offset));
            item.file = known;
        }
        return known;
    }

    /** Returns whether this worker uses a value, and does not know that it was closed. */
    boolean holds(ValueId id) {
        return items.containsKey(id);
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
