// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.common.util.concurrent.SettableFuture;
import com.sun.net.httpserver.HttpServer;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.jenetics.engine.Codecs;
import io.jenetics.engine.Engine;
import io.jenetics.engine.EvolutionResult;
import io.jenetics.util.DoubleRange;
import io.reactivex.rxjava3.core.Flowable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.ExecutorsKt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.function.Executable;
import org.springframework.scheduling.concurrent.ConcurrentTaskExecutor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Libraries that are given the executor of a pool fail with FBR-406 at their caller. None waits forever. */
@Timeout(value = 2, unit = MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RefusedExecutorTest {
    private static Fiber fiber;
    private static Pool pool;

    private final ExecutorService executor = pool.asExecutorService();

    @BeforeAll
    static void open() {
        fiber = Fiber.open();
        pool = fiber.pool(1);
    }

    @AfterAll
    static void close() {
        fiber.close();
    }

    private static void refused(Executable library) {
        Throwable thrown = assertThrows(Throwable.class, library);
        assertTrue(
                Stream.iterate(thrown, each -> each != null, Throwable::getCause)
                        .anyMatch(each -> String.valueOf(each.getMessage()).startsWith("FBR-406 ")),
                thrown::toString);
    }

    @Test
    void completableFuture() {
        refused(() -> CompletableFuture.supplyAsync(() -> 1, executor).get());
        refused(() -> CompletableFuture.completedFuture(1)
                .thenApplyAsync(x -> x, executor)
                .get());
        refused(() -> new ExecutorCompletionService<Integer>(executor).submit(() -> 1));
    }

    @Test
    void guava() {
        refused(() -> MoreExecutors.listeningDecorator(executor).submit(() -> 1));
        SettableFuture<Integer> source = SettableFuture.create();
        var transformed = Futures.transform(source, x -> x, executor);
        source.set(1);
        refused(transformed::get);
    }

    @Test
    void jenetics() {
        refused(() ->
                Engine.builder((Double x) -> x, Codecs.ofScalar(DoubleRange.of(0, 1)))
                        .executor(executor)
                        .build()
                        .stream()
                        .limit(2)
                        .collect(EvolutionResult.toBestPhenotype()));
    }

    @Test
    void reactor() {
        Scheduler scheduler = Schedulers.fromExecutorService(executor);
        refused(() -> Flux.range(1, 4).publishOn(scheduler).collectList().block());
        refused(() -> Mono.fromCallable(() -> 1).subscribeOn(scheduler).block());
    }

    @Test
    void rxJava() {
        io.reactivex.rxjava3.core.Scheduler scheduler = io.reactivex.rxjava3.schedulers.Schedulers.from(executor);
        refused(() -> Flowable.range(1, 4)
                .parallel()
                .runOn(scheduler)
                .sequential()
                .toList()
                .blockingGet());
        refused(() -> Flowable.range(1, 4).observeOn(scheduler).toList().blockingGet());
        refused(() -> Flowable.fromCallable(() -> 1).subscribeOn(scheduler).blockingFirst());
    }

    @Test
    void kotlin() {
        refused(() -> BuildersKt.runBlocking(
                EmptyCoroutineContext.INSTANCE,
                (scope, continuation) -> BuildersKt.withContext(
                        ExecutorsKt.from(executor), (inner, last) -> 1, (Continuation<? super Integer>) continuation)));
    }

    @Test
    void spring() {
        refused(() -> new ConcurrentTaskExecutor(executor).submit(() -> 1));
    }

    @Test
    void httpClientThatSendsAsynchronously() throws Exception {
        requests(request -> HttpClient.newBuilder()
                .executor(executor)
                .build()
                .sendAsync(request, BodyHandlers.ofString())
                .get());
    }

    /** Before, the client's thread ends with the exception, and its caller waits forever. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_25, disabledReason = "HttpClient.send of an older JDK may wait forever")
    void httpClient() throws Exception {
        requests(request -> HttpClient.newBuilder().executor(executor).build().send(request, BodyHandlers.ofString()));
    }

    private interface Send {
        Object send(HttpRequest request) throws Exception;
    }

    private static void requests(Send send) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try {
            URI uri = URI.create("http://localhost:" + server.getAddress().getPort() + "/");
            refused(() -> send.send(HttpRequest.newBuilder(uri).build()));
        } finally {
            server.stop(0);
        }
    }
}
