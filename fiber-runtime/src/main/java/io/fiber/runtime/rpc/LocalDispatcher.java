// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.RpcKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The objects of this process that others call, and the calls that they have not answered. Not thread-safe; belongs to
 * the conductor.
 */
final class LocalDispatcher {

    private final Consumer<RpcMessage> answers;
    private final Long2ObjectHashMap<Hosted> objects = new Long2ObjectHashMap<>();
    private final Map<CallName, IncomingCall> open = new HashMap<>();

    LocalDispatcher(Consumer<RpcMessage> answers) {
        this.answers = answers;
    }

    void add(long number, Hosted hosted) {
        objects.put(number, hosted);
    }

    /** Withdraws an object; its open calls end. */
    void remove(long number) {
        if (objects.remove(number) != null) {
            endAll(call -> call.message.object() == number, call -> call.end(RpcKind.WITHDRAWN));
        }
    }

    void onCall(RpcMessage message) {
        Hosted hosted = objects.get(message.object());
        IncomingCall call = new IncomingCall(message);
        if (hosted == null) {
            call.end(RpcKind.WITHDRAWN);
            return;
        }
        open.put(call.name(), call);
        if (!guarded(() -> hosted.onCall(call)) && !call.over) {
            call.end(RpcKind.FAULT);
        }
    }

    void onTell(RpcMessage message) {
        Hosted hosted = objects.get(message.object());
        if (hosted != null) {
            guarded(() -> hosted.onTell(message.from(), message.request()));
        }
    }

    void onAbandon(RpcMessage message) {
        IncomingCall call = open.get(new CallName(message.from(), message.call()));
        if (call != null) {
            call.giveUp();
            call.end(RpcKind.ABANDONED);
        }
    }

    /** Records that a process and all processes below it have ended. */
    void onGone(ProcessPath who) {
        endAll(call -> call.caller().isUnder(who), call -> {
            call.over = true;
            call.giveUp();
        });
        for (Hosted hosted : List.copyOf(objects.values())) {
            guarded(() -> hosted.onCallerGone(who));
        }
    }

    void close() {
        objects.clear();
        open.clear();
    }

    /** Ends several calls; the end of one may be the answer to another. */
    private void endAll(Predicate<IncomingCall> which, Consumer<IncomingCall> end) {
        for (IncomingCall call : List.copyOf(open.values())) {
            if (which.test(call) && open.remove(call.name()) != null) {
                end.accept(call);
            }
        }
    }

    /** Contains a fault of one object, so that others are not affected. */
    private static boolean guarded(Runnable action) {
        return Faults.conducted(
                        LocalDispatcher.class,
                        "A call from another process has failed because of an internal error.",
                        action)
                .isEmpty();
    }

    private record CallName(ProcessPath caller, long number) {}

    private final class IncomingCall implements ServiceCall {
        private final RpcMessage message;
        private final List<Runnable> whenAbandoned = new ArrayList<>(1);
        private boolean over;
        private boolean answered;
        private boolean abandoned;

        IncomingCall(RpcMessage message) {
            this.message = message;
        }

        CallName name() {
            return new CallName(message.from(), message.call());
        }

        @Override
        public ProcessPath caller() {
            return message.from();
        }

        @Override
        public Request request() {
            return message.request();
        }

        @Override
        public void answer(long argument, SealedPayload result) {
            reply(message.reply(RpcKind.ANSWER, argument, result));
        }

        @Override
        public void fail(SealedPayload encodedFailure) {
            reply(message.reply(RpcKind.FAILURE, 0, encodedFailure));
        }

        private void reply(RpcMessage answer) {
            if (answered) {
                throw new IllegalStateException("Call " + message.call() + " of " + message.from() + " to object "
                        + message.object() + " has already been answered.");
            }
            answered = true;
            end(answer);
        }

        void end(RpcKind how) {
            end(message.reply(how, 0, SealedPayload.none()));
        }

        private void end(RpcMessage answer) {
            if (!over) {
                over = true;
                open.remove(name());
                answers.accept(answer);
            }
        }

        void giveUp() {
            abandoned = true;
            whenAbandoned.forEach(LocalDispatcher::guarded);
        }

        @Override
        public void onAbandoned(Runnable then) {
            if (abandoned) {
                then.run();
            } else {
                whenAbandoned.add(then);
            }
        }
    }
}
