// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import java.io.IOException;
import java.io.OutputStream;

/** Copies the standard input of this JVM to that of a process, until one of them ends. */
final class ConsoleInput implements Runnable {

    private static final int BUFFER_BYTES = 8192;

    private final Process process;

    private ConsoleInput(Process process) {
        this.process = process;
    }

    /**
     * Starts a copying daemon thread. It ends with the JVM at the latest, because reading from a terminal cannot be
     * interrupted.
     */
    static void passTo(Process process) {
        Thread thread = new Thread(new ConsoleInput(process), "fiber-local-input");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (OutputStream out = process.getOutputStream()) {
            for (int read = System.in.read(buffer); read >= 0; read = System.in.read(buffer)) {
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // The process has ended or closed its input; its exit is reported elsewhere.
            return;
        }
    }
}
