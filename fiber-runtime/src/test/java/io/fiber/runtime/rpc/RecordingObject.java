// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** An object that remembers what it was asked, and answers when the test says so. */
final class RecordingObject implements Hosted {

    final List<ServiceCall> calls = new ArrayList<>();
    final List<String> heard = new ArrayList<>();
    boolean echoes;

    static SealedPayload text(String text) {
        return SealedPayload.open(Payload.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    static String text(SealedPayload payload) {
        return new String(payload.bytes().toArray(), StandardCharsets.UTF_8);
    }

    @Override
    public void onCall(ServiceCall call) {
        calls.add(call);
        heard.add("call " + call.request().operation() + " " + call.request().argument() + " from " + call.caller());
        if (echoes) {
            call.answer(call.request().argument(), call.request().body());
        }
    }

    @Override
    public void onTell(ProcessPath from, Request request) {
        heard.add("tell " + request.operation() + " " + request.argument() + " from " + from);
    }

    @Override
    public void onCallerGone(ProcessPath caller) {
        heard.add("gone " + caller);
    }
}
