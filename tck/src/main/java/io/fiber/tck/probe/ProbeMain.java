// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.probe;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Calls the kit, reports what it found, and does what it is told.
 *
 * <p>Arguments: {@code host:port} of the kit, a token by which the kit recognizes it, and any others, which it reports.
 * If the kit closes the connection, it ends with code 86, so that no probe outlives its test.
 */
public final class ProbeMain implements JobProgram {

    /** The exit code of a probe whose kit is gone. */
    public static final int KIT_IS_GONE = 86;

    private static final long GREATEST_MEAL_BYTES = 4L << 30;
    private static final int BITE_BYTES = 8 << 20;

    private volatile boolean stubborn;

    /** Creates the program. */
    public ProbeMain() {}

    /** Runs the program as a process. */
    public static void main(String[] arguments) {
        ProcessWorld.exitWith(new ProbeMain(), arguments);
    }

    @Override
    public int run(JobWorld world, List<String> arguments) throws Exception {
        try (HomeLine home = HomeLine.dial(world, arguments.get(0))) {
            home.say("token", arguments.get(1));
            home.say("arguments", String.join("\0", arguments.subList(2, arguments.size())));
            List<String> variables = new ArrayList<>();
            world.environment().forEach((name, value) -> variables.add(name + "=" + value));
            home.say("environment", String.join("\0", variables));
            home.say("heap", String.valueOf(world.heapBytes()));
            home.say("processors", String.valueOf(world.processors()));
            home.say("marker", world.properties().getOrDefault("probe.marker", ""));
            home.say("directory", world.workingDirectory());
            home.say("umask", world.umask());
            home.say("command-line", world.commandLine());
            reportBootstrap(world, home);
            world.onTerminate(() -> endUnlessStubborn(home));
            home.say("ready", "");
            return obey(world, home, arguments.get(0));
        }
    }

    private static void reportBootstrap(JobWorld world, HomeLine home) throws IOException {
        BootstrapBytes bootstrap = BootstrapBytes.of(world);
        home.say("bootstrap-form", bootstrap.areInFile() ? "file" : bootstrap.place());
        if (bootstrap.areInFile()) {
            Path file = bootstrap.file();
            home.say("bootstrap-mode", Files.getPosixFilePermissions(file).toString());
            home.say("bootstrap-directories", String.join("\0", directoriesOf(file)));
        }
        home.sayBytes("bootstrap", bootstrap.read());
        if (bootstrap.areInStandardInput()) {
            watchStandardInput(world.in(), home);
        }
    }

    /** Returns the directories above a file, each after its permissions. */
    private static List<String> directoriesOf(Path file) throws IOException {
        List<String> directories = new ArrayList<>();
        for (Path above = file.toRealPath().getParent(); above != null; above = above.getParent()) {
            directories.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(above)) + " " + above);
        }
        return directories;
    }

    private static void watchStandardInput(InputStream in, HomeLine home) {
        Thread watcher = new Thread(
                () -> {
                    try {
                        int next = in.read();
                        home.say("event", next < 0 ? "stdin-ended" : "stdin-continued");
                    } catch (IOException e) {
                        home.say("event", "stdin-failed");
                    }
                },
                "stdin-watcher");
        watcher.setDaemon(true);
        watcher.start();
    }

    private void endUnlessStubborn(HomeLine home) {
        home.say("event", "asked-to-end");
        if (stubborn) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private int obey(JobWorld world, HomeLine home, String kit) throws IOException {
        while (true) {
            List<String> words = home.hear();
            if (words.isEmpty()) {
                return KIT_IS_GONE;
            }
            String argument = words.size() > 1 ? words.get(1) : "";
            switch (words.get(0)) {
                case "exit" -> {
                    return Integer.parseInt(argument);
                }
                case "print" -> world.out().println(argument);
                case "complain" -> world.err().println(argument);
                case "write" -> write(world, argument);
                case "spawn" -> world.spawn(ProbeMain.class, List.of(kit, argument));
                case "spawn-in-session" -> spawnInSession(world, home, List.of(kit, argument));
                case "stubborn" -> stubborn = true;
                case "eat" -> home.say("eaten", String.valueOf(eat()));
                case "read" -> home.say("read", Files.readString(Path.of(argument), StandardCharsets.UTF_8));
                default ->
                    throw new IOException("The kit said '" + words.get(0) + "', which is not a command of a probe.");
            }
            world.out().flush();
            home.say("done", words.get(0));
        }
    }

    /** Writes a text without a line end, in the charset of the machine, or in UTF-8 if that has only ASCII. */
    private static void write(JobWorld world, String text) throws IOException {
        Charset charset = Charset.forName(world.properties().getOrDefault("native.encoding", "UTF-8"));
        world.out().write(text.getBytes(charset.newEncoder().canEncode(text) ? charset : StandardCharsets.UTF_8));
    }

    private static void spawnInSession(JobWorld world, HomeLine home, List<String> arguments) {
        try {
            world.spawnInSession(ProbeMain.class, arguments);
        } catch (IOException e) {
            home.say("no-sessions", String.valueOf(e.getMessage()));
        }
    }

    private static long eat() {
        List<byte[]> meal = new ArrayList<>();
        for (long eaten = 0; eaten < GREATEST_MEAL_BYTES; eaten += BITE_BYTES) {
            byte[] bite = new byte[BITE_BYTES];
            for (int at = 0; at < BITE_BYTES; at += 4096) {
                bite[at] = 1;
            }
            meal.add(bite);
        }
        return meal.stream().mapToLong(bite -> bite.length).sum();
    }
}
