// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;

/** Measures round trips and throughput between two processes; prints what it found. Run by hand, see the report. */
public final class SpeedMain {

    private static final int ROUND_TRIPS = 50_000;
    private static final long THROUGHPUT_NS = 2_000_000_000L;

    private SpeedMain() {}

    public static void main(String[] args) throws Exception {
        Fixture fixture = new Fixture(Path.of(args[0]));
        if (args[1].equals("network")) {
            fixture.overNetwork();
        }
        if (args.length > 2) {
            fixture.options = io.fiber.spi.Options.of(java.util.List.of(
                    new io.fiber.spi.Options.Value(TransportSettings.KEYS.get(1), args[2], "command line")));
        }
        try (AeronTransport master = fixture.open()) {
            Link echo = master.invite();
            try (SecondJvm peer =
                    SecondJvm.start(PeerMain.class, args[0], echo.address().text(), "PT20S")) {
                Drive.until("connected", () -> echo.state() == LinkState.CONNECTED, master);
                Drive.until("hello", () -> echo.poll((buffer, offset, length) -> {}, 1) == 1, master);
                roundTrips(master, echo);
                System.out.println(peer.line());
            }
            Link sink = master.invite();
            try (SecondJvm peer =
                    SecondJvm.start(PeerMain.class, args[0], sink.address().text(), "PT20S", "sink")) {
                Drive.until("connected", () -> sink.state() == LinkState.CONNECTED, master);
                for (int i = 0; i < 2; i++) {
                    throughput(master, sink, 64);
                    throughput(master, sink, sink.maxFrameLength());
                }
                System.out.println(peer.line());
            }
        }
    }

    private static void roundTrips(AeronTransport master, Link echo) {
        ByteBuffer frame = ByteBuffer.allocateDirect(64);
        long[] times = new long[ROUND_TRIPS];
        for (int i = 0; i < ROUND_TRIPS; i++) {
            long startNs = System.nanoTime();
            while (echo.offer(frame) != OfferResult.ACCEPTED) {
                master.doWork();
            }
            while (echo.poll((buffer, offset, length) -> {}, 1) == 0) {
                master.doWork();
            }
            times[i] = System.nanoTime() - startNs;
        }
        long[] warm = Arrays.copyOfRange(times, ROUND_TRIPS / 2, ROUND_TRIPS);
        Arrays.sort(warm);
        System.out.println(
                "rtt 64 B us p50 " + warm[warm.length / 2] / 1000.0 + " p99 " + warm[warm.length * 99 / 100] / 1000.0);
    }

    private static void throughput(AeronTransport master, Link sink, int length) {
        ByteBuffer frame = ByteBuffer.allocateDirect(length);
        long sent = 0;
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < THROUGHPUT_NS) {
            for (int i = 0; i < 100; i++) {
                if (sink.offer(frame) == OfferResult.ACCEPTED) {
                    sent++;
                } else {
                    break;
                }
            }
            master.doWork();
        }
        double seconds = (System.nanoTime() - startNs) / 1e9;
        System.out.printf("%d B: %.0f frames/s, %.1f MB/s%n", length, sent / seconds, sent * length / seconds / 1e6);
    }
}
