// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import io.fiber.spec.Secret;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * The address at which a {@link Manager} admits other programs, and the key that they need. The key is a secret: a
 * program that has it and reaches the address can run code as the manager's user. {@link #toString} does not show it,
 * and it is never sent.
 *
 * <p>An attacker who has reached the address once can then try keys offline. So take the key from a random generator,
 * as {@link #of} does, and not from a word that a person has chosen. Immutable and thread-safe.
 *
 * @param host address or name of a host, but not one that stands for all addresses, such as 0.0.0.0
 * @param port 1 to 65535; 0 means a free port, for a manager that is to listen
 * @param key at least 16 bytes
 */
public record ManagerEndpoint(String host, int port, Secret key) {

    private static final int LEAST_KEY_BYTES = 16;
    private static final int USUAL_KEY_BYTES = 32;
    private static final int GREATEST_PORT = 65_535;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the port is out of range (FBR-305), or the key is too short (FBR-443)
     */
    public ManagerEndpoint {
        requireNonNull(host, "host");
        if (port < 0 || port > GREATEST_PORT) {
            throw new IllegalArgumentException(
                    "FBR-305 port is " + port + "; expected 1 to " + GREATEST_PORT + ", or 0 for a free one.");
        }
        if (key.length() < LEAST_KEY_BYTES) {
            throw new IllegalArgumentException(
                    "FBR-443 The key of a manager has " + key.length() + " bytes; expected at least " + LEAST_KEY_BYTES
                            + " random bytes, because anyone who can reach the address can try keys."
                            + " ManagerEndpoint.of(host, port) creates such a key.");
        }
    }

    /** Returns an endpoint with a new random key. */
    public static ManagerEndpoint of(String host, int port) {
        byte[] key = new byte[USUAL_KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return new ManagerEndpoint(host, port, Secret.of(key));
    }

    /**
     * Returns the endpoint that {@link #save} wrote to a file.
     *
     * @throws FiberException FBR-443 if the file cannot be read, has another format, or can be read by other users
     */
    public static ManagerEndpoint load(Path file) {
        return EndpointFile.read(file);
    }

    /**
     * Writes the address and the key to a file that only this user can read (mode 0600). Replaces an existing file.
     * Readers see either no file or the whole content.
     *
     * @throws FiberException FBR-443 if the file cannot be written
     */
    public void save(Path file) {
        EndpointFile.write(this, file);
    }

    /** Returns the host and the port, for example {@code 10.0.0.5:7007}. */
    public String address() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    /** Returns the address, without the key. */
    @Override
    public String toString() {
        return "ManagerEndpoint[" + address() + "]";
    }
}
