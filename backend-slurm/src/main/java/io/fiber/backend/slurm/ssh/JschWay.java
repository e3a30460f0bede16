// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.jcraft.jsch.Channel;
import com.jcraft.jsch.ChannelExec;
import com.jcraft.jsch.ChannelSftp;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.Session;
import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.backend.BackendException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The library jsch: one session, with a channel for each line and one for files. */
final class JschWay implements Way {

    private static final int CHANNEL_LIMIT_MS = 15_000;

    private final SshConfig config;
    private final SshTarget target;
    private final SftpReader files = new SftpReader(this);
    private volatile @Nullable Session shared;

    JschWay(SshConfig config) {
        this.config = config;
        this.target = config.target();
    }

    @Override
    public SshTarget target() {
        return target;
    }

    @Override
    public String nearest() {
        List<SshConfig> way = config.way();
        return (way.isEmpty() ? config : way.get(0)).address();
    }

    @Override
    public boolean isOpen() {
        Session session = shared;
        return session != null && session.isConnected();
    }

    @Override
    public void open(Duration limit) {
        close();
        shared = JschSession.open(config, limit);
    }

    @Override
    public Exec start(String line, Duration connectLimit) throws BrokenException {
        Session session = shared;
        if (session == null) {
            throw new BrokenException(new IOException("closed"));
        }
        try {
            return new JschExec(session, line, false);
        } catch (RefusedException e) {
            // The channel of files may be the one too many.
            files.giveUp();
            Session own = JschSession.open(config, connectLimit);
            try {
                return new JschExec(own, line, true);
            } catch (RefusedException again) {
                own.disconnect();
                throw SshFailures.noSession(target);
            }
        }
    }

    @Override
    public Optional<BackendException> notBegun(Exec ended) {
        JschExec exec = (JschExec) ended;
        int exitCode = exec.channel.getExitStatus();
        return exitCode < 0
                ? Optional.empty()
                : Optional.of(SshFailures.notRun(target, new Commands.Answer(exitCode, exec.output(), exec.errors())));
    }

    @Override
    public Optional<Reader> reader() {
        return files.isOffered() ? Optional.of(files) : Optional.empty();
    }

    /** The session ends with this JVM, so that a small one with a session of its own is needed. */
    @Override
    public List<String> untilDone(List<String> words) {
        List<String> all = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-D" + SshHost.LATER,
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Stream.of(JschWay.class, Commands.class, BackendException.class, JSch.class)
                        .map(JschWay::origin)
                        .distinct()
                        .collect(Collectors.joining(File.pathSeparator)),
                SshReaper.class.getName()));
        all.addAll(SshReaper.arguments(target.options(), words));
        return all;
    }

    private static String origin(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            return Path.of(source.getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a connected channel for files. */
    ChannelSftp files() throws JSchException {
        Session session = shared;
        if (session == null) {
            throw new JSchException("closed");
        }
        ChannelSftp channel = (ChannelSftp) channel(session, "sftp");
        channel.connect(CHANNEL_LIMIT_MS);
        return channel;
    }

    /** jsch returns null, or dereferences it, if the session ends during the call. */
    private static Channel channel(Session session, String type) throws JSchException {
        Channel channel = session.openChannel(type);
        if (channel == null) {
            throw new JSchException("the session has ended");
        }
        return channel;
    }

    @Override
    public void close() {
        Session session = shared;
        shared = null;
        if (session != null) {
            session.disconnect();
        }
    }

    /** The server opens no further channel in a session. */
    private static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        RefusedException(Throwable cause) {
            super(cause);
        }
    }

    /** A channel in which a line runs. */
    private static final class JschExec implements Exec {
        private final ByteArrayOutputStream output = new ByteArrayOutputStream();
        private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
        private final Session session;
        private final boolean isAlone;
        private final ChannelExec channel;
        private final OutputStream input;

        /**
         * Opens the channel.
         *
         * @param isAlone whether the session is of this channel alone, and ends with it
         */
        JschExec(Session session, String line, boolean isAlone) throws RefusedException, BrokenException {
            this.session = session;
            this.isAlone = isAlone;
            try {
                channel = (ChannelExec) channel(session, "exec");
                channel.setCommand(line);
                channel.setOutputStream(output, true);
                channel.setErrStream(errors, true);
                input = channel.getOutputStream();
            } catch (JSchException | IOException | NullPointerException e) {
                throw new BrokenException(e);
            }
            try {
                channel.connect(CHANNEL_LIMIT_MS);
            } catch (JSchException | NullPointerException e) {
                // The exit status is then the reason that the server gives.
                if (session.isConnected() && channel.getExitStatus() > 0) {
                    throw new RefusedException(e);
                }
                throw new BrokenException(e);
            }
        }

        @Override
        public OutputStream input() {
            return input;
        }

        @Override
        public boolean isAlive() {
            return channel.isConnected() && !channel.isClosed();
        }

        @Override
        public String output() {
            return output.toString(ISO_8859_1);
        }

        @Override
        public String errors() {
            return errors.toString(ISO_8859_1);
        }

        @Override
        public void close() {
            channel.disconnect();
            if (isAlone) {
                session.disconnect();
            }
        }
    }
}
