// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.SubstitutingSerializer.Substitution;
import io.fiber.spi.serializer.ObjectSerializer;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes an exception with its causes, what it suppresses and what its fields hold: each exception apart from the others, so
 * that one that cannot be written or read does not take others with it. Of such an exception a field is left out, or only its
 * text and the names of its classes remain. Used once, by one thread.
 */
final class ThrowableWriter {

    /** Further ones are left out. */
    static final int MOST_THROWABLES = 10_000;

    private final SubstitutingSerializer serializer;
    private final UnaryOperator<ObjectSerializer> binding;
    private final long limitBytes;

    private final List<Throwable> throwables = new ArrayList<>();
    private final Map<Throwable, Integer> indices = new IdentityHashMap<>();
    private long bytes;

    /** Creates a writer of {@code limitBytes}; what is beyond them is text. */
    ThrowableWriter(SubstitutingSerializer serializer, UnaryOperator<ObjectSerializer> binding, long limitBytes) {
        this.serializer = serializer;
        this.binding = binding;
        this.limitBytes = limitBytes;
    }

    /** Writes an exception, in the form that {@link ThrowableReader} reads. */
    void write(Throwable thrown, PayloadOutput out) {
        PayloadOutput pieces = new PayloadOutput();
        List<List<Integer>> links = new ArrayList<>();
        index(thrown);
        for (int i = 0; i < throwables.size(); i++) {
            links.add(new Piece(throwables.get(i)).write(pieces));
        }
        put(ThrowableGraph.of(links).isCyclic() ? whole(thrown) : Payload.empty(), out);
        out.writeVarLong(links.size());
        out.append(pieces.toPayload());
    }

    /** A circle of exceptions stays one only if they are written together. */
    private Payload whole(Throwable thrown) {
        PayloadOutput out = new PayloadOutput(limitBytes);
        try {
            binding.apply(serializer).write(thrown, out);
            return out.toPayload();
        } catch (Throwable notSerializable) {
            return Payload.empty();
        }
    }

    /** Returns the index of an exception; nothing if there are too many. */
    private Optional<Integer> index(Throwable thrown) {
        Integer known = indices.get(thrown);
        if (known == null && throwables.size() < MOST_THROWABLES) {
            known = throwables.size();
            indices.put(thrown, known);
            throwables.add(thrown);
        }
        return Optional.ofNullable(known);
    }

    private static void put(Payload part, PayloadOutput out) {
        out.writeVarLong(part.length());
        out.append(part);
    }

    private static void put(List<Integer> numbers, PayloadOutput out) {
        out.writeVarLong(numbers.size());
        numbers.forEach(out::writeVarLong);
    }

    private final class Piece {

        private final Throwable thrown;
        private final StackTraceElement[] frames;

        Piece(Throwable thrown) {
            this.thrown = thrown;
            this.frames = Causes.frames(thrown);
        }

        /** Writes the exception without others, and returns the indices of those that it refers to. */
        List<Integer> write(PayloadOutput out) {
            List<String> classes = classes(thrown.getClass());
            out.writeVarLong(classes.size());
            classes.forEach(out::writeText);
            out.writeOptionalText(Optional.ofNullable(Causes.message(thrown))
                    .map(text -> ThrowableText.cut(text, FailureCodec.TEXT_LIMIT_CHARS)));
            put(framesPart(), out);
            Body body = body();
            List<Integer> cause = links(Causes.causes(thrown), body);
            List<Integer> suppressed = links(List.of(thrown.getSuppressed()), body);
            put(cause, out);
            put(suppressed, out);
            Set<Integer> links = new LinkedHashSet<>(body == null ? List.of() : body.links);
            links.addAll(cause);
            links.addAll(suppressed);
            put(List.copyOf(links), out);
            out.write(body != null && body.isReduced ? 1 : 0);
            put(body == null ? Payload.empty() : body.written, out);
            return List.copyOf(links);
        }

        /** What is no part of the exception's written form is not asked for: an exception may make a new cause each time. */
        private List<Integer> links(List<Throwable> others, @Nullable Body body) {
            List<Integer> links = new ArrayList<>();
            for (Throwable other : others) {
                boolean isKnown = body == null || body.links.contains(indices.get(other));
                Optional<Integer> index = isKnown ? index(other) : Optional.empty();
                index.ifPresent(links::add);
            }
            return links;
        }

