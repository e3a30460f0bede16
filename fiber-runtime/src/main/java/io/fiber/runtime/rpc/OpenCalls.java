// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** The calls of this process that have not ended. Belongs to the conductor. */
final class OpenCalls {

    /**
     * A call under way.
     *
     * @param listener is told how it ended
     */
    record OpenCall(long number, ObjectAddress to, ReplyListener listener) {}

    private final Long2ObjectHashMap<OpenCall> byNumber = new Long2ObjectHashMap<>();

    void add(OpenCall call) {
        byNumber.put(call.number(), call);
    }

    @Nullable
    OpenCall get(long number) {
        return byNumber.get(number);
    }

    boolean isEmpty() {
        return byNumber.isEmpty();
    }

    /** Ends a call, unless it has ended. */
    void end(long number, Reply reply) {
        OpenCall call = byNumber.remove(number);
        if (call != null) {
            call.listener().onReply(reply);
        }
    }

    /** Ends the calls that fit; each for a reason of its own. */
    void lose(Predicate<OpenCall> which, java.util.function.Function<OpenCall, Reply.Reason> why) {
        List<OpenCall> lost = new ArrayList<>();
        for (OpenCall call : byNumber.values()) {
            if (which.test(call)) {
                lost.add(call);
            }
        }
        for (OpenCall call : lost) {
            end(call.number(), new Reply.Lost(why.apply(call)));
        }
    }
}
