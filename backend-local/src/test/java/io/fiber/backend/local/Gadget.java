// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;

/** An object that does something when it is read: it writes a file. */
final class Gadget implements Serializable {

    private static final long serialVersionUID = 1L;

    private final String file;

    Gadget(Path file) {
        this.file = file.toString();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        Files.writeString(Path.of(file), "read by " + ProcessHandle.current().pid());
    }
}
