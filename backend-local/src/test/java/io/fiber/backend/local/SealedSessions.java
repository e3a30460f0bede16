// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import io.fiber.runtime.process.TransportSettings;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.transport.Transport;
import io.fiber.transport.aeron.AeronTransportProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Sessions of this host that speak over UDP, as they would between hosts, and what tests ask about them. */
final class SealedSessions {

    private SealedSessions() {}

    static FiberBuilder builder(Interceptor interceptor) {
        return LocalFiber.builder(interceptor).set("aeron.media", "udp");
    }

    /** Runs a map and tells whether its answers are right. */
    static boolean works(Pool pool) {
        List<Integer> items = LocalFiber.numbers(2_000);
        List<Integer> squares = pool.map(x -> x * x, items);
        return squares.equals(items.stream().map(x -> x * x).toList());
    }

    static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** Returns what a session has counted under a name. */
    static long counted(Fiber fiber, String name) {
        String start = "counted " + name + " = ";
        return fiber.describe()
                .lines()
                .filter(line -> line.startsWith(start))
                .mapToLong(line -> Long.parseLong(line.substring(start.length())))
                .sum();
    }

    /** Returns where a worker that runs has its media driver. */
    static Path driverDirectory(long pid) {
        try (Stream<Path> entries = Files.walk(Path.of("/dev/shm"), 3)) {
            return entries.filter(entry -> entry.getFileName().toString().endsWith("-" + pid))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long bytesBelow(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    /** Returns a transport that is no part of a session and listens or dials over the loopback address. */
    static Transport strangersTransport(Path directory) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return new AeronTransportProvider()
                .create(new TransportSettings(
                        "strangersown",
                        directory,
                        path -> {},
                        Options.none(),
                        new CallerHost(loopback, loopback.getHostAddress(), CallerHost.Reach.NETWORK),
                        4,
                        Duration.ofSeconds(20)));
    }

    static void drive(String what, Transport transport, BooleanSupplier condition) {
        long endNs = System.nanoTime() + LocalFiber.LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            transport.doWork();
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("not in time: " + what);
            }
        }
    }
}
