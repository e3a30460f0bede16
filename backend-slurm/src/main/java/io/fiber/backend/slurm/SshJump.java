// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.Channel;
import com.jcraft.jsch.Proxy;
import com.jcraft.jsch.Session;
import com.jcraft.jsch.SocketFactory;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** The way to a host through another: a channel of a session instead of a socket. */
final class SshJump implements Proxy {

    private final Session session;
    private @Nullable Channel channel;
    private @Nullable InputStream input;
    private @Nullable OutputStream output;

    SshJump(Session session) {
        this.session = session;
    }

    @Override
    public void connect(SocketFactory factory, String host, int port, int timeoutMs) throws Exception {
        Channel opened = session.getStreamForwarder(host, port);
        input = opened.getInputStream();
        output = opened.getOutputStream();
        opened.connect(timeoutMs);
        channel = opened;
    }

    @Override
    public @Nullable InputStream getInputStream() {
        return input;
    }

    @Override
    public @Nullable OutputStream getOutputStream() {
        return output;
    }

    @Override
    public @Nullable Socket getSocket() {
        return null;
    }

    @Override
    public void close() {
        Channel opened = channel;
        if (opened != null) {
            opened.disconnect();
        }
        session.disconnect();
    }
}
