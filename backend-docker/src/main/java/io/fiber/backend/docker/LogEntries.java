// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.transport.DockerHttpClient;
import com.github.dockerjava.transport.DockerHttpClient.Request;
import com.github.dockerjava.transport.DockerHttpClient.Response;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads a container's output, live or from its log, in whole entries. docker-java would pass on pieces of up to 1,024
 * bytes without saying where an entry begins, but only the beginning of an entry has its timestamp.
 *
 * @param client the access to Docker
 * @param path the API version in front of each path
 */
record LogEntries(DockerHttpClient client, String path) {

    /** The option of a log that begins each entry with its time. */
    static final String STAMPS = "&timestamps=true";

    private static final int HEADER_BYTES = 8;
    private static final int LENGTH_AT = 4;
    private static final int STANDARD_ERROR = 2;

    /** The stream of Docker's own message about a log that it cannot read, which has no timestamp. */
    private static final int COMPLAINT = 3;

    /** Docker cuts lines into parts of 16 KiB; other engines have other limits. */
    private static final int GREATEST_ENTRY_BYTES = 16 << 20;

    private static final int LOWEST_ERROR = 300;

    /** Receives the entries, in the thread that reads. */
    interface Receiver {
        /** Receives the connection, which another thread may close, before its first entry. */
        default void onOpen(Closeable connection) {}

        void onEntry(Stream stream, byte[] entry);

        /** Reports that entries are missing here, and why. Those that can be read still follow. */
        void onDamage(String why);
    }

    /** The stream to which an entry was written. */
    enum Stream {
        OUT,
        ERR
    }

    /**
     * Attaches to both streams of a container that may not have started. If nothing is read, the container waits.
     *
     * @throws DockerException if Docker rejects the request
     */
    Response attach(String id) {
        return open(Request.Method.POST, id, "attach?stream=true&stdout=true&stderr=true");
    }

    /**
     * Opens a log.
     *
     * @param options such as {@code &tail=20}
     * @throws DockerException if Docker rejects the request
     */
    Response log(String id, String options) {
        return open(Request.Method.GET, id, "logs?stdout=true&stderr=true" + options);
    }

    private Response open(Request.Method method, String id, String what) {
        try {
            return good(client.execute(Request.builder()
                    .method(method)
                    .path(path + "/containers/" + id + "/" + what)
                    .build()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads to the end, and closes the answer. */
    static void pass(Response answer, Receiver receiver) {
        try (answer) {
            receiver.onOpen(answer);
            pass(answer.getBody(), receiver);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
                receiver.onEntry(header[0] == STANDARD_ERROR ? Stream.ERR : Stream.OUT, entry);
            }
            header = log.readNBytes(HEADER_BYTES);
        }
        if (header.length > 0) {
            throw new EOFException("The log broke off within the head of an entry.");
        }
    }
}
