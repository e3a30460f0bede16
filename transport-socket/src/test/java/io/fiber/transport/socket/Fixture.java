// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.CallerHost;
import io.fiber.spi.OptionKey;
import io.fiber.spi.Options;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportListener;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Transports of a test, their context, and the clock that they read: it stands still unless the test moves it. */
final class Fixture implements TransportContext, TransportListener, AutoCloseable {

    private static final long LIMIT_NS = Duration.ofSeconds(60).toNanos();

    final List<String> warnings = new ArrayList<>();
    private final List<SocketTransport> transports = new ArrayList<>();
    private final Path directory;
    Options options = Options.none();
    CallerHost host = CallerHost.sameHost();
    long nowNs;

    Fixture(Path directory) {
        this.directory = directory;
    }

    Fixture overNetwork() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        host = new CallerHost(loopback, loopback.getHostAddress(), CallerHost.Reach.NETWORK);
        return this;
    }

    Fixture with(String option, String value) {
        OptionKey key = TransportSettings.KEYS.stream()
                .filter(known -> known.name().equals(option))
                .findFirst()
                .orElseThrow();
        List<Options.Value> values = new ArrayList<>(options.values());
        values.add(new Options.Value(key, value, "the test"));
        options = Options.of(values);
        return this;
    }

    SocketTransport open() {
        SocketTransport opened = new SocketTransport(TransportSettings.of(this), () -> nowNs);
        transports.add(opened);
        return opened;
    }

    void advance(Duration time) {
        nowNs += time.toNanos();
    }

    void until(String what, BooleanSupplier condition) {
        long endNs = System.nanoTime() + LIMIT_NS;
        while (!condition.getAsBoolean()) {
            drive();
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("not in time: " + what);
            }
            Thread.onSpinWait();
        }
    }

    /** Drives all transports once. */
    int drive() {
        return transports.stream().mapToInt(SocketTransport::doWork).sum();
    }

    void connect(Link one, Link other) {
        until(
                "both are connected: " + one.closeReason() + other.closeReason(),
                () -> one.state() == LinkState.CONNECTED && other.state() == LinkState.CONNECTED);
    }

    /** Sends a frame each way. */
    void checkThatFramesPass(Link one, Link other) {
        checkThatAFramePasses(one, other);
        checkThatAFramePasses(other, one);
    }

    private void checkThatAFramePasses(Link from, Link to) {
        ByteBuffer frame = ByteBuffer.allocateDirect(4).putInt(0, 4711);
        assertThat(from.offer(frame)).isEqualTo(OfferResult.ACCEPTED);
        List<Integer> arrived = new ArrayList<>();
        until("a frame arrives", () -> to.poll((buffer, at, length) -> arrived.add(buffer.getInt(at)), 2) > 0);
        assertThat(arrived).containsExactly(4711);
    }

    @Override
    public String sessionId() {
        return "test00000000";
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public void removeAtDeath(Path path) {}

    @Override
    public Options options() {
        return options;
    }

    @Override
    public CallerHost callerHost() {
        return host;
    }

    @Override
    public int maxPeers() {
        return 4;
    }

    @Override
    public Duration lease() {
        return Duration.ofSeconds(20);
    }

    @Override
    public TransportListener listener() {
        return this;
    }

    @Override
    public void onFailed(TransportException failure) {
        throw failure;
    }

    @Override
    public void onWarning(String message) {
        warnings.add(message);
    }

    @Override
    public void close() {
        transports.forEach(SocketTransport::close);
    }
}
