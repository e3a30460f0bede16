// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;

/** A call of an object that is watched: whoever watches is told of the answer before the caller is. */
final class WatchedCall implements ServiceCall {

    /** Is told how an object answers. */
    interface Watcher {
        /** The object answers a call. */
        void answers(WatchedCall call, long argument, SealedPayload result);
    }

    private final ServiceCall call;
    private final Watcher watcher;

    WatchedCall(ServiceCall call, Watcher watcher) {
        this.call = call;
        this.watcher = watcher;
    }

    @Override
    public ProcessPath caller() {
        return call.caller();
    }

    @Override
    public Request request() {
        return call.request();
    }

    @Override
    public void answer(long argument, SealedPayload result) {
        watcher.answers(this, argument, result);
        call.answer(argument, result);
    }

    @Override
    public void fail(SealedPayload encodedFailure) {
        call.fail(encodedFailure);
    }

    @Override
    public void onAbandoned(Runnable then) {
        call.onAbandoned(then);
    }
}
