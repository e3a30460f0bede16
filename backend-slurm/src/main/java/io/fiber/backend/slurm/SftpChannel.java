// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.ChannelSftp;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.Session;
import com.jcraft.jsch.SftpException;
import io.fiber.backend.slurm.SshConnection.SessionLostException;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One channel for files, opened at the first use and again when its session has broken. Thread-safe; one use at a time. */
final class SftpChannel {

    private final SshConnection connection;
    private @Nullable ChannelSftp channel;

    SftpChannel(SshConnection connection) {
        this.connection = connection;
    }

    /** What is done with the channel; it must be such that it may be done twice. */
    interface Use<T> {
        T with(ChannelSftp channel) throws SftpException, IOException;
    }

    /** Returns the name of a file, where no sign in it stands for others. */
    static String name(Path file) {
        return file.toString().replaceAll("[\\\\*?]", "\\\\$0");
    }

    /**
     * Uses the channel, once more when the session was found broken.
     *
     * @throws BackendException FBR-154 when the host offers no such channel
     */
    synchronized <T> T run(String what, Use<T> use) throws IOException {
        try {
            return attempt(what, use);
        } catch (SessionLostException e) {
            return attempt(what, use);
        }
    }

    /** Uses the channel, as {@link #run} does, for a file; where there is no such file, it returns something else. */
    <T> T runIfThere(String what, T otherwise, Use<T> use) throws IOException {
        return run(what, open -> {
            try {
                return use.with(open);
            } catch (SftpException e) {
                if (e.id != ChannelSftp.SSH_FX_NO_SUCH_FILE) {
                    throw e;
                }
                return otherwise;
            }
        });
    }

    /**
     * Opens the channel.
     *
     * @throws BackendException FBR-154 when the host offers none
     */
    void check() {
        try {
            run("pwd", ChannelSftp::pwd);
        } catch (IOException e) {
            throw e.getCause() instanceof BackendUnavailableException reason
                    ? reason
                    : SshFailures.withoutSftp(connection.target(), e);
        }
    }

    private <T> T attempt(String what, Use<T> use) throws IOException {
        Session session;
        try {
            session = connection.session();
        } catch (BackendException e) {
            throw new IOException(e.getMessage(), e);
        }
        ChannelSftp open = channel(session);
        try {
            return use.with(open);
        } catch (SftpException | IOException e) {
            if (!(e instanceof SftpException refused) || !isAnswer(refused)) {
                // What comes next over this channel may be the answer to this.
                close();
            }
            throw connection.failed(session, "SFTP '" + what + "'", e);
        }
    }

    /** The host has answered; all else is a fault of the channel. */
    private static boolean isAnswer(SftpException failure) {
        return failure.getCause() == null;
    }

    private ChannelSftp channel(Session session) throws IOException {
        ChannelSftp open = channel;
        try {
            if (open != null && open.isConnected() && open.getSession() == session) {
                return open;
            }
            open = (ChannelSftp) SshChannels.of(session, "sftp");
            SshChannels.connect(open, session, connection.target());
            channel = open;
            return open;
        } catch (JSchException e) {
            if (open != null) {
                open.disconnect();
            }
            if (!session.isConnected()) {
                throw connection.failed(session, "SFTP", e);
            }
            throw SshFailures.withoutSftp(connection.target(), e);
        } catch (BackendUnavailableException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void close() {
        ChannelSftp open = channel;
        channel = null;
        if (open != null) {
            open.disconnect();
        }
    }
}
