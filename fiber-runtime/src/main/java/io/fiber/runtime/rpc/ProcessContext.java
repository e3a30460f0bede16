// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.FiberException;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.ValueName;
import io.fiber.spi.serializer.ObjectSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The process to which a handle is bound when its {@code readResolve} runs there. While Fiber reads or
 * writes objects in a thread, {@link #current} returns the context of the process. Its serialized form is empty: where
 * it is read, it is the context of that process. Thread-safe.
 */
public final class ProcessContext implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final ThreadLocal<@Nullable ProcessContext> CURRENT = new ThreadLocal<>();

    private final transient CompletionHooks afterwards = new CompletionHooks();
    private final transient UnderWay underWay = new UnderWay();
    private final transient Map<Class<?>, Object> parts = new ConcurrentHashMap<>();
    private final transient RpcRouter router;
    private final transient Codecs codecs;

    /** Creates the context of a process; its codecs use serializers that the operator has wrapped. */
    public ProcessContext(RpcRouter router, Function<UnaryOperator<ObjectSerializer>, Codecs> codecs) {
        this.router = router;
        this.codecs = codecs.apply(this::around);
    }

    /**
     * Returns the process in which the calling thread reads or writes an object.
     *
     * @throws FiberException FBR-424 if it is not Fiber that reads or writes
     */
    public static ProcessContext current() {
        ProcessContext process = CURRENT.get();
        if (process == null) {
            throw new FiberException(
                    "FBR-424",
                    "A Fiber handle was serialized or deserialized by something other than Fiber. Send it as an"
                            + " argument, a result, a captured value or a queue item, not through files or sockets.");
        }
        return process;
    }

    /** Returns the actions for when threads of this process are done with something. */
    public CompletionHooks afterwards() {
        return afterwards;
    }

    /** Returns what the program has started without waiting for it in a thread. */
    public UnderWay underWay() {
        return underWay;
    }

    public RpcRouter router() {
        return router;
    }

    /** Adds a part to the process, which handles find by its class. */
    public <P> void add(Class<P> type, P part) {
        parts.put(type, part);
    }

    /**
     * Returns a part of the process.
     *
     * @throws IllegalStateException FBR-446 if it has none of this class, because its program is connected from outside
     */
    public <P> P part(Class<P> type) {
        Object part = parts.get(type);
        if (part == null) {
            throw new IllegalStateException("FBR-446 This process has no " + type.getSimpleName()
                    + ": a program that is connected to a manager of another program can use managed objects and"
                    + " queues of that program, but not its pipes or broadcast values.");
        }
        return type.cast(part);
    }

    /** Returns a part of the process, which is created when it is first asked for. */
    public <P> P part(Class<P> type, Supplier<P> create) {
        return type.cast(parts.computeIfAbsent(type, missing -> create.get()));
    }

    /** Returns the codecs of this process; objects that they read are bound to it. */
    public Codecs codecs() {
        return codecs;
    }

    /**
     * Writes a value and seals it, for a process that this one reaches by its router.
     *
     * @throws io.fiber.SerializationException as {@link io.fiber.runtime.serialization.ValueCodec#write} throws it
     */
    public SealedPayload seal(@Nullable Object value, ValueName name) {
        PayloadOutput out = new PayloadOutput();
        codecs.values().write(value, out, name);
        return seals().close(out.toPayload());
    }

    /** Returns the seals for what the router sends. */
    public Seals seals() {
        return router.seals();
    }

    /** Returns a serializer whose objects are bound to this process. */
    public ObjectSerializer around(ObjectSerializer serializer) {
        return new ObjectSerializer() {
            @Override
            public void write(@Nullable Object value, OutputStream out) throws IOException {
                ProcessContext before = CURRENT.get();
                CURRENT.set(ProcessContext.this);
                try {
                    serializer.write(value, out);
                } finally {
                    CURRENT.set(before);
                }
            }

            @Override
            public @Nullable Object read(InputStream in) throws IOException, ClassNotFoundException {
                ProcessContext before = CURRENT.get();
                CURRENT.set(ProcessContext.this);
                try {
                    return serializer.read(in);
                } finally {
                    CURRENT.set(before);
                }
            }
        };
    }

    private Object writeReplace() {
        return new Here();
    }

    private record Here() implements Serializable {
        private Object readResolve() {
            return current();
        }
    }
}
