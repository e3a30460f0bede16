// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import io.fiber.spi.CallerHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The server that probes call. It knows, without the backend, which probes run and which are gone. Thread-safe. */
final class Beacon implements AutoCloseable {

    private final ServerSocket server;
    private final String address;
    private final List<ProbeCall> calls = new CopyOnWriteArrayList<>();
    private final Thread acceptor;

    private Beacon(ServerSocket server, String host) {
        this.server = server;
        this.address = host + ":" + server.getLocalPort();
        this.acceptor = new Thread(this::accept, "fiber-tck-beacon");
        acceptor.setDaemon(true);
    }

    static Beacon open(CallerHost host) {
        try {
            ServerSocket server = new ServerSocket();
            try {
                server.bind(new InetSocketAddress(host.bind(), 0));
            } catch (IOException e) {
                server.close();
                throw e;
            }
            Beacon beacon = new Beacon(server, host.advertised());
            beacon.acceptor.start();
            return beacon;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot listen at " + host.bind() + ", which callerHost() says to bind.", e);
        }
    }

    /** Returns the address that a probe dials. */
    String address() {
        return address;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                answer(server.accept());
            } catch (IOException e) {
                if (!server.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** A connection that ends as it arrives concerns no other probe. */
    private void answer(Socket socket) {
        try {
            calls.add(ProbeCall.answer(socket));
        } catch (IOException e) {
            System.getLogger(Beacon.class.getName()).log(Level.INFO, "A probe's connection ended as it arrived.", e);
            try {
                socket.close();
            } catch (IOException ignored) {
                // The probe has gone.
            }
        }
    }

    /** Returns the calls with this token that have reported that they are ready, oldest first. */
    List<ProbeCall> calls(String token) {
        return calls.stream()
                .filter(ProbeCall::isReady)
                .filter(call -> call.fact("token").equals(token))
                .toList();
    }

    Optional<ProbeCall> call(String token) {
        return calls(token).stream().findFirst();
    }

    /** Returns the tokens of probes that are still running. */
    List<String> alive() {
        return calls.stream()
                .filter(call -> call.isReady() && !call.isGone())
                .map(call -> call.fact("token"))
                .sorted()
                .toList();
    }

    /** Closes all calls; probes that are still running end themselves. */
    @Override
    public void close() {
        try {
            server.close();
            acceptor.join(5_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            calls.forEach(ProbeCall::close);
        }
    }
}
