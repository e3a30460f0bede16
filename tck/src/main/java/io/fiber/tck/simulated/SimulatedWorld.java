// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import io.fiber.tck.probe.JobProgram;
import io.fiber.tck.probe.JobWorld;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** The world that a simulated process sees. */
final class SimulatedWorld implements JobWorld {

    /** The initial environment of a process. */
    record Surroundings(
            Map<String, String> environment,
            Map<String, String> properties,
            String commandLine,
            long heapBytes,
            String workingDirectory,
            String umask) {}

    private static final int PROCESSORS = 8;
    static final long HEAP_BYTES = 1 << 30;

    private final Surroundings surroundings;
    private final InputStream in;
    private final LineLog log;
    private final PrintStream out;
    private final PrintStream err;
    private final ProcessGroup group;

    SimulatedWorld(Surroundings surroundings, InputStream in, LineLog log, ProcessGroup group) {
        this.surroundings = surroundings;
        this.in = in;
        this.log = log;
        this.out = log.out();
        this.err = log.err();
        this.group = group;
    }

    @Override
    public Map<String, String> environment() {
        return surroundings.environment();
    }

    @Override
    public Map<String, String> properties() {
        return surroundings.properties();
    }

    @Override
    public String commandLine() {
        return surroundings.commandLine();
    }

    @Override
    public String workingDirectory() {
        return surroundings.workingDirectory();
    }

    @Override
    public String umask() {
        return surroundings.umask();
    }

    @Override
    public int processors() {
        return PROCESSORS;
    }

    @Override
    public long heapBytes() {
        return surroundings.heapBytes();
    }

    @Override
    public InputStream in() {
        return in;
    }

    @Override
    public PrintStream out() {
        return out;
    }

    @Override
    public PrintStream err() {
        return err;
    }

    @Override
    public void onTerminate(Runnable action) {
        group.onTerminate(action);
    }

    @Override
    public void own(Closeable resource) {
        group.own(resource);
    }

    @Override
    public void spawn(Class<? extends JobProgram> program, List<String> arguments) throws IOException {
        spawn(program, arguments, group);
    }

    @Override
    public void spawnInSession(Class<? extends JobProgram> program, List<String> arguments) throws IOException {
        spawn(program, arguments, group.ofNewSession());
    }

    private void spawn(Class<? extends JobProgram> program, List<String> arguments, ProcessGroup of)
            throws IOException {
        try {
            JobProgram child = program.getConstructor().newInstance();
            Surroundings born = new Surroundings(
                    Map.of(),
                    Map.of(),
                    program.getName(),
                    HEAP_BYTES,
                    surroundings.workingDirectory(),
                    surroundings.umask());
            HeldInput nothing = new HeldInput(new byte[0]);
            of.own(nothing);
            of.start("child", child, new ChildWorld(new SimulatedWorld(born, nothing, log, of)), arguments, code -> {});
        } catch (ReflectiveOperationException e) {
            throw new IOException("Cannot start " + program.getName() + ".", e);
        }
    }

    /** The world of a child, which does not receive a request to end; it dies with its group. */
    private record ChildWorld(SimulatedWorld world) implements JobWorld {
        @Override
        public Map<String, String> environment() {
            return world.environment();
        }

        @Override
        public Map<String, String> properties() {
            return world.properties();
        }

        @Override
        public String commandLine() {
            return world.commandLine();
        }

        @Override
        public String workingDirectory() {
            return world.workingDirectory();
        }

        @Override
        public String umask() {
            return world.umask();
        }

        @Override
        public int processors() {
            return world.processors();
        }

        @Override
        public long heapBytes() {
            return world.heapBytes();
        }

        @Override
        public InputStream in() {
            return world.in();
        }

        @Override
        public PrintStream out() {
            return world.out();
        }

        @Override
        public PrintStream err() {
            return world.err();
        }

        @Override
        public void onTerminate(Runnable action) {}

        @Override
        public void own(Closeable resource) {
            world.own(resource);
        }

        @Override
        public void spawn(Class<? extends JobProgram> program, List<String> arguments) throws IOException {
            world.spawn(program, arguments);
        }

        @Override
        public void spawnInSession(Class<? extends JobProgram> program, List<String> arguments) throws IOException {
            world.spawnInSession(program, arguments);
        }
    }
}
