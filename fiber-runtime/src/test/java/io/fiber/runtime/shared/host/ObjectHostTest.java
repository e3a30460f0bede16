// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.Options;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls of a hosted object whose answer or failure cannot be sealed. */
class ObjectHostTest {

    private static final Request WITHOUT_ARGUMENTS =
            Request.of(ObjectOperation.SIZE.code(), SealedPayload.open(Payload.of(new byte[1])));

    private final AtomicInteger failing = new AtomicInteger();
    private Supplier<? extends Error> fault = () -> new OutOfMemoryError("none left");
    private final Seals seals = new Seals() {
        @Override
        public SealedPayload close(Payload payload) {
            if (failing.getAndDecrement() > 0) {
                throw fault.get();
            }
            return SealedPayload.open(payload);
        }

        @Override
        public Payload open(SealedPayload payload) {
            return payload.bytes();
        }
    };
    private final Conductor conductor = new Conductor("test", SystemNanoClock.INSTANCE, Duration.ofSeconds(20));
    private final RpcRouter router =
            new RpcRouter(new ProcessAddress("abcdefghijkl", ProcessPath.root()), conductor, seals, Runnable::run);
    private final AtomicBoolean startsThreads = new AtomicBoolean(true);
    private final Host host = new Host(
            new ProcessContext(
                    router, binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, binding)),
            Executors.newCachedThreadPool(task -> {
                if (startsThreads.get()) {
                    return new Thread(task);
                }
                throw new OutOfMemoryError("unable to create native thread");
            }));
    private final List<Reply> replies = new CopyOnWriteArrayList<>();

    ObjectHostTest() {
        conductor.addDuty(router);
    }

    @AfterEach
    void close() {
        host.close();
        conductor.onClose();
    }

    private void callThrice() {
        ObjectAddress object = host.host(new ObjectHost(host, (operation, arguments) -> "an answer"));
        for (int i = 0; i < 3; i++) {
            router.call(object, WITHOUT_ARGUMENTS, replies::add);
        }
    }

    @Test
    void failureForWhichThereIsNoMemoryIsToldLaterAndTheObjectAnswersOthers() {
        failing.set(4);
        callThrice();

        await().atMost(Duration.ofSeconds(30)).until(() -> {
            conductor.doWork();
            return replies.size() == 3;
        });

        assertThat(replies.get(0)).isInstanceOf(Reply.Failure.class);
        assertThat(replies.subList(1, 3)).allMatch(reply -> reply instanceof Reply.Answer);
    }

    @Test
    void callForWhichNoThreadCanBeStartedIsRunLater() {
        conductor.addDuty(host);
        startsThreads.set(false);
        callThrice();
        for (int cycle = 0; cycle < 100; cycle++) {
            conductor.doWork();
        }
        assertThat(replies).isEmpty();
        startsThreads.set(true);

        await().atMost(Duration.ofSeconds(30)).until(() -> {
            conductor.doWork();
            return replies.size() == 3;
        });
        assertThat(replies).allMatch(reply -> reply instanceof Reply.Answer);
    }

    @Test
    void faultThatCannotBeToldEndsTheProcess() {
        fault = () -> new NoClassDefFoundError("javax/crypto/Cipher");
        failing.set(Integer.MAX_VALUE);
        callThrice();

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThatThrownBy(conductor::doWork)
                        .isInstanceOf(NoClassDefFoundError.class)
                        .hasMessage("javax/crypto/Cipher"));
        conductor.onClose();

        assertThat(replies).hasSize(3).allMatch(reply -> reply instanceof Reply.Lost);
    }

    @Test
    void processThatEndsWhileItsObjectIsBusyMeetsNoFault() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch allAreThere = new CountDownLatch(1);
        AtomicReference<Thread> runner = new AtomicReference<>();
        ObjectAddress object = host.host(new ObjectHost(host, (operation, arguments) -> {
            allAreThere.await();
            if (calls.incrementAndGet() == ObjectHost.TURN) {
                runner.set(Thread.currentThread());
                host.close();
            }
            return "an answer";
        }));
        for (int i = 0; i <= ObjectHost.TURN; i++) {
            router.call(object, WITHOUT_ARGUMENTS, replies::add);
        }
        for (int cycle = 0; cycle < 100; cycle++) {
            conductor.doWork();
        }
        allAreThere.countDown();

        await().atMost(Duration.ofSeconds(30)).until(() -> {
            conductor.doWork();
            return replies.size() == ObjectHost.TURN;
        });
        requireNonNull(runner.get()).join();

        assertThatCode(conductor::doWork).doesNotThrowAnyException();
    }
}
