// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import io.fiber.runtime.protocol.Bootstrap;
import io.fiber.runtime.security.PayloadKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of a session that runs, looked for where others could read them. */
@Tag("slow")
class SecretsStayHiddenTest {

    private static final long GREATEST_FILE_BYTES = 64L << 20;

    @TempDir
    Path directory;

    private final Interceptor interceptor = new Interceptor();
    private final Map<String, byte[]> places = new LinkedHashMap<>();

    /** Keeps all that is logged, as text. */
    private static final class Log extends Handler {
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();

        @Override
        public void publish(LogRecord entry) {
            lines.add(new SimpleFormatter().format(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "udp"})
    void keysAppearInNoCommandLineEnvironmentLogFileOrText(String media) throws Exception {
        Logger root = Logger.getLogger("");
        Level level = root.getLevel();
        Log log = new Log();
        root.addHandler(log);
        root.setLevel(Level.ALL);
        log.setLevel(Level.ALL);
        try {
            Map<String, byte[]> keys = runAndCollect(media);
            places.put("log", String.join("\n", log.lines).getBytes(StandardCharsets.UTF_8));
            assertThat(log.lines).isNotEmpty();
            assertThat(keys).hasSizeGreaterThanOrEqualTo(3);
            keys.forEach(this::assertHidden);
        } finally {
            root.setLevel(level);
            root.removeHandler(log);
        }
    }

    private Map<String, byte[]> runAndCollect(String media) throws Exception {
        Path logging = Files.writeString(
                directory.resolve("logging.properties"),
                "handlers=java.util.logging.ConsoleHandler\n.level=ALL\njava.util.logging.ConsoleHandler.level=ALL\n");
        Path output = directory.resolve("output");
        Map<String, byte[]> keys = new LinkedHashMap<>();
        try (Fiber fiber = LocalFiber.builder(interceptor)
                        .set("aeron.media", media)
                        .set("output", "files")
                        .set("log-directory", output.toString())
                        .set("worker.jvm-options", "-Djava.util.logging.config.file=" + logging)
                        .open();
                Pool pool = fiber.pool(1)) {
            assertThat(SealedSessions.works(pool)).isTrue();
            FiberProcess process = fiber.process(() -> {
                throw new IOException("for its texts");
            });
            process.join();
            keys.put("payload key", payloadKey(fiber));
            for (Bootstrap bootstrap : interceptor.bootstraps()) {
                keys.put(
                        "key of worker " + bootstrap.processAddress().number(),
                        bootstrap.jobKey().copyBytes());
            }
            collectProcesses();
            collectFiles(Path.of("/dev/shm"));
            collectFiles(Path.of(System.getProperty("java.io.tmpdir")));
            places.put(
                    "texts",
                    List.of(fiber, fiber.describe(), pool, process, process.failure(), interceptor.bootstraps())
                            .toString()
                            .getBytes(StandardCharsets.UTF_8));
        }
        collectFiles(output);
        assertThat(places.keySet())
                .anyMatch(place -> place.endsWith("/cmdline"))
                .anyMatch(place -> place.endsWith("/environ"))
                .anyMatch(place -> place.startsWith(output.toString()))
                .anyMatch(place -> place.startsWith("/dev/shm/fiber-"));
        return keys;
    }

    private static byte[] payloadKey(Fiber fiber) throws ReflectiveOperationException {
        return ((PayloadKey) invoke(field(fiber, "supervisor"), "payloadKey"))
                .secret()
                .copyBytes();
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    private static Object invoke(Object of, String name) throws ReflectiveOperationException {
        Method method = of.getClass().getDeclaredMethod(name);
        method.setAccessible(true);
        return method.invoke(of);
    }

    private void collectProcesses() {
        List<Long> pids = new ArrayList<>(List.of(ProcessHandle.current().pid()));
        ProcessHandle.current().descendants().map(ProcessHandle::pid).forEach(pids::add);
        assertThat(pids).hasSizeGreaterThanOrEqualTo(2);
        for (long pid : pids) {
            for (String name : List.of("cmdline", "environ")) {
                collect(Path.of("/proc/" + pid, name));
            }
        }
    }

    private void collectFiles(Path below) {
        try (Stream<Path> entries = Files.list(below)) {
            List<Path> ours = entries.filter(entry -> below.startsWith(directory)
                            || entry.getFileName().toString().startsWith("fiber-"))
                    .toList();
            for (Path entry : ours) {
                walk(entry);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void walk(Path entry) {
        try (Stream<Path> files = Files.walk(entry)) {
            files.filter(file -> Files.isRegularFile(file) && file.toFile().length() < GREATEST_FILE_BYTES)
                    .forEach(this::collect);
        } catch (IOException | UncheckedIOException e) {
            // A file of somebody else that goes away meanwhile.
        }
    }

    private void collect(Path file) {
        try {
            places.put(file.toString(), Files.readAllBytes(file));
        } catch (IOException e) {
            // A process or file that is gone by now shows nothing.
        }
    }

    private void assertHidden(String name, byte[] key) {
        HexFormat hex = HexFormat.of();
        String list = Arrays.toString(key);
        for (byte[] form : List.of(
                key,
                hex.formatHex(key).getBytes(StandardCharsets.US_ASCII),
                hex.withUpperCase().formatHex(key).getBytes(StandardCharsets.US_ASCII),
                HexFormat.ofDelimiter(" ").formatHex(key).getBytes(StandardCharsets.US_ASCII),
                HexFormat.ofDelimiter(":").formatHex(key).getBytes(StandardCharsets.US_ASCII),
                Base64.getEncoder().withoutPadding().encode(key),
                Base64.getUrlEncoder().withoutPadding().encode(key),
                list.substring(1, list.length() - 1).getBytes(StandardCharsets.US_ASCII))) {
            places.forEach((place, content) -> assertThat(contains(content, form))
                    .as("%s in %s", name, place)
                    .isFalse());
        }
    }

    private static boolean contains(byte[] content, byte[] wanted) {
        for (int i = 0; i + wanted.length <= content.length; i++) {
            if (content[i] == wanted[0] && Arrays.equals(content, i, i + wanted.length, wanted, 0, wanted.length)) {
                return true;
            }
        }
        return false;
    }

    @Test
    void searchFindsAKeyThatIsThere() {
        byte[] key = SealedSessions.noise(32);
        byte[] content = SealedSessions.noise(1000);
        System.arraycopy(key, 0, content, content.length - key.length, key.length);
        assertThat(contains(content, key)).isTrue();
        assertThat(contains(Arrays.copyOf(content, content.length - 1), key)).isFalse();
    }
}
