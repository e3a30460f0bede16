// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.spi.backend.JobOutput;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The destination of a job's output, from which its last lines can be read. Thread-safe. */
sealed interface JobLog permits ConsoleLog, FileLog {

    /**
     * The charset in which programs of this host write; UTF-8 if the locale has only ASCII. This is not the default
     * charset, which is UTF-8 from JDK 18 on, whatever the host uses.
     */
    Charset CHARSET = nativeCharset();

    private static Charset nativeCharset() {
        String name = System.getProperty("native.encoding", "UTF-8");
        Charset charset = Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
        return charset.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : charset;
    }

    /** Returns the log of a job that is about to start. */
    static JobLog of(JobOutput output, String name) {
        if (output instanceof JobOutput.Files files) {
            return new FileLog(Launch.createLogDirectory(files).resolve(name + ".log"));
        }
        return new ConsoleLog(name, output instanceof JobOutput.Console);
    }

    /** Redirects the output of a process that is about to start. */
    void direct(ProcessBuilder process);

    /** Starts reading the output of the process, if necessary. */
    void attach(Process process);

    /**
     * Waits for the last lines of a job that has ended, but only for a bounded time, because processes that it started
     * may still hold its pipe. Blocks the job's own thread.
     */
    void awaitLastLines();

    /** Returns the last lines, oldest first. */
    List<String> lastLines(int count);
}
