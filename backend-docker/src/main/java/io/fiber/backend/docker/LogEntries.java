// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.LogContainerCmd;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import com.github.dockerjava.transport.DockerHttpClient;
import com.github.dockerjava.transport.DockerHttpClient.Request;
import com.github.dockerjava.transport.DockerHttpClient.Response;
import io.fiber.backend.support.BackendThreads;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads a container's output, live or from its log. A log is read in whole entries, on a thread of its own. docker-java
 * would pass on pieces of up to 1,024 bytes without saying where an entry begins, but only the beginning of an entry
 * has its timestamp.
 *
 * @param client the access to Docker
 * @param path the API version in front of each path
 */
record LogEntries(DockerHttpClient client, String path) {

    private static final int HEADER_BYTES = 8;
    private static final int LENGTH_AT = 4;
    private static final int STANDARD_ERROR = 2;

    /** The stream of Docker's own message about a log that it cannot read, which has no timestamp. */
    private static final int COMPLAINT = 3;

    /** Docker cuts lines into parts of 16 KiB; other engines have other limits. */
    private static final int GREATEST_ENTRY_BYTES = 16 << 20;

    private static final int LOWEST_ERROR = 300;
    private static final int ATTACH_LIMIT_S = 60;

    /** Receives a frame for each entry. */
    abstract static class Receiver extends ResultCallback.Adapter<Frame> {
        /** Reports that entries are missing here, and why. Those that can be read still follow. */
        abstract void onDamage(String why);
    }

    /** Requests a log and returns at once. */
    <R extends Receiver> R read(LogContainerCmd wanted, R receiver) {
        Request request = Request.builder()
                .method(Request.Method.GET)
                .path(path + query(wanted))
                .build();
        BackendThreads.daemons("fiber-docker-log")
                .newThread(() -> read(request, receiver))
                .start();
        return receiver;
    }

    /**
     * Attaches to both output streams of a container that may not have started, and passes the output on, in a thread
     * of its own. If nothing is read, the container waits.
     *
     * @throws DockerException if Docker rejects the request
     * @throws BackendUnavailableException if Docker does not answer
     */
    <R extends Receiver> R attach(String id, R receiver) {
        Request request = Request.builder()
                .method(Request.Method.POST)
                .path(path + "/containers/" + id + "/attach?stream=true&stdout=true&stderr=true")
                .build();
        CompletableFuture<Boolean> attached = new CompletableFuture<>();
        BackendThreads.daemons("fiber-docker-output")
                .newThread(() -> {
                    try {
                        Response response = good(client.execute(request));
                        attached.complete(true);
                        read(response, receiver);
                    } catch (IOException | RuntimeException e) {
                        attached.completeExceptionally(e);
                    }
                })
                .start();
        try {
            attached.get(ATTACH_LIMIT_S, TimeUnit.SECONDS);
            return receiver;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new BackendUnavailableException(
                    "FBR-160 Docker did not attach to a container within " + ATTACH_LIMIT_S + " s; try again.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("Attaching to a container was interrupted.", e);
        }
    }

    /** Returns the response if it is not an error, and closes it otherwise. */
    static Response good(Response response) throws IOException {
        if (response.getStatusCode() < LOWEST_ERROR) {
            return response;
        }
        try (response) {
            throw new DockerException(
                    new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8), response.getStatusCode());
        }
    }

    private static String query(LogContainerCmd wanted) {
        return "/containers/" + wanted.getContainerId() + "/logs?tail=" + wanted.getTail()
                + (wanted.getSince() == null ? "" : "&since=" + wanted.getSince())
                + "&timestamps=" + Boolean.TRUE.equals(wanted.hasTimestampsEnabled())
                + "&stdout=" + Boolean.TRUE.equals(wanted.hasStdoutEnabled())
                + "&stderr=" + Boolean.TRUE.equals(wanted.hasStderrEnabled())
                + "&follow=" + Boolean.TRUE.equals(wanted.hasFollowStreamEnabled());
    }

    private void read(Request request, Receiver receiver) {
        try {
            read(good(client.execute(request)), receiver);
        } catch (IOException | RuntimeException e) {
            receiver.onError(e);
        }
    }

    @SuppressWarnings("try") // a reader that is stopped closes it while it is read
    private static void read(Response opened, Receiver receiver) {
        Thread reader = Thread.currentThread();
        try (Response response = opened) {
            receiver.onStart(() -> {
                reader.interrupt();
                response.close();
            });
            pass(response.getBody(), receiver);
            receiver.onComplete();
        } catch (IOException | RuntimeException e) {
            receiver.onError(e);
        }
    }

    /** Passes on what arrives until it ends. An incomplete entry is ignored, because it is read again later. */
    static void pass(InputStream log, Receiver receiver) throws IOException {
        byte[] header = log.readNBytes(HEADER_BYTES);
        while (header.length == HEADER_BYTES) {
            int length = ByteBuffer.wrap(header).getInt(LENGTH_AT);
            if (header[0] < 0 || header[0] > COMPLAINT || length < 0 || length > GREATEST_ENTRY_BYTES) {
                // Where the next one begins is unknown.
                receiver.onDamage("it has an entry of stream " + header[0] + " with " + length
                        + " bytes; expected 0 to " + COMPLAINT + ", and at most " + GREATEST_ENTRY_BYTES);
                return;
            }
            byte[] entry = log.readNBytes(length);
            if (entry.length < length) {
                throw new EOFException(
                        "The log broke off after " + entry.length + " of the " + length + " bytes of an entry.");
            }
            if (header[0] == COMPLAINT) {
                receiver.onDamage(new String(entry, StandardCharsets.UTF_8).strip());
            } else {
                receiver.onNext(new Frame(header[0] == STANDARD_ERROR ? StreamType.STDERR : StreamType.STDOUT, entry));
            }
            header = log.readNBytes(HEADER_BYTES);
        }
        if (header.length > 0) {
            throw new EOFException("The log broke off within the head of an entry.");
        }
    }
}
