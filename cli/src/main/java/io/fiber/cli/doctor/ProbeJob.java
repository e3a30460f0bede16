// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.doctor;

import java.io.File;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The job that examines its host. It is a single class that needs no other, because it is sent alone. It prints {@code
 * fiber-doctor name=value} lines.
 */
public final class ProbeJob {

    static final String MARK = "fiber-doctor ";

    private static final int ATTEMPTS = 3;
    private static final int ANSWER_LIMIT_MS = 1_000;
    private static final int CONNECT_LIMIT_MS = 10_000;
    /** Two silent callers may be before it. */
    private static final int TCP_ANSWER_LIMIT_MS = 25_000;

    private static final int ANSWER_BYTES = 256;

    private ProbeJob() {}

    /** Examines the host. The arguments are the host to call, its UDP and TCP ports, and the word to send. */
    public static void main(String[] arguments) {
        say("java", System.getProperty("java.version"));
        say("home", System.getProperty("java.home"));
        say("user", System.getProperty("user.name"));
        say("processors", Runtime.getRuntime().availableProcessors());
        say("heap-mib", Runtime.getRuntime().maxMemory() >> 20);
        File shared = new File("/dev/shm");
        say("shm-mib", shared.isDirectory() ? shared.getUsableSpace() >> 20 : -1);
        say("shm-writable", shared.canWrite());
        say("tmp-writable", new File(System.getProperty("java.io.tmpdir")).canWrite());
        byte[] word = arguments[3].getBytes(StandardCharsets.US_ASCII);
        try {
            callByUdp(InetAddress.getByName(arguments[0]), Integer.parseInt(arguments[1]), word);
        } catch (IOException e) {
            say("udp", "failed: " + e);
        }
        try {
            say("tcp", callByTcp(InetAddress.getByName(arguments[0]), Integer.parseInt(arguments[2]), word));
        } catch (IOException e) {
            say("tcp", "failed: " + e);
        }
        say("end", "reached");
    }

    private static String callByTcp(InetAddress host, int port, byte[] word) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), CONNECT_LIMIT_MS);
            socket.setSoTimeout(TCP_ANSWER_LIMIT_MS);
            socket.getOutputStream().write(word);
            socket.shutdownOutput();
            return socket.getInputStream().readNBytes(ANSWER_BYTES).length > 0 ? "answered" : "no answer";
        }
    }

    private static void callByUdp(InetAddress host, int port, byte[] question) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(host, port);
            socket.setSoTimeout(ANSWER_LIMIT_MS);
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                long beforeMs = System.currentTimeMillis();
                try {
                    socket.send(new DatagramPacket(question, question.length));
                    DatagramPacket answer = new DatagramPacket(new byte[ANSWER_BYTES], ANSWER_BYTES);
                    socket.receive(answer);
                    long afterMs = System.currentTimeMillis();
                    byte[] bytes = Arrays.copyOf(answer.getData(), answer.getLength());
                    long theirsMs = Long.parseLong(new String(bytes, StandardCharsets.US_ASCII));
                    say("udp", "answered");
                    say("clock-ahead-ms", (beforeMs + afterMs) / 2 - theirsMs);
                    say("round-trip-ms", afterMs - beforeMs);
                    return;
                } catch (SocketTimeoutException e) {
                    say("udp-attempt", attempt);
                }
            }
            say("udp", "no answer");
        }
    }

    private static void say(String name, Object value) {
        System.out.println(MARK + name + "=" + value);
    }
}
