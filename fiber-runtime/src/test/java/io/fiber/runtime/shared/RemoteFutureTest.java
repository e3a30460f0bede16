// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.rpc.Tree;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.runtime.shared.host.ObjectOperation;
import io.fiber.spi.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** An object of the root, as its worker calls it; the test's thread runs both. */
class RemoteFutureTest {

    private static final int MANY = 3 * Math.max(2, Runtime.getRuntime().availableProcessors());

    private final Tree tree = new Tree();
    private final Tree.Node root = tree.root(Seals.none());
    private final Tree.Node worker = root.worker(1);
    private final ProcessContext process = new ProcessContext(
            worker.router(), binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.WORKER, binding));
    private final List<ServiceCall> unanswered = new ArrayList<>();
    private final ObjectAddress object = root.router().host(new Hosted() {
        @Override
        public void onCall(ServiceCall call) {
            unanswered.add(call);
        }
    });

    private List<RemoteFuture<String>> calls() {
        List<RemoteFuture<String>> sent = new ArrayList<>();
        RemoteObject remote = new RemoteObject(process, object);
        for (int i = 0; i < MANY; i++) {
            RemoteFuture<String> future = new RemoteFuture<>(remote);
            future.send(remote.request(ObjectOperation.SIZE));
            sent.add(future);
        }
        tree.settle();
        return sent;
    }

    private void assertCallbacksMayWait(Function<CompletableFuture<String>, String> forAnother) throws Exception {
        List<RemoteFuture<String>> first = calls();
        List<RemoteFuture<String>> second = calls();
        List<CompletableFuture<String>> callbacks = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            RemoteFuture<String> other = second.get(i);
            callbacks.add(first.get(i).thenApply(answer -> answer + " and " + forAnother.apply(other)));
        }
        unanswered.forEach(call -> call.answer(process.seal("done", ObjectOperation.RESULT)));
        tree.settle();
        for (CompletableFuture<String> callback : callbacks) {
            assertThat(callback.get(60, TimeUnit.SECONDS)).isEqualTo("done and done");
        }
    }

    @Test
    void callbacksThatWaitForOtherAnswersDoNotKeepThoseFromBeingRead() throws Exception {
        assertCallbacksMayWait(CompletableFuture::join);
    }

    @Test
    void callbacksThatWaitForWhatFollowsFromOtherAnswersDoNotKeepThoseFromBeingRead() throws Exception {
        assertCallbacksMayWait(other -> other.thenApply(Function.identity()).join());
    }
}
