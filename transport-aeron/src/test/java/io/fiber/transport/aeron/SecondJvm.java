// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportProvider.CodePath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A real second process with the class path of the tests; ended with the test. */
final class SecondJvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    private SecondJvm(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static SecondJvm start(Class<?> main, String... arguments) throws IOException {
        return startUnder(new String[0], main, arguments);
    }

    /** Starts it through another command, given with its own arguments. */
    static SecondJvm startUnder(String[] wrapper, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(wrapper));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(new AeronTransportProvider().jvmOptions(CodePath.CLASS_PATH));
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=4", "-cp", System.getProperty("java.class.path")));
        command.add("-Dfiber.test.session=" + Fixture.SESSION);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.remove("JDK_JAVA_OPTIONS");
        environment.remove("JAVA_TOOL_OPTIONS");
        return new SecondJvm(builder.start());
    }

    /** Returns the next line it printed, waiting for it; empty at the end. */
    String line() throws IOException {
        String line = output.readLine();
        return line == null ? "" : line;
    }

    boolean hasOutput() throws IOException {
        return output.ready();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            throw new AssertionError("process " + process.pid() + " still runs");
        }
        return process.exitValue();
    }

    /** Kills it as {@code kill -9} does, and drives these transports until it is dead. */
    void kill(Transport... driven) {
        process.destroyForcibly();
        Drive.until("dead", () -> !isAlive(), driven);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        output.close();
    }
}
