// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;
import java.io.Serializable;

/** The smallest handle: a number in one process, to which others add. */
final class RemoteCounter implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final int ADD = 1;
    private static final int NEVER_ANSWERED = 2;

    private final ObjectAddress address;
    private final transient ProcessContext process;

    private RemoteCounter(ObjectAddress address, ProcessContext process) {
        this.address = address;
        this.process = process;
    }

    /** What somebody captures who has no handle yet: where it is read, it can make a counter. */
    static final class Seed implements Serializable {
        private static final long serialVersionUID = 1L;

        private final transient ProcessContext process;

        private Seed(ProcessContext process) {
            this.process = process;
        }

        /** Returns what becomes a seed where it is read. */
        static Object written() {
            return new Written();
        }

        RemoteCounter plant() {
            return new RemoteCounter(process.router().host(new Sum()), process);
        }

        private Object writeReplace() {
            return new Written();
        }

        private record Written() implements Serializable {
            private Object readResolve() {
                return new Seed(ProcessContext.current());
            }
        }
    }

    private static final class Sum implements Hosted {
        private long value;

        @Override
        public void onCall(ServiceCall call) {
            if (call.request().operation() == ADD) {
                value += call.request().argument();
                call.answer(value, SealedPayload.none());
            }
        }

        @Override
        public void onCallerGone(ProcessPath caller) {
            value += 1_000_000;
        }
    }

    /** Adds, and returns the sum. */
    long add(long amount) {
        return reply(ADD, amount);
    }

    /** Waits for ever. */
    void hang() {
        reply(NEVER_ANSWERED, 0);
    }

    private long reply(int operation, long argument) {
        Reply reply = process.router().await(address, Request.of(operation, argument), "a counter");
        if (reply instanceof Reply.Answer answer) {
            return answer.argument();
        } else if (reply instanceof Reply.Lost lost) {
            throw lost.reason().toException();
        }
        throw new IllegalStateException("The reply was " + reply + ".");
    }

    private Object readResolve() {
        return new RemoteCounter(address, ProcessContext.current());
    }
}
