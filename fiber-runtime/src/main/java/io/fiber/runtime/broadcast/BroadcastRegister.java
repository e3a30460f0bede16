// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.broadcast;

import io.fiber.Broadcast;
import io.fiber.FiberException;
import io.fiber.runtime.process.LookupHandler;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.RefusedLookupException;
import io.fiber.runtime.serialization.ValueCodec;
import io.fiber.spi.CallerHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values that one session has broadcast, each in a file of the session's directory. It answers workers that ask for
 * a value: with the file on this host, and with parts of its bytes on others. A worker's own worker may ask for a value
 * of the first process; then this process fetches it as well. Blocks for file operations. Thread-safe.
 */
public final class BroadcastRegister implements LookupHandler, ValueSource {

    /** Asks where a value is, and names those that the worker has; the answer names those of them that were closed. */
    static final int WHERE = 0;
    /** Asks for a part of it. */
    static final int PART = 1;
    /** The value is in the named file. */
    static final int FILE = 0;
    /** The value must be requested in parts. */
    static final int PARTS = 1;

    /** If several hosts ask at the same time, a part for each waits in the heap to be sent. */
    static final int GREATEST_PART_BYTES = 1 << 19;

    private final Path directory;
    private final ValueCodec codec;
    private final Optional<BroadcastCache> parent;
    private final Map<ValueId, Held> values = new HashMap<>();

    /** A file, how many handles refer to its content, and the value as long as the program holds it. */
    private record Held(Path file, int handles, WeakReference<Object> value) {}

    /**
     * Creates a register. The session that created the directory removes it. {@code parent} has what this process has
     * received.
     */
    public BroadcastRegister(Path directory, ValueCodec codec, Optional<BroadcastCache> parent) {
        this.directory = directory;
        this.codec = codec;
        this.parent = parent;
    }

    /**
     * Writes a value to a file.
     *
     * @throws FiberException FBR-510 if it is too long, FBR-511 if the file cannot be written
     * @throws io.fiber.SerializationException FBR-201 if it cannot be serialized
     */
    public <T> Broadcast<T> add(T value) {
        Form form = Form.of(value);
        try (ValueFile.Writer writer = ValueFile.create(directory)) {
            form.write(value, codec, writer::write);
            ValueId id = new ValueId(writer.hash(), form, writer.sizeBytes());
            synchronized (this) {
                Held held = values.get(id);
                Path file = held == null ? writer.keepAs(directory.resolve(id.fileName())) : held.file();
                values.put(id, new Held(file, held == null ? 1 : held.handles() + 1, new WeakReference<>(value)));
            }
            return new BroadcastHandle<>(id, this, value);
        } catch (UncheckedIOException | IOException e) {
            throw new FiberException(
                    "FBR-511",
                    "The broadcast value cannot be written into '" + directory + "': " + e.getMessage()
                            + ". Free some space there, or set java.io.tmpdir to a directory with more space.",
                    e);
        }
    }

    /** Closes a handle of the value; the file is removed with the last one. */
    synchronized void remove(ValueId id) {
        Held held = values.remove(id);
        if (held != null && held.handles() > 1) {
            values.put(id, new Held(held.file(), held.handles() - 1, held.value()));
        } else if (held != null) {
            try {
                Files.deleteIfExists(held.file());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** {@inheritDoc} A value that was created here is the original object, unless the program no longer holds it. */
    @Override
    public Object get(ValueId id) {
        Held held;
        synchronized (this) {
            held = values.get(id);
        }
        if (held == null) {
            return parent.orElseThrow(() -> new FiberException("FBR-512", closed(id)))
                    .get(id);
        }
        Object known = held.value().get();
        if (known != null) {
            return known;
        }
        try {
            return id.form().read(ValueFile.map(held.file(), id.sizeBytes()), codec);
        } catch (IOException e) {
            throw BroadcastCache.failure(e);
        }
    }

    private static String closed(ValueId id) {
        return "The broadcast value of " + id.sizeBytes() + " bytes was closed, or belongs to another session.";
    }

    private Path file(ValueId id) throws IOException {
        synchronized (this) {
            Held held = values.get(id);
            if (held != null) {
                return held.file();
            }
        }
        if (parent.isEmpty()) {
            throw new RefusedLookupException("FBR-512", closed(id));
        }
        return parent.get().file(id);
    }

    @Override
    public Payload answer(PayloadInput question, CallerHost.Reach reach) throws IOException {
        int operation = question.readByte();
        ValueId id = readId(question);
        Path file = file(id);
        PayloadOutput out = new PayloadOutput();
        if (operation == WHERE) {
            out.write(reach == CallerHost.Reach.SAME_HOST ? FILE : PARTS);
            out.writeText(reach == CallerHost.Reach.SAME_HOST ? file.toString() : "");
            writeIds(readIds(question).stream().filter(held -> !isOpen(held)).toList(), out);
            return out.toPayload();
        }
        long offset = question.readLong();
        if (operation != PART || offset < 0 || offset >= id.sizeBytes()) {
            throw new IOException("There is no part " + offset + " of a value of " + id.sizeBytes() + " bytes.");
        }
        int length = (int) Math.min(GREATEST_PART_BYTES, id.sizeBytes() - offset);
        out.write(ValueFile.read(file, offset, length), 0, length);
        return out.toPayload();
    }

    private synchronized boolean isOpen(ValueId id) {
        return values.containsKey(id) || parent.filter(cache -> cache.holds(id)).isPresent();
    }

    static void writeIds(List<ValueId> ids, PayloadOutput out) {
        out.writeVarLong(ids.size());
        ids.forEach(id -> writeId(id, out));
    }

    static List<ValueId> readIds(PayloadInput in) throws IOException {
        List<ValueId> ids = new ArrayList<>();
        for (long left = in.readVarLong(); left > 0; left--) {
            ids.add(readId(in));
        }
        return ids;
    }

    static void writeId(ValueId id, PayloadOutput out) {
        out.writeText(id.hash());
        out.writeText(id.form().name());
        out.writeLong(id.sizeBytes());
    }

    private static ValueId readId(PayloadInput in) throws IOException {
        return new ValueId(in.readText(), Form.valueOf(in.readText()), in.readLong());
    }
}