        private Payload framesPart() {
            PayloadOutput out = new PayloadOutput(limitBytes - bytes);
            try {
                serializer.write(frames, out);
            } catch (Throwable noRoom) {
                return Payload.empty();
            }
            bytes += out.length();
            return out.toPayload();
        }

        /** Returns the written form; null if there is none that could be read. */
        private @Nullable Body body() {
            for (boolean isCareful : new boolean[] {false, true}) {
                Body body = new Body(this, isCareful);
                try {
                    body.write(thrown);
                    bytes += body.written.length();
                    return body;
                } catch (Throwable notSerializable) {
                    if (DeepStack.helps(notSerializable)) {
                        return onDeepStack();
                    }
                    // The next one, or the text, has less in it.
                }
            }
            return null;
        }

        private @Nullable Body onDeepStack() {
            try {
                return DeepStack.<@Nullable Body>call(this::body);
            } catch (Exception blocked) {
                return null;
            }
        }
    }

    /** The names of a class and its superclasses. */
    private static List<String> classes(Class<?> type) {
        List<String> names = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            names.add(at.getName());
        }
        return names;
    }

    /** The written form of one exception, on trial: it is read here before it is sent if the program's code takes part. */
    private final class Body implements Substitution {

        private final Piece piece;
        /** Whether each object is tried apart from the others, and left out if that fails. */
        private final boolean isCareful;

        private final Set<Integer> links = new LinkedHashSet<>();
        private Payload written = Payload.empty();
        private final Set<Object> tried = Collections.newSetFromMap(new IdentityHashMap<>());
        private boolean isBegun;
        private boolean isOfProgram;
        private boolean isReduced;

        Body(Piece piece, boolean isCareful) {
            this.piece = piece;
            this.isCareful = isCareful;
            this.isOfProgram = !Types.isOfJdk(piece.thrown.getClass());
        }

        void write(Throwable thrown) throws IOException, ClassNotFoundException {
            PayloadOutput out = new PayloadOutput(limitBytes - bytes);
            binding.apply(serializer.with(this)).write(thrown, out);
            written = out.toPayload();
            if (isOfProgram && !(read(written) instanceof Throwable)) {
                throw new IOException("It is no exception when it is read.");
            }
        }

        @Override
        public @Nullable Object of(Object met) {
            if (!isBegun) {
                isBegun = true;
                return met;
            }
            Object written = parted(met);
            if (written == met && isCareful && !tried.contains(met)) {
                return isSound(met) ? met : nothing();
            }
            return written;
        }

        private @Nullable Object parted(Object met) {
            if (met instanceof Throwable other) {
                Optional<Integer> index = index(other);
                index.ifPresent(links::add);
                return index.isPresent() ? new Placeholder(index.get()) : nothing();
            }
            if (met instanceof StackTraceElement[] trace && Arrays.equals(trace, piece.frames)) {
                return new Placeholder(Placeholder.FRAMES);
            }
            Class<?> type = Types.element(met instanceof Class<?> named ? named : met.getClass());
            boolean isSerializable =
                    met instanceof Serializable || met.getClass().isArray();
            if (!isSerializable || !serializer.isReadable(type)) {
                return nothing();
            }
            isOfProgram |= !Types.isOfJdk(type);
            return met;
        }

        private @Nullable Object nothing() {
            isReduced = true;
            return null;
        }

        /** Writes and reads an object with all that it refers to. */
        private boolean isSound(Object met) {
            List<Object> seen = new ArrayList<>();
            PayloadOutput trial = new PayloadOutput(limitBytes - bytes);
            Substitution noting = inside -> {
                seen.add(inside);
                return parted(inside);
            };
            try {
                binding.apply(serializer.with(noting)).write(met, trial);
                read(trial.toPayload());
            } catch (Throwable unsound) {
                return false;
            }
            tried.addAll(seen);
            return true;
        }

        private @Nullable Object read(Payload written) throws IOException, ClassNotFoundException {
            return binding.apply(serializer.with(this::original)).read(written.open());
        }

        private Object original(Object read) {
            if (read instanceof Placeholder stand) {
                return stand.index() == Placeholder.FRAMES ? piece.frames : throwables.get(stand.index());
            }
            return read;
        }
    }
}
