// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A server for tests. */
interface TestSshd extends AutoCloseable {

    /** Returns the options that lead to it. */
    Map<String, String> options();

    /** Returns a block of a configuration that leads to it, from the word {@code Host} on. */
    String block(String host);

    /** Returns the private key that it takes. */
    Path key();

    /** Returns how often a client has logged in. */
    long logins() throws IOException;

    /** Ends the connections of all clients. */
    void breakConnections() throws IOException;

    @Override
    void close();
}
