// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.jcraft.jsch.ChannelExec;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.Session;
import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.backend.BackendException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The library jsch: one session, with a channel for each line. */
final class JschWay implements Way {

    private static final int CHANNEL_LIMIT_MS = 15_000;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(SshHost.LONGEST_LOOK_MS);

    private final SshConfig config;
    /** The last one is that with the login node. */
    private volatile Deque<Session> shared = new ArrayDeque<>();

    JschWay(SshConfig config) {
        this.config = config;
    }

    @Override
    public boolean isOpen() {
        Session session = shared.peekLast();
        return session != null && session.isConnected();
    }

    @Override
    public void open(Duration limit) {
        close();
        shared = JschSession.open(config, limit);
    }

    @Override
    public Exec start(String line, Duration connectLimit) throws IOException {
        Optional<Exec> exec = exec(shared, line, () -> {});
        if (exec.isPresent()) {
            return exec.get();
        }
        // The server opens no further channel in this session.
        Deque<Session> own = JschSession.open(config, connectLimit);
        return exec(own, line, () -> JschSession.close(own)).orElseThrow(() -> {
            JschSession.close(own);
            return SshFailures.noSession(config);
        });
    }

    /** Returns nothing if the server refuses it. */
    private static Optional<Exec> exec(Deque<Session> sessions, String line, Runnable atEnd) throws IOException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        Session session = sessions.getLast();
        ChannelExec channel = null;
        try {
            channel = (ChannelExec) session.openChannel("exec");
            channel.setCommand(line);
            channel.setOutputStream(output, true);
            channel.setErrStream(errors, true);
            OutputStream input = channel.getOutputStream();
            channel.connect(CHANNEL_LIMIT_MS);
            ChannelExec opened = channel;
            return Optional.of(new Exec(
                    input,
                    () -> output.toString(ISO_8859_1),
                    () -> errors.toString(ISO_8859_1),
                    () -> opened.isConnected() && !opened.isClosed(),
                    () -> exitCode(session, opened),
                    () -> {
                        opened.disconnect();
                        atEnd.run();
                    }));
        } catch (JSchException | NullPointerException e) {
            // The exit status is then the reason that the server gives. jsch dereferences null if the session has just
            // ended.
            if (channel != null && session.isConnected() && channel.getExitStatus() > 0) {
                return Optional.empty();
            }
            throw new IOException(e);
        }
    }

    /**
     * Returns the exit code of a channel that has ended; negative if the connection was lost, because then the output may be
     * missing although the code has arrived. jsch ends the channels first and reports the loss a moment later, without an
     * event.
     */
    private static int exitCode(Session session, ChannelExec ended) {
        long dueNs = System.nanoTime() + SshHost.NOTICE_NS;
        while (session.isConnected() && System.nanoTime() - dueNs < 0) {
            LockSupport.parkNanos(LOOK_NS);
        }
        return session.isConnected() ? ended.getExitStatus() : -1;
    }

    @Override
    public Optional<BackendException> notBegun(int exitCode, String output, String errors) {
        return exitCode < 0
                ? Optional.empty()
                : Optional.of(SshFailures.notRun(config, new Commands.Answer(exitCode, output, errors)));
    }

    @Override
    public void close() {
        Deque<Session> sessions = shared;
        shared = new ArrayDeque<>();
        JschSession.close(sessions);
    }
}
