// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import io.fiber.spi.OptionType;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.probe.JobProgram;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A simulated process: the threads of a program, with its files and streams. Thread-safe. */
final class SimulatedProcess {

    private final JobSpec spec;
    private final Submission.Instance instance;
    private final Path directory;
    private final SimulatedPlatform platform;
    private final LineLog output;
    private volatile ProcessGroup group;
    private @Nullable Path bootstrapFile;

    SimulatedProcess(JobSpec spec, Submission.Instance instance, Path directory, SimulatedPlatform platform) {
        this.spec = spec;
        this.instance = instance;
        this.directory = directory;
        this.platform = platform;
        this.group = new ProcessGroup(platform.sessions());
        this.output = new LineLog(line -> hand(line, System.out), line -> hand(line, System.err));
    }

    LineLog output() {
        return output;
    }

    private void hand(String line, PrintStream console) {
        if (spec.output() instanceof JobOutput.Console) {
            console.println(line);
        } else if (spec.output() instanceof JobOutput.Files files) {
            try {
                Files.createDirectories(files.directory());
                Files.writeString(
                        files.directory().resolve(instance.name() + ".log"),
                        line + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot write the log of job '" + instance.name() + "'.", e);
            }
        }
    }

    /** Returns why the program of the spec cannot be started; null if it can. */
    @Nullable
    String whyNotStartable() {
        Command command = Command.of(spec.program());
        try {
            command.load();
            return null;
        } catch (ReflectiveOperationException | ClassCastException e) {
            return "'" + command.main() + "' of " + command.words() + " is not a JobProgram that this JVM can load: "
                    + e;
        }
    }

    /** Starts the program of the spec; {@code onEnd} receives its exit code. */
    void start(IntConsumer onEnd) {
        try {
            start(Command.of(spec.program()).load(), onEnd);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The program could be loaded a moment ago.", e);
        }
    }

    /** Starts the program of the spec again when it has ended. */
    void startAgain(IntConsumer onEnd) {
        group.kill();
        group = new ProcessGroup(platform.sessions());
        start(onEnd);
    }

    void start(JobProgram program, IntConsumer onEnd) {
        Command command = Command.of(spec.program());
        Map<String, String> environment = new HashMap<>(spec.environment());
        byte[] bootstrap = instance.bootstrap().copyBytes();
        byte[] input = new byte[0];
        if (bootstrap.length > 0 && platform.delivery() == SimulatedPlatform.Delivery.FILE) {
            environment.put(JobSpec.BOOTSTRAP_VARIABLE, "file:" + writeBootstrap(bootstrap));
        } else if (bootstrap.length > 0) {
            environment.put(JobSpec.BOOTSTRAP_VARIABLE, "stdin");
            input = ByteBuffer.allocate(Integer.BYTES + bootstrap.length)
                    .putInt(bootstrap.length)
                    .put(bootstrap)
                    .array();
        }
        HeldInput in = new HeldInput(input);
        group.own(in);
        SimulatedWorld world = new SimulatedWorld(
                new SimulatedWorld.Surroundings(
                        environment,
                        command.properties(),
                        String.join(" ", command.words()),
                        command.heapBytes(),
                        spec.workingDirectory().map(Path::toString).orElse("/simulated"),
                        platform.umask()),
                in,
                output,
                group);
        group.start(instance.name(), program, world, command.arguments(), onEnd);
    }

    private synchronized Path writeBootstrap(byte[] bytes) {
        Path file = directory.resolve(instance.name() + ".bootstrap");
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write the bootstrap file of job '" + instance.name() + "'.", e);
        }
        bootstrapFile = file;
        return file;
    }

    void askToEnd() {
        group.askToEnd();
    }

    void kill() {
        group.kill();
    }

    void join() throws InterruptedException {
        group.join();
    }

    /** Removes what the process had; call it when the process has ended. */
    synchronized void cleanUp() {
        group.kill();
        output.finish();
        Path file = bootstrapFile;
        if (file != null) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot delete the bootstrap file " + file + ".", e);
            }
        }
    }

    /** A program of a spec, split into its parts. */
    private record Command(List<String> words, String main, List<String> arguments, Map<String, String> properties) {

        static Command of(Program program) {
            if (program instanceof Program.Java java) {
                return new Command(
                        java.commandLine("java", List.of(), ":"),
                        java.main(),
                        java.arguments(),
                        properties(java.jvmOptions()));
            }
            List<String> words = ((Program.Command) program).words();
            int at = 1;
            while (at < words.size() && words.get(at).startsWith("-")) {
                at += words.get(at).equals("-cp") ? 2 : 1;
            }
            if (at >= words.size()) {
                return new Command(words, words.get(0), List.of(), Map.of());
            }
            return new Command(
                    words, words.get(at), words.subList(at + 1, words.size()), properties(words.subList(1, at)));
        }

        private static Map<String, String> properties(List<String> options) {
            Map<String, String> properties = new HashMap<>();
            for (String option : new ArrayList<>(options)) {
                int equals = option.indexOf('=');
                if (option.startsWith("-D") && equals > 0) {
                    properties.put(option.substring(2, equals), option.substring(equals + 1));
                }
            }
            return properties;
        }

        /** Returns the value of the last -Xmx, as in a JVM. */
        long heapBytes() {
            return words.stream()
                    .filter(word -> word.startsWith("-Xmx"))
                    .map(word -> OptionType.parseSize(word.substring("-Xmx".length())))
                    .reduce(SimulatedWorld.HEAP_BYTES, (earlier, later) -> later);
        }

        JobProgram load() throws ReflectiveOperationException {
            return Class.forName(main)
                    .asSubclass(JobProgram.class)
                    .getConstructor()
                    .newInstance();
        }
    }
}
