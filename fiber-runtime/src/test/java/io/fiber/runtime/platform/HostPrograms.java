// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;

/** Programs that the tests run in JVMs of their own, and how to start them. */
final class HostPrograms {

    private HostPrograms() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "master" ->
                master(Path.of(args[1]), Path.of(args[2]), List.of(args).subList(3, args.length));
            case "hello" -> System.out.println("hello");
            case "wait" -> new CountDownLatch(1).await();
            case "fail" -> System.exit(3);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** Holds a session directory and a reaper with one command until it is ended from outside. */
    @SuppressWarnings("resource")
    private static void master(Path parent, Path tmp, List<String> command) throws Exception {
        SessionDirectory directory = SessionDirectory.create(parent, "session");
        ShellReaper reaper = new ShellReaper(List.of(tmp));
        reaper.onDeath(command);
        reaper.onDeath(List.of("/bin/sh", "-c", "echo cancelled > " + tmp.resolve("cancelled")))
                .cancel();
        reaper.removeAtDeath(directory.path());
        OptionalLong child = sayReady(reaper, OptionalLong.empty());
        // A line asks for a registration, which finds that the child is gone.
        while (System.in.read() >= 0) {
            reaper.onDeath(List.of("true"));
            child = sayReady(reaper, child);
        }
    }

    private static OptionalLong sayReady(ShellReaper reaper, OptionalLong before) {
        OptionalLong child = reaper.childPid();
        while (child.isEmpty() || child.equals(before)) {
            Thread.onSpinWait();
            child = reaper.childPid();
        }
        System.out.println("ready " + child.getAsLong());
        return child;
    }

    static Process start(List<String> prefix, List<String> jvmOptions, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(java().toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), HostPrograms.class.getName()));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", File.separatorChar == '\\' ? "java.exe" : "java");
    }
}
