// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

/** The role of a process in a connection, for error messages. */
public enum Side {
    MASTER("master"),
    WORKER("worker"),
    CLIENT("connected program");

    private final String text;

    Side(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
