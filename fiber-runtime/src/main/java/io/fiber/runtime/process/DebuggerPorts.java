// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.logging.Logs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Logs on which port each worker listens for a debugger. The worker's JVM chooses a free port, and another one when a
 * debugger has left. It prints the port, even if it waits for a debugger before it runs any code; so the ports are read
 * from the output of workers. Belongs to the conductor.
 */
public final class DebuggerPorts implements Duty {

    private static final System.Logger LOG = Logs.of(DebuggerPorts.class);
    /** A person waits for it, and a look may be a call of the platform for each worker. */
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    /** The lines that a task may print between two looks. */
    private static final int LINES = 100;

    private static final Pattern LISTENING =
            Pattern.compile("Listening for transport dt_socket at address: (?:.*:)?(\\d+)");

    private final WorkerSupervisor supervisor;
    private final Conductor conductor;
    private final Map<RemoteWorker, String> ports = new HashMap<>();
    private boolean reading;
    private long lookedNs;

    /** Creates the duty of a session whose workers can be debugged. */
    public DebuggerPorts(WorkerSupervisor supervisor, Conductor conductor) {
        this.supervisor = supervisor;
        this.conductor = conductor;
        this.lookedNs = conductor.nowNs();
    }

    @Override
    public int doWork(long nowNs) {
        if (!reading && nowNs - lookedNs >= LOOK_NS) {
            lookedNs = nowNs;
            List<RemoteWorker> workers = supervisor.running();
            ports.keySet().retainAll(workers);
            if (!workers.isEmpty()) {
                reading = true;
                supervisor.blocking(() -> read(workers), thrown -> reading = false);
            }
        }
        return 0;
    }

    @Override
    public boolean isTimed() {
        return supervisor.size() > 0;
    }

    /** Reads the output of workers, which may block. */
    private void read(List<RemoteWorker> workers) {
        Map<RemoteWorker, String> found = new HashMap<>();
        for (RemoteWorker worker : workers) {
            for (String line : WorkerSupervisor.lastLines(requireNonNull(worker.job(), "job"), LINES)) {
                Matcher listening = LISTENING.matcher(line);
                if (listening.matches()) {
                    found.put(worker, listening.group(1));
                }
            }
        }
        conductor.execute(() -> tell(found));
    }

    private void tell(Map<RemoteWorker, String> found) {
        reading = false;
        found.forEach((worker, port) -> {
            if (!port.equals(ports.put(worker, port))) {
                LOG.log(System.Logger.Level.INFO, worker.title() + " listens for a debugger at 127.0.0.1:" + port);
            }
        });
    }
}
