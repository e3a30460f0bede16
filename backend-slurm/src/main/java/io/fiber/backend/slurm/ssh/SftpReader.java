// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import com.jcraft.jsch.ChannelSftp;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.SftpException;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads files by SFTP, where the login node offers it. Thread-safe; one use at a time. */
final class SftpReader implements Way.Reader {

    private final JschWay way;
    private @Nullable ChannelSftp channel;
    private volatile boolean isGivenUp;

    SftpReader(JschWay way) {
        this.way = way;
    }

    /** What is done with the channel. */
    private interface Use<T> {
        T with(ChannelSftp channel) throws SftpException, IOException;
    }

    /** Returns whether the login node offers it; what start-up files there print can make it unusable. */
    synchronized boolean isOffered() {
        if (!isGivenUp && !isOpen()) {
            try {
                channel = way.files();
            } catch (JSchException | NullPointerException e) {
                // A session that has ended says nothing about the next one.
                isGivenUp = way.isOpen();
                SshHost.log("The login node " + way.target().named() + " offers no SFTP.", e);
                return false;
            }
        }
        return !isGivenUp;
    }

    private boolean isOpen() {
        ChannelSftp open = channel;
        return open != null && open.isConnected();
    }

    /** From now on there is no such channel. */
    void giveUp() {
        isGivenUp = true;
        close();
    }

    private synchronized void close() {
        ChannelSftp open = channel;
        channel = null;
        if (open != null) {
            open.disconnect();
        }
    }

    @Override
    public Map<String, Long> sizes(Path directory) throws IOException {
        return used(Map.of(), open -> {
            Map<String, Long> sizes = new TreeMap<>();
            open.ls(name(directory), entry -> {
                if (entry.getAttrs().isReg()) {
                    sizes.put(entry.getFilename(), entry.getAttrs().getSize());
                }
                return ChannelSftp.LsEntrySelector.CONTINUE;
            });
            return sizes;
        });
    }

    @Override
    public byte[] read(Path file, long from, int most) throws IOException {
        return used(new byte[0], open -> {
            try (InputStream input = open.get(name(file), null, from)) {
                return input.readNBytes(most);
            }
        });
    }

    /** Returns the name of a file, in which no character stands for others. */
    private static String name(Path file) {
        return file.toString().replaceAll("[\\\\*?]", "\\\\$0");
    }

    private synchronized <T> T used(T otherwise, Use<T> use) throws IOException {
        ChannelSftp open = channel;
        boolean isGood = false;
        try {
            if (open == null) {
                throw new IOException("the channel is closed");
            }
            T result = use.with(open);
            isGood = true;
            return result;
        } catch (SftpException e) {
            // Without a cause it is the answer of the server.
            isGood = e.getCause() == null;
            if (e.id == ChannelSftp.SSH_FX_NO_SUCH_FILE) {
                return otherwise;
            }
            throw failed(e);
        } catch (IOException | NullPointerException e) {
            throw failed(e);
        } finally {
            if (!isGood) {
                // What comes next over this channel may be the answer to this.
                close();
            }
        }
    }

    private IOException failed(Exception failure) {
        if (!way.isOpen()) {
            BackendException lost = SshFailures.lost(way.target(), "a file");
            return new IOException(lost.getMessage(), lost);
        }
        return new IOException("the login node " + way.target().named() + " says: " + failure.getMessage(), failure);
    }
}
