// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.functions.ClassStamp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a journal contains: its functions, their calls, and where the results are. Results stay in the file. A record of
 * results takes some 40 bytes here until its call takes it, that of a task that was submitted alone some 120. Not
 * thread-safe.
 */
final class JournalIndex implements JournalFile.Visitor {

    static final byte FUNCTION = 2;
    static final byte CALL = 3;
    static final byte RESULTS = 4;

    /** The call of results that were submitted one by one. They are found by their item alone. */
    static final int SINGLES = 0;

    private static final int UNKNOWN_TOTAL = -1;

    private final TreeMap<Integer, Function> functions = new TreeMap<>();
    private final Map<String, Function> byIdentity = new HashMap<>();

    /** A function, with the code that it had last. */
    static final class Function {
        final int id;
        final String identity;
        final String name;
        volatile List<ClassStamp> code;
        final TreeMap<Integer, Call> calls = new TreeMap<>();
        /** Where the results are of tasks that were submitted alone; most items occur once. */
        private final Map<ItemDigest, long[]> singles = new HashMap<>();
        /** How many calls of this run have used it. */
        int begun;
        /** Whether the file has it, with its present code. Belongs to the thread that writes. */
        boolean isEntered;

        private Function(int id, FunctionKey key) {
            this.id = id;
            this.identity = key.identity();
            this.name = key.name();
            this.code = key.code();
        }

        Call call(int number) {
            return calls.computeIfAbsent(number, unused -> new Call());
        }

        private void addSingle(ItemDigest item, long offset) {
            singles.merge(item, new long[] {offset}, (known, added) -> {
                long[] both = Arrays.copyOf(known, known.length + 1);
                both[known.length] = added[0];
                return both;
            });
        }

        /** Returns where the result of an item is, once for each record. */
        OptionalLong takeSingle(ItemDigest item) {
            long[] offsets = singles.remove(item);
            if (offsets == null) {
                return OptionalLong.empty();
            }
            if (offsets.length > 1) {
                singles.put(item, Arrays.copyOfRange(offsets, 1, offsets.length));
            }
            return OptionalLong.of(offsets[0]);
        }
    }

    /** A call, or all single submissions of a function. */
    static final class Call {
        OptionalLong total = OptionalLong.empty();
        Instant begun = Instant.EPOCH;
        long results;
        private List<Place> places = new ArrayList<>();

        /** Returns where the results are, once: the memory is free when the call has ended. */
        List<Place> takePlaces() {
            List<Place> taken = places;
            places = List.of();
            return taken;
        }
    }

    /** The record of consecutive results at {@code offset} of the file. */
    record Place(long first, long offset) {}

    /** What a record of results tells about them; the bytes of the results follow in the file. */
    record Results(int function, int call, long first, int count) {
        static final int BYTES = 2 * Integer.BYTES + Long.BYTES + Integer.BYTES;
        /** The digest of an item and the length of its result. */
        static final int BYTES_OF_EACH = ItemDigest.BYTES + Integer.BYTES;

        static Results read(ByteBuffer body) {
            return new Results(body.getInt(), body.getInt(), body.getLong(), body.getInt());
        }

        ByteBuffer start() {
            return ByteBuffer.allocate(BYTES + count * BYTES_OF_EACH)
                    .putInt(function)
                    .putInt(call)
                    .putLong(first)
                    .putInt(count);
        }
    }

    Collection<Function> functions() {
        return functions.values();
    }

    /** Returns the function with a name and captured values; null if the journal has no results of it. */
    @Nullable
    Function find(FunctionKey key) {
        return byIdentity.get(key.identity());
    }

    @Override
    public boolean onRecord(byte type, byte[] body, long offset) {
        return switch (type) {
            case FUNCTION -> isFunction(Payload.of(body).open());
            case CALL -> isCall(ByteBuffer.wrap(body));
            case RESULTS -> areResults(ByteBuffer.wrap(body), offset);
            default -> true;
        };
    }

    private boolean isFunction(PayloadInput in) {
        try {
            int id = in.readInt();
            FunctionKey key = new FunctionKey(in.readText(), in.readText(), readCode(in));
            Function named = byIdentity.get(key.identity());
            if (named != functions.get(id)) {
                return false;
            }
            add(id, key).isEntered = true;
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Adds a function of this run, or the new code of one. */
    Function add(FunctionKey key) {
        // Functions of which an earlier run has recorded nothing are not in the file, so their numbers are free.
        return add(functions.isEmpty() ? 0 : functions.lastKey() + 1, key);
    }

    private Function add(int id, FunctionKey key) {
        Function function = byIdentity.computeIfAbsent(key.identity(), identity -> new Function(id, key));
        functions.putIfAbsent(function.id, function);
        function.code = key.code();
        function.isEntered = false;
        return function;
    }

    static ByteBuffer bodyOf(Function function) {
        PayloadOutput out = new PayloadOutput();
        out.writeInt(function.id);
        out.writeText(function.identity);
        out.writeText(function.name);
        out.writeInt(function.code.size());
        for (ClassStamp stamp : function.code) {
            out.writeText(stamp.name());
            out.writeInt(stamp.crc());
        }
        return ByteBuffer.wrap(out.toPayload().toArray());
    }

    private static List<ClassStamp> readCode(PayloadInput in) throws IOException {
        int count = in.readInt();
        List<ClassStamp> code = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            code.add(new ClassStamp(in.readText(), in.readInt()));
        }
        return code;
    }

    private boolean isCall(ByteBuffer body) {
        Function function = functions.get(body.getInt());
        if (function == null) {
            return false;
        }
        Call call = function.call(body.getInt());
        long total = body.getLong();
        call.total = total == UNKNOWN_TOTAL ? OptionalLong.empty() : OptionalLong.of(total);
        call.begun = Instant.ofEpochMilli(body.getLong());
        return true;
    }

    static ByteBuffer bodyOfCall(int function, int number, OptionalLong total) {
        return ByteBuffer.allocate(2 * Integer.BYTES + 2 * Long.BYTES)
                .putInt(function)
                .putInt(number)
                .putLong(total.orElse(UNKNOWN_TOTAL))
                .putLong(System.currentTimeMillis())
                .flip();
    }

    private boolean areResults(ByteBuffer body, long offset) {
        Results results = Results.read(body);
        Function function = functions.get(results.function());
        if (function == null) {
            return false;
        }
        Call call = function.call(results.call());
        call.results += results.count();
        if (results.call() == SINGLES) {
            function.addSingle(ItemDigest.read(body), offset);
        } else {
            call.places.add(new Place(results.first(), offset));
        }
        return true;
    }
}
