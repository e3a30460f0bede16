// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

/** Which end of a conversation a process is, as error messages name it. */
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
