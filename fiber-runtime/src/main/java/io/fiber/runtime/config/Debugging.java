// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * The setting {@code debug}: whether debuggers can attach to workers, and which clocks then stop. A debugger halts all
 * threads of a process, which then looks dead to the others, and a task at a breakpoint looks endless.
 */
public enum Debugging {
    /** No debugger can attach, and all clocks run. */
    OFF("false"),
    /** Each worker listens for a debugger, and runs. */
    ON("true"),
    /** Each worker waits for a debugger before it runs any code. */
    SUSPENDED("suspend");

    /**
     * Used in place of the lease and the start limit. Longer than anyone stays at a breakpoint; a session that is
     * forgotten still ends.
     */
    private static final Duration PATIENCE = Duration.ofDays(1);

    private final String value;

    Debugging(String value) {
        this.value = value;
    }

    /** Returns what the settings choose. */
    public static Debugging of(FiberConfig config) {
        String wanted = config.text(ConfigKey.DEBUG).orElseThrow();
        return Arrays.stream(values())
                .filter(one -> one.value.equals(wanted))
                .findFirst()
                .orElseThrow();
    }

    static boolean isValue(String text) {
        return Arrays.stream(values()).anyMatch(one -> one.value.equals(text));
    }

    public boolean isOn() {
        return this != OFF;
    }

    /**
     * Returns the option with which the JVM of a worker listens for a debugger; empty if it does not. It listens on a
     * free port of the loopback only, because debuggers need no password to run code there.
     */
    public Optional<String> jvmOption() {
        return isOn()
                ? Optional.of("-agentlib:jdwp=transport=dt_socket,server=y,suspend=" + (this == SUSPENDED ? "y" : "n")
                        + ",address=127.0.0.1:0")
                : Optional.empty();
    }

    /** Returns how long a process may be silent. */
    public Duration lease(FiberConfig config) {
        return isOn() ? PATIENCE : config.duration(ConfigKey.LEASE);
    }

    /** Returns how long a worker may take from the start of its job until it is ready. */
    public Duration startLimit(FiberConfig config) {
        return isOn() ? PATIENCE : config.duration(ConfigKey.START_LIMIT);
    }

    /** Returns the deadline of tasks to apply; empty if they may take as long as they like. */
    public Optional<Duration> deadline(Optional<Duration> wanted) {
        return isOn() ? Optional.empty() : wanted;
    }
}
