// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.KnownKeys;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.platform.AgronaAccess;
import io.fiber.runtime.process.TransportSettings;
import io.fiber.runtime.protocol.Bootstrap;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.security.WorkerHandshake;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;
import io.fiber.transport.aeron.AeronTransportProvider;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemNanoClock;

/**
 * A JVM that is many workers: each has a link, a handshake and an agent of its own, as a real one has; one thread conducts
 * for all and runs their tasks. Their bootstraps come on standard input, each with its length in front; its end ends them all.
 */
public final class LightWorkers {

    private static final Codecs CODECS =
            Codecs.of(new JavaSerializerProvider(), Options.none(), Side.WORKER, UnaryOperator.identity());

    private final Conductor conductor;
    private final Transport transport;
    private volatile boolean isOver;

    private LightWorkers(Bootstrap one, int count) {
        AeronTransportProvider provider = new AeronTransportProvider();
        FiberConfig config = FiberConfig.fromParent(one.config(), KnownKeys.of(List.of(provider), Set.of()));
        AgronaAccess.ensure(config);
        Duration lease = config.duration(ConfigKey.LEASE);
        transport = provider.create(new TransportSettings(
                one.sessionId(),
                Path.of(System.getProperty("java.io.tmpdir")),
                path -> {},
                config.optionsOf(provider),
                CallerHost.sameHost(),
                count,
                lease));
        conductor = new Conductor("light-conductor", SystemNanoClock.INSTANCE, lease);
        conductor.addTransport(transport);
    }

    /** Is told what goes wrong below. */
    /** Runs workers until it is killed; the argument is how many there may be. */
    public static void main(String[] args) throws IOException {
        DataInputStream in = new DataInputStream(System.in);
        Bootstrap first = read(in);
        LightWorkers workers = new LightWorkers(first, Integer.parseInt(args[0]));
        workers.greet(first);
        Thread reader = new Thread(() -> workers.greetAll(in), "light-reader");
        reader.setDaemon(true);
        reader.start();
        workers.run();
    }

    private static Bootstrap read(DataInputStream in) throws IOException {
        return Bootstrap.decode(in.readNBytes(in.readInt()));
    }

    private void greetAll(DataInputStream in) {
        try {
            while (true) {
                Bootstrap next = read(in);
                conductor.execute(() -> greet(next));
            }
        } catch (IOException e) {
            isOver = true;
        }
    }

    private void greet(Bootstrap bootstrap) {
        Link link = transport.dial(bootstrap.address());
        WorkerHandshake handshake = new WorkerHandshake(
                HandshakeTerms.of(
                        bootstrap.sessionId(), bootstrap.processAddress().number(), link.isConfined()),
                new JobKey(bootstrap.jobKey()),
                new SecureRandom());
        WorkerAgent agent = new WorkerAgent(
                handshake,
                (admission, role) -> crew(role, link.isConfined() ? Seals.none() : refused()),
                code -> link.close(),
                Duration.ofSeconds(5));
        conductor.addDuty(agent);
        agent.greet(conductor.addPeer(link, agent));
    }

    private static TaskExecutor crew(WorkerRole role, Seals seals) {
        return TaskCrew.of(Stream.generate(() -> new LightExecutor(CODECS, seals))
                .limit(role.threads())
                .toList());
    }

    private static Seals refused() {
        throw new IllegalStateException("light workers share the memory of their master's host");
    }

    private void run() {
        conductor.run(() -> !isOver);
        conductor.onClose();
    }
}
