// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.reports.LossReportUtil;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.jspecify.annotations.Nullable;

/** The media driver of this process and a client of it. The thread that drives the transport drives both. */
final class OwnDriver implements AeronNode {

    private static final int SESSIONS_OF_A_STREAM = 2;

    /** A dialling peer is answered at the next status message, so this is the longest part of connecting over UDP. */
    private static final long STATUS_INTERVAL_NS = 100_000_000L;

    private final Path directory;
    private final @Nullable DirectoryIdentity identity;
    private final MediaDriver driver;
    private final Aeron client;
    private final AgentInvoker driverInvoker;
    private final AgentInvoker clientInvoker;
    private final FatalErrors errors;
    private final CommandGap gap;

    private OwnDriver(Path directory, MediaDriver driver, Aeron client, FatalErrors errors) {
        this.directory = directory;
        this.identity = identityOf(directory);
        this.driver = driver;
        this.client = client;
        this.driverInvoker = driver.sharedAgentInvoker();
        this.clientInvoker = client.conductorAgentInvoker();
        this.errors = errors;
        this.gap = new CommandGap(client.context().toDriverBuffer());
    }

    /**
     * Starts a driver in a directory of its own, which depends on the side of the first link.
     *
     * @throws TransportException (NO_ROOM, UNUSABLE) if it does not start; nothing is left behind
     */
    static OwnDriver launch(
            TransportSettings settings, StreamGuard guard, TransportCounters counters, AeronLink.Side side) {
        Path directory = DriverDirectory.make(settings, side);
        FatalErrors errors = new FatalErrors(counters);
        OwnDriverClock clock = new OwnDriverClock(SteadyClock.INSTANCE, SystemNanoClock.INSTANCE);
        MediaDriver driver = null;
        try {
            Path inner = DriverDirectory.inner(directory);
            driver = MediaDriver.launch(context(settings, inner, errors, guard).epochClock(clock));
            DriverDirectory.allocate(inner.resolve(LossReportUtil.LOSS_REPORT_FILE_NAME));
            Aeron client = Aeron.connect(AeronNode.clientContext(inner, settings.times(), errors)
                    .epochClock(clock)
                    .nanoClock(clock)
                    .driverAgentInvoker(driver.sharedAgentInvoker()));
            clock.attach(client);
            counters.attach(driver.context().systemCounters());
            return new OwnDriver(directory, driver, client, errors);
        } catch (RuntimeException e) {
            CloseHelper.quietClose(driver);
            delete(directory);
            throw new TransportException(
                    Kind.UNUSABLE, "A media driver did not start in '" + directory + "': " + e.getMessage(), e);
        }
    }

    private static @Nullable DirectoryIdentity identityOf(Path directory) {
        try {
            return DirectoryIdentity.isSupported(directory) ? DirectoryIdentity.of(directory) : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MediaDriver.Context context(
            TransportSettings settings, Path directory, FatalErrors errors, StreamGuard guard) {
        TransportTimes times = settings.times();
        SocketBuffers sockets = SocketBuffers.of(settings.data().least());
        int termLengthBytes = settings.conversation().least();
        LinkShape shape = LinkShape.unfragmented(termLengthBytes);
        return new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .dirDeleteOnStart(false)
                .dirDeleteOnShutdown(true)
                .warnIfDirectoryExists(false)
                .printConfigurationOnStart(false)
                .threadingMode(ThreadingMode.INVOKER)
                .asyncExecutorEnabled(false)
                .errorHandler(errors)
                .termBufferSparseFile(false)
                .performStorageChecks(true)
                .lowStorageWarningThreshold(0)
                .ipcTermBufferLength(termLengthBytes)
                .publicationTermBufferLength(termLengthBytes)
                .ipcMtuLength(shape.mtuBytes())
                .mtuLength(UdpEndpoints.SAFE_MTU_BYTES)
                .counterValuesBufferLength(DriverDirectory.counterValuesBytes(settings))
                .streamSessionLimit(SESSIONS_OF_A_STREAM)
                .receiveChannelEndpointSupplier((channel, dispatcher, status, driverContext) ->
                        new GuardedReceiveEndpoint(channel, dispatcher, status, driverContext, guard))
                .sendChannelEndpointSupplier((channel, status, driverContext) ->
                        new GuardedSendEndpoint(channel, status, driverContext, guard))
                .socketRcvbufLength(sockets.receiveBytes())
                .socketSndbufLength(sockets.sendBytes())
                .initialWindowLength(sockets.windowBytes())
                .driverTimeoutMs(times.livenessMs())
                .clientLivenessTimeoutNs(times.livenessNs())
                .imageLivenessTimeoutNs(times.livenessNs())
                .statusMessageTimeoutNs(STATUS_INTERVAL_NS)
                .publicationConnectionTimeoutNs(times.livenessNs())
                .publicationUnblockTimeoutNs(times.unblockNs());
    }

    Path directory() {
        return directory;
    }

    /** Removes what ended dialling processes of this host have left. Thread-safe. */
    void removeRemains(StaleDirectories.Witness witness) {
        Path peers = directory.resolve(DriverDirectory.PEERS);
        if (Files.isDirectory(peers)) {
            StaleDirectories.remove(peers, directory, witness);
        }
    }

    /** Returns what identifies the directory; null if the platform has nothing suitable. */
    @Nullable
    DirectoryIdentity identity() {
        return identity;
    }

    @Override
    public Aeron client() {
        return client;
    }

    /** Does what is due. */
    int invoke() {
        if (failure() != null) {
            return 0;
        }
        int work = driverInvoker.invoke() + clientInvoker.invoke();
        if (failure() == null) {
            // After a failure the client has unmapped the buffer.
            gap.skip();
        }
        return work;
    }

    @Override
    public @Nullable String failure() {
        Throwable fatal = errors.fatal();
        if (fatal != null) {
            return "the media driver of this process is lost: " + fatal.getMessage();
        }
        return client.isClosed() || driverInvoker.isClosed()
                ? "the media driver of this process has closed itself"
                : null;
    }

    /** Frees everything. No link may use a log any more. */
    void close() {
        errors.counters().detach();
        CloseHelper.quietClose(client);
        CloseHelper.quietClose(driver);
        delete(directory);
    }

    /** The driver removes its directory itself, unless it failed. */
    private static void delete(Path directory) {
        if (Files.exists(directory)) {
            try {
                StaleDirectories.deleteTree(directory);
            } catch (IOException e) {
                DebugLog.write("Directory " + directory + " could not be removed.", e);
            }
        }
    }

    /**
     * Skips a command to the driver that a process began to write and did not finish because it was killed. This happens: a
     * pool that closes kills workers that are still starting, which is when they write commands. Until the rest arrives,
     * the driver accepts no command of any process. By itself it would wait for {@link TransportTimes#livenessNs}, longer
     * than a worker may take to start. Not thread-safe; belongs to the driving thread.
     */
    private static final class CommandGap {

        /** Writing takes microseconds, but other programs may hold up a live process on shared processors. */
        private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

        private final RingBuffer commands;
        private long position = -1;
        private long sinceNs;

        CommandGap(RingBuffer commands) {
            this.commands = commands;
        }

        /** Skips the command for which the driver has waited too long. Called after each cycle of the driver. */
        void skip() {
            long read = commands.consumerPosition();
            if (read == commands.producerPosition()) {
                position = -1;
            } else if (read != position) {
                position = read;
                sinceNs = System.nanoTime();
            } else if (System.nanoTime() - sinceNs > LIMIT_NS) {
                commands.unblock();
                position = -1;
            }
        }
    }
}
