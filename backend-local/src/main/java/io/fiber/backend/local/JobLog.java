// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.spi.backend.JobOutput;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Where one job's output goes, and what of it can be read back. Thread-safe. */
sealed interface JobLog permits ConsoleLog, FileLog {

    /**
     * What programs of this host write in, UTF-8 where the locale has ASCII alone. Not the default charset, which is UTF-8 from
     * JDK 18 on whatever the host has.
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

    /** Directs the output of a process that is about to start. */
    void direct(ProcessBuilder process);

    /** Begins to read the output of the process, where it has to be read. */
    void attach(Process process);

    /**
     * Waits for the last lines of a job that has ended; for some seconds at most, as what it started may hold its pipe. Blocks
     * the job's own thread.
     */
    void awaitLastLines();

    /** Returns the last lines, oldest first. */
    List<String> lastLines(int count);
}
