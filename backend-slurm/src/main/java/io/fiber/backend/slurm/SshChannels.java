// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.Channel;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.Session;
import io.fiber.spi.backend.BackendUnavailableException;

/** Opens channels in a session with a login node. Stateless; blocks. */
final class SshChannels {

    private static final int OPEN_LIMIT_MS = 15_000;

    private SshChannels() {}

    /** A call of JSch. */
    interface Call<T> {
        T call() throws JSchException;
    }

    /** Calls JSch, which dereferences null where the session has ended in the middle of the call. */
    static <T> T called(Call<T> call) throws JSchException {
        try {
            return call.call();
        } catch (NullPointerException e) {
            JSchException ended = new JSchException("the session has ended meanwhile");
            ended.addSuppressed(e);
            throw ended;
        }
    }

    /** Returns a channel that is not connected. */
    static Channel of(Session session, String type) throws JSchException {
        return called(() -> session.openChannel(type));
    }

    /**
     * Connects a channel.
     *
     * @throws JSchException when the session has ended, or the host does not answer
     * @throws BackendUnavailableException FBR-150 when the host allows no further channel
     */
    static void connect(Channel channel, Session session, SshTarget target) throws JSchException {
        try {
            called(() -> {
                channel.connect(OPEN_LIMIT_MS);
                return channel;
            });
        } catch (JSchException e) {
            // Set by the host's answer alone.
            if (session.isConnected() && channel.getExitStatus() > 0) {
                throw SshFailures.noChannel(target, channel.getExitStatus(), e);
            }
            throw e;
        }
    }
}
