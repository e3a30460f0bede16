// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.probe;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** What a process sees of the world. Thread-safe. */
public interface JobWorld {

    /** Returns the environment variables. */
    Map<String, String> environment();

    /** Returns the system properties. */
    Map<String, String> properties();

    /** Returns the command line as other users of the machine can read it. */
    String commandLine();

    /** Returns the directory in which the program was started. */
    String workingDirectory();

    /** Returns the permissions that files of the program do not get, in octal, such as 0022; empty if unknown. */
    String umask();

    /** Returns how many processors the program assumes. */
    int processors();

    /** Returns the maximum size of its heap. */
    long heapBytes();

    /** Returns standard input. */
    InputStream in();

    /** Returns standard output. */
    PrintStream out();

    /** Returns standard error. */
    PrintStream err();

    /** Registers an action to run if the process is asked to end; the process ends when it returns. */
    void onTerminate(Runnable action);

    /** Attaches a resource to the process: if the process dies for any reason, the resource is closed. */
    void own(Closeable resource);

    /**
     * Starts a child process that runs {@code program}.
     *
     * @throws IOException if it cannot be started
     */
    void spawn(Class<? extends JobProgram> program, List<String> arguments) throws IOException;

    /**
     * Starts a child process that runs {@code program} in a session of its own, as a daemon does.
     *
     * @throws IOException if it cannot be started, or the system has no {@code setsid}
     */
    void spawnInSession(Class<? extends JobProgram> program, List<String> arguments) throws IOException;
}
