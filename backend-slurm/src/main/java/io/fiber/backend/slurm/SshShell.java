// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.ChannelExec;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.Session;
import io.fiber.backend.slurm.SshConnection.SessionLostException;
import io.fiber.backend.support.batch.BatchScript;
import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs lines of a shell on the login node, each in a channel of the one session. Thread-safe; blocks. */
final class SshShell {

    private static final long SHORTEST_LOOK_MS = 1;
    private static final long LONGEST_LOOK_MS = 20;

    /** Servers allow ten channels as a rule, of which two are for files. */
    private static final int MOST_CHANNELS = 6;

    private final SshConnection connection;
    private final Semaphore channels = new Semaphore(MOST_CHANNELS, true);

    SshShell(SshConnection connection) {
        this.connection = connection;
    }

    /** What a line reads; it may be asked for twice. */
    interface Input {
        void writeTo(OutputStream to) throws IOException;
    }

    /** Returns words as a line that a shell takes for these words. */
    static String line(List<String> words) {
        return words.stream().map(BatchScript::quoted).collect(Collectors.joining(" "));
    }

    /**
     * Runs a line to its end.
     *
     * @param line for the standard shell, whatever the user's own shell is there
     * @param input what it reads
     * @throws BackendUnavailableException when the host cannot be reached, does not run it (FBR-210), or it did not end
     *     in time
     */
    Commands.Answer run(String line, byte[] input, Duration limit) {
        return run(line, to -> to.write(input), limit);
    }

    /** Runs a line that reads more than a few bytes; the limit begins when all has been sent. */
    private Commands.Answer run(String line, Input input, Duration limit) {
        try {
            channels.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("FBR-130 The wait for '" + shortened(line) + "' was interrupted.", e);
        }
        try {
            return runInTurn(line, input, limit);
        } finally {
            channels.release();
        }
    }

    private Commands.Answer runInTurn(String line, Input input, Duration limit) {
        try {
            return attempt(line, input, limit);
        } catch (SessionLostException e) {
            // The session had broken unnoticed; the line was not even sent.
            try {
                return attempt(line, input, limit);
            } catch (SessionLostException again) {
                throw again.inWords();
            }
        }
    }

    /** Throws {@link SessionLostException} only while the line has not reached the host. */
    private Commands.Answer attempt(String line, Input input, Duration limit) throws SessionLostException {
        Session session = connection.session();
        ChannelExec channel = null;
        try {
            channel = (ChannelExec) SshChannels.of(session, "exec");
            channel.setCommand(RemoteLine.of(line));
            ByteArrayOutputStream output = new ByteArrayOutputStream();
            ByteArrayOutputStream errors = new ByteArrayOutputStream();
            channel.setOutputStream(output);
            channel.setErrStream(errors);
            OutputStream toIt = channel.getOutputStream();
            SshChannels.connect(channel, session, connection.target());
            send(toIt, input);
            await(channel, session, line, limit);
            return answer(
                    channel.getExitStatus(),
                    output.toString(StandardCharsets.UTF_8),
                    errors.toString(StandardCharsets.UTF_8));
        } catch (JSchException | IOException e) {
            if (session.isConnected()) {
                throw SshFailures.unreachable(connection.target(), e);
            }
            throw new SessionLostException(SshFailures.lost(connection.target(), shortened(line)), e);
        } finally {
            if (channel != null) {
                channel.disconnect();
            }
        }
    }

    private Commands.Answer answer(int exitCode, String output, String errors) {
        if (!RemoteLine.hasBegun(output)) {
            throw SshFailures.notRun(connection.target(), new Commands.Answer(exitCode, output, errors));
        }
        return new Commands.Answer(exitCode, RemoteLine.ownPart(output), RemoteLine.ownPart(errors));
    }

    /** What does not read its input may end before it was sent; that is no fault. */
    private static void send(OutputStream toIt, Input input) {
        try (toIt) {
            input.writeTo(toIt);
        } catch (IOException e) {
            // How it ended says more.
        }
    }

    private void await(ChannelExec channel, Session session, String line, Duration limit) {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        long lookMs = SHORTEST_LOOK_MS;
        try {
            while (!channel.isClosed() && session.isConnected()) {
                if (deadlineNs - System.nanoTime() < 0) {
                    throw new BackendUnavailableException("FBR-130 Slurm does not answer: '" + shortened(line)
                            + "' has not ended within " + limit.toMillis() + " ms on the login node "
                            + SshFailures.named(connection.target())
                            + ". Running jobs go on; Fiber asks again.");
                }
                TimeUnit.MILLISECONDS.sleep(lookMs);
                lookMs = Math.min(LONGEST_LOOK_MS, lookMs * 2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("FBR-130 The wait for '" + shortened(line) + "' was interrupted.", e);
        }
        if (channel.getExitStatus() < 0) {
            throw SshFailures.lost(connection.target(), shortened(line));
        }
    }

    /** What files there are; an answer that is not good is an exception with what the shell said. */
    String script(String text, byte[] input, Duration limit) throws IOException {
        return script(text, to -> to.write(input), limit);
    }

    /** The same for one that reads more than a few bytes; the limit begins when all has been sent. */
    String script(String text, Input input, Duration limit) throws IOException {
        try {
            Commands.Answer answer = run(text, input, limit);
            if (!answer.isGood()) {
                throw new IOException("the login node " + SshFailures.named(connection.target()) + " says: "
                        + answer.complaint() + " (exit code " + answer.exitCode() + ")");
            }
            return answer.output();
        } catch (BackendException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static String shortened(String line) {
        String first = line.lines().findFirst().orElse("");
        return first.length() <= 80 ? first : first.substring(0, 80) + " ...";
    }
}
