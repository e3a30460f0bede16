// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow.Subscription;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client of one cluster, whose running requests, bodies and WebSockets can be ended. Otherwise each would run
 * into its time limit and be tried again, and the client's timer would live as long. Thread-safe.
 */
final class OpenRequests extends JdkHttpClientFactory {

    private static final String ENDED = "The session with this cluster has ended.";

    private final Set<Runnable> ends = ConcurrentHashMap.newKeySet();
    private final Map<WebSocket, WebSocket.Listener> sockets = new ConcurrentHashMap<>();
    private volatile boolean ended;

    /** Ends what is running, and rejects later requests, including retries. Does not wait. */
    void end() {
        ended = true;
        ends.forEach(Runnable::run);
        sockets.keySet().forEach(this::end);
    }

    /**
     * Ends a WebSocket once. Also notifies the listener, which an abort does not: this cancels the timers of a close
     * that is not answered.
     */
    private void end(WebSocket socket) {
        WebSocket.Listener listener = sockets.remove(socket);
        if (listener != null) {
            socket.abort();
            listener.onError(socket, new IOException(ENDED));
        }
    }

    private void begin(Runnable end) {
        ends.add(end);
        if (ended) {
            end.run();
        }
    }

    /**
     * Ends the request as cancelled, whatever the JDK reports, because the client retries after an {@link IOException}.
     */
    private <T> CompletableFuture<T> begin(CompletableFuture<T> answer) {
        return begin(answer, () -> {});
    }

    /** As {@link #begin(CompletableFuture)}; {@code afterEnd} runs once the client has handled the end. */
    private <T> CompletableFuture<T> begin(CompletableFuture<T> answer, Runnable afterEnd) {
        CompletableFuture<T> told = answer.copy();
        Runnable end = () -> {
            if (told.completeExceptionally(new CancellationException(ENDED))) {
                afterEnd.run();
            }
            answer.cancel(true);
        };
        begin(end);
        var unused = told.whenComplete((given, failure) -> ends.remove(end));
        return told;
    }

    /**
     * Does not refer to the client, because the JDK's thread keeps this object, and ends when nothing refers to the
     * client.
     */
    private <T> BodyHandler<T> known(BodyHandler<T> handler) {
        return head -> new Body<>(handler.apply(head));
    }

    @Override
    protected HttpClient.Builder createNewHttpClientBuilder() {
        HttpClient.Builder builder = super.createNewHttpClientBuilder();
        return (HttpClient.Builder) Proxy.newProxyInstance(
                OpenRequests.class.getClassLoader(),
                new Class<?>[] {HttpClient.Builder.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(builder, arguments);
                        return result instanceof HttpClient client
                                ? new Client(client)
                                : result == builder ? proxy : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A client of the JDK that tracks its requests. */
    private final class Client extends HttpClient {
        private final HttpClient client;

        Client(HttpClient client) {
            this.client = client;
        }

        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
            return sendAsync(request, handler, null);
        }

        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(
                HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> push) {
            return ended
                    ? CompletableFuture.failedFuture(new CancellationException(ENDED))
                    : begin(client.sendAsync(request, known(handler), push));
        }

        @Override
        public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
            throw new UnsupportedOperationException("Fiber's client for Kubernetes only has sendAsync.");
        }

        @Override
        public WebSocket.Builder newWebSocketBuilder() {
            return new Socket(client.newWebSocketBuilder());
        }

        @Override
        public Optional<CookieHandler> cookieHandler() {
            return client.cookieHandler();
        }

        @Override
        public Optional<Duration> connectTimeout() {
            return client.connectTimeout();
        }

        @Override
        public Redirect followRedirects() {
            return client.followRedirects();
        }

        @Override
        public Optional<ProxySelector> proxy() {
            return client.proxy();
        }

        @Override
        public SSLContext sslContext() {
            return client.sslContext();
        }

        @Override
        public SSLParameters sslParameters() {
            return client.sslParameters();
        }

        @Override
        public Optional<Authenticator> authenticator() {
            return client.authenticator();
        }

        @Override
        public Version version() {
            return client.version();
        }

        @Override
        public Optional<Executor> executor() {
            return client.executor();
        }
    }

    /** The rest of a response whose head has arrived; no time limit ends it. */
    private final class Body<T> implements BodySubscriber<T>, Subscription {
        private final BodySubscriber<T> reader;
        private final Runnable end = this::end;
        private volatile @Nullable Subscription source;
        private volatile boolean isDone;

        Body(BodySubscriber<T> reader) {
            this.reader = reader;
        }

        private void end() {
            cancel();
            reader.onError(new IOException(ENDED));
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            source = subscription;
            reader.onSubscribe(this);
            begin(end);
            // The reader may have cancelled the body, or received all of it, meanwhile.
            if (isDone) {
                ends.remove(end);
            }
        }

        private void done() {
            isDone = true;
            ends.remove(end);
        }

        @Override
        public void request(long count) {
            Subscription from = source;
            if (from != null) {
                from.request(count);
            }
        }

        @Override
        public void cancel() {
            done();
            Subscription from = source;
            if (from != null) {
                from.cancel();
            }
        }

        @Override
        public void onNext(List<ByteBuffer> bytes) {
            reader.onNext(bytes);
        }

        @Override
        public void onError(Throwable failure) {
            done();
            reader.onError(failure);
        }

        @Override
        public void onComplete() {
            done();
            reader.onComplete();
        }

        @Override
        public CompletionStage<T> getBody() {
            return reader.getBody();
        }
    }

    /** A builder that tracks its WebSocket. */
    private final class Socket implements WebSocket.Builder {
        private final WebSocket.Builder builder;

        Socket(WebSocket.Builder builder) {
            this.builder = builder;
        }

        @Override
        public WebSocket.Builder header(String name, String value) {
            builder.header(name, value);
            return this;
        }

        @Override
        public WebSocket.Builder connectTimeout(Duration timeout) {
            builder.connectTimeout(timeout);
            return this;
        }

        @Override
        public WebSocket.Builder subprotocols(String mostPreferred, String... lesserPreferred) {
            builder.subprotocols(mostPreferred, lesserPreferred);
            return this;
        }

        @Override
        public CompletableFuture<WebSocket> buildAsync(URI uri, WebSocket.Listener listener) {
            if (ended) {
                return CompletableFuture.failedFuture(new CancellationException(ENDED));
            }
            // Closed sockets are forgotten here, because otherwise only the listener would learn of it.
            sockets.keySet().removeIf(WebSocket::isInputClosed);
            CompletableFuture<WebSocket> opening = builder.buildAsync(uri, listener);
            var unused = opening.whenComplete((socket, failure) -> {
                if (socket != null) {
                    sockets.put(socket, listener);
                    if (ended) {
                        end(socket);
                    }
                }
            });
            // Otherwise a timer of the client would wait two minutes for the end of a watch that never opened. There is
            // no WebSocket to name, and the client's listener ignores it.
            return begin(opening, () -> listener.onError(null, new IOException(ENDED)));
        }
    }
}
