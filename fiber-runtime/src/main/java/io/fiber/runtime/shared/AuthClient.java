// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.FiberException;
import io.fiber.ManagerEndpoint;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.HandshakeFailure;
import io.fiber.runtime.security.HandshakeMessage;
import io.fiber.runtime.security.HandshakeStep;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.WorkerHandshake;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;

/** Shows a key to the listener of a manager, after the other side has shown it. Belongs to one thread. */
final class AuthClient {

    private final ManagerEndpoint endpoint;
    private final long endNs;
    private final WorkerHandshake handshake;

    /**
     * Creates a client for one attempt.
     *
     * @param endNs until when it must have been let in
     */
    AuthClient(ManagerEndpoint endpoint, long endNs) {
        this.endpoint = endpoint;
        this.endNs = endNs;
        HandshakeTerms terms = new HandshakeTerms(Protocol.VERSION, AuthListener.USE, HandshakeTerms.Exposure.OPEN);
        this.handshake = new WorkerHandshake(
                terms, AuthListener.NUMBER, JobKey.derived(endpoint.key(), AuthListener.USE), new SecureRandom());
    }

    /**
     * What came of it.
     *
     * @param grant the way in
     * @param line the connection, which stays open for as long as this program is connected
     */
    record Entered(AccessGrant.Granted grant, SocketChannel line) {}

    /** Connects, shows the key, and waits for the grant. */
    Entered authenticate() {
        SocketChannel line = null;
        try {
            line = SocketChannel.open();
            AccessGrant grant = talk(line.socket());
            if (grant instanceof AccessGrant.Granted granted) {
                line.socket().setSoTimeout(0);
                return new Entered(granted, line);
            }
            throw new FiberException(
                    "FBR-446",
                    "The manager at " + endpoint.address() + " lets this program not in, though it has the key: "
                            + ((AccessGrant.Denied) grant).why() + ".");
        } catch (IOException | RuntimeException e) {
            close(line);
            throw e instanceof RuntimeException known ? known : unanswered((IOException) e);
        }
    }

    private AccessGrant talk(Socket socket) throws IOException {
        InetAddress host = InetAddress.getByName(endpoint.host());
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.connect(new InetSocketAddress(host, endpoint.port()), leftMs());
        send(socket, handshake.hello());
        HandshakeMessage answer = receive(socket);
        if (answer instanceof HandshakeMessage.VersionRefusal refusal) {
            throw failed(handshake.onVersionRefusal(refusal));
        }
        if (!(answer instanceof HandshakeMessage.Challenge challenge)) {
            throw new IOException("it sent something else than a challenge");
        }
        send(socket, require(handshake.onChallenge(challenge)));
        if (!(receive(socket) instanceof HandshakeMessage.Welcome welcome)) {
            throw new IOException("it sent something else than a welcome");
        }
        Admission admission = require(handshake.onWelcome(welcome));
        return AccessGrant.decode(admission.settings());
    }

    private static void send(Socket socket, HandshakeMessage message) throws IOException {
        ByteBuffer out = AuthMessages.encode(message);
        byte[] bytes = new byte[out.remaining()];
        out.get(bytes);
        socket.getOutputStream().write(bytes);
    }

    /** No more is read than the longest message, whatever the other side says. */
    private HandshakeMessage receive(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        socket.setSoTimeout(leftMs());
        int length = in.readUnsignedShort();
        if (length > AuthMessages.GREATEST_BYTES) {
            throw new IOException("it announced a message of " + length + " bytes, which no manager does");
        }
        byte[] bytes = new byte[length];
        for (int at = 0; at < length; ) {
            socket.setSoTimeout(leftMs());
            int count = in.read(bytes, at, length - at);
            if (count < 0) {
                throw new EOFException();
            }
            at += count;
        }
        return AuthMessages.decode(ByteBuffer.wrap(bytes));
    }

    private int leftMs() throws SocketTimeoutException {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
        if (leftMs <= 0) {
            throw new SocketTimeoutException("time is up");
        }
        return (int) Math.min(Integer.MAX_VALUE, leftMs);
    }

    private <M> M require(HandshakeStep<M> step) {
        if (step instanceof HandshakeStep.Failed<M> failed) {
            throw failed(failed.failure());
        }
        return ((HandshakeStep.Next<M>) step).value();
    }

    private FiberException failed(HandshakeFailure failure) {
        if (failure.reason() == HandshakeFailure.Reason.VERSION) {
            return new FiberException(
                    "FBR-440",
                    "The manager at " + endpoint.address() + " speaks version "
                            + (failure.peerVersion().isPresent()
                                    ? failure.peerVersion().getAsInt()
                                    : "unknown")
                            + " of Fiber's protocol, this program version " + failure.ownVersion()
                            + ". Run both with the same version of Fiber.");
        }
        return new FiberException(
                "FBR-439",
                "The manager at " + endpoint.address() + " holds another key than this program, so nothing was told to"
                        + " it. Check that the endpoint is the one that Manager.listen returned: each start of a manager"
                        + " without a key of your own makes a new key, and another manager may have the port by now.");
    }

    private RuntimeException unanswered(IOException e) {
        if (e instanceof ClosedByInterruptException) {
            return new WaitInterruptedException("manager at " + endpoint.address(), new InterruptedException());
        }
        return new FiberException(
                "FBR-438",
                "No manager lets this program in at " + endpoint.address() + ": " + reason(e)
                        + ". Expected a manager that listens there: is its program still running, is this its address,"
                        + " and does a firewall let the TCP port through?",
                e);
    }

    private static String reason(IOException e) {
        if (e instanceof UnknownHostException) {
            return "there is no host of this name";
        }
        if (e instanceof SocketTimeoutException) {
            return "it did not answer in time";
        }
        return e instanceof EOFException ? "it closed the connection" : String.valueOf(e.getMessage());
    }

    private static void close(@org.jspecify.annotations.Nullable SocketChannel line) {
        try {
            if (line != null) {
                line.close();
            }
        } catch (IOException e) {
            // It is over for this side, which is all that is wanted.
        }
    }
}
