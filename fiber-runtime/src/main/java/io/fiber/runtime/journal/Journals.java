// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import io.fiber.CallOptions;
import io.fiber.ChangedCode;
import io.fiber.FiberException;
import io.fiber.runtime.platform.Sha256;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.serialization.ValueCodec;
import io.fiber.runtime.serialization.ValueName;
import io.fiber.runtime.serialization.functions.FunctionName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The journals of a session. Each is opened by the first call that names it, and stays open as long as the session.
 * Thread-safe.
 */
public final class Journals implements AutoCloseable {

    private static final ValueName FUNCTION = new ValueName("the function", "a call");
    private static final int PART_BYTES = 1 << 16;

    private final Map<Path, Journal> open = new ConcurrentHashMap<>();
    private final ValueCodec values;
    private final String serializer;
    private final Runnable onOpen;
    private volatile boolean closed;

    /**
     * Creates an empty set.
     *
     * @param values writes functions, with the serializer of this name
     * @param onOpen runs when one was opened
     */
    public Journals(ValueCodec values, String serializer, Runnable onOpen) {
        this.values = values;
        this.serializer = serializer;
        this.onOpen = onOpen;
    }

    /**
     * Returns a function in the journal that the options of its call name; empty if they name none.
     *
     * @throws io.fiber.FiberException FBR-580 to 583, FBR-585
     */
    public Optional<JournaledFunction> find(Object function, CallOptions options) {
        if (options.journal().isEmpty()) {
            return Optional.empty();
        }
        FunctionKey key =
                new FunctionKey(identity(function), FunctionName.of(function).toString(), values.codeOf(function));
        return Optional.of(open(options.journal().get())
                .function(key, options.changedCode().orElse(ChangedCode.REJECT)));
    }

    /** Values that another serializer or version of Fiber wrote may mean something else. */
    private String identity(Object function) {
        MessageDigest sha256 = Sha256.newDigest();
        sha256.update((serializer + " " + Protocol.VERSION + " ").getBytes(StandardCharsets.UTF_8));
        PayloadInput in = values.identityOf(function, FUNCTION);
        while (in.remaining() > 0) {
            int count = (int) Math.min(in.remaining(), PART_BYTES);
            byte[] bytes = in.take(count);
            sha256.update(bytes, in.taken(), count);
        }
        return HexFormat.of().formatHex(sha256.digest());
    }

    Journal open(Path file) {
        Journal journal = open.computeIfAbsent(real(file), path -> {
            Journal opened = Journal.open(path);
            onOpen.run();
            return opened;
        });
        if (closed) {
            journal.close();
            throw new FiberException("FBR-302", "This session is closed. Open another one with Fiber.open().");
        }
        return journal;
    }

    /** Waits until the disk has all results, but not for ever. */
    public void sync() {
        open.values().forEach(Journal::syncNow);
    }

    @Override
    public void close() {
        closed = true;
        open.values().forEach(Journal::close);
    }

    /** Two names of one file are one journal. */
    private static Path real(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        Path directory = absolute.getParent();
        try {
            if (absolute.toFile().exists() || directory == null) {
                return absolute.toRealPath();
            }
            return directory.toRealPath().resolve(absolute.getFileName());
        } catch (IOException e) {
            return absolute;
        }
    }
}
