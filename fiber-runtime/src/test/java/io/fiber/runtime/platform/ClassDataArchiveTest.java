// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.runtime.platform.ClassDataArchive.Launch;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.Reaper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassDataArchiveTest {

    private static final Duration LIMIT = Duration.ofSeconds(150);
    private static final String MAIN = HostPrograms.class.getName();

    @TempDir
    Path tmp;

    private final List<List<String>> registered = new CopyOnWriteArrayList<>();
    private final Reaper reaper = command -> {
        registered.add(command);
        return () -> registered.remove(command);
    };
    private Path cache = Path.of("");
    private Launch launch = new Launch(List.of(), List.of());

    @BeforeEach
    void launch() throws IOException {
        cache = tmp.resolve("cache");
        Path jar = jar();
        launch = new Launch(
                List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "-Xmx64m"),
                List.of(jar.toString()));
    }

    @Test
    void archiveIsMadeOnceAndUsedInSilence() throws Exception {
        try (ClassDataArchive archive = open()) {
            assertThat(archive.optionsFor(launch)).isEmpty();

            train(archive, "hello");

            assertThat(archive.optionsFor(launch)).hasSize(4).last().asString().startsWith("-XX:SharedArchiveFile=");
            assertThat(run(launch, archive.optionsFor(launch))).containsExactly("hello");
            List<String> verbose = new ArrayList<>(archive.optionsFor(launch));
            verbose.add("-Xlog:class+load");
            assertThat(run(launch, verbose))
                    .anySatisfy(line -> assertThat(line).contains(MAIN).contains("shared objects file (top)"));
            assertThat(names()).hasSize(2);
            assertThat(registered).isEmpty();
        }
    }

    @Test
    void archiveFitsOneSetOfJarsAndOptions() throws Exception {
        try (ClassDataArchive archive = open()) {
            train(archive, "hello");

            Launch moreMemory = new Launch(launch.jvmOptions().subList(0, 2), launch.jars());
            Launch otherOptions = new Launch(List.of("-XX:+UseParallelGC"), launch.jars());
            Launch ownArchive = new Launch(List.of("-Xshare:off"), launch.jars());
            Launch noJars = new Launch(launch.jvmOptions(), List.of());
            assertThat(archive.optionsFor(moreMemory)).isNotEmpty();
            assertThat(archive.optionsFor(otherOptions)).isEmpty();
            assertThat(archive.optionsFor(ownArchive)).isEmpty();
            assertThat(archive.optionsFor(noJars)).isEmpty();

            List<String> options = archive.optionsFor(launch);
            Path jar = Path.of(launch.jars().get(0));
            Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
            assertThat(archive.optionsFor(launch)).isEmpty();
            assertThat(run(launch, options)).as("an archive that does not fit").containsExactly("hello");
        }
    }

    /** JDK 17 would die of SIGBUS. */
    @Test
    void archiveThatWasCutShortIsNotUsed() throws Exception {
        try (ClassDataArchive archive = open()) {
            train(archive, "hello");
            String option = archive.optionsFor(launch).get(3);
            Path file = Path.of(option.substring(option.indexOf('=') + 1));
            byte[] half = new byte[(int) (Files.size(file) / 2)];
            Files.delete(file);
            Files.write(file, half);

            assertThat(archive.optionsFor(launch)).isEmpty();
        }
    }

    @Test
    void failedTrainingIsNotRepeatedTheSameDay() throws Exception {
        try (ClassDataArchive archive = open()) {
            archive.trainInBackground(launch, MAIN, List.of("fail"));
            await().atMost(LIMIT).until(() -> names().stream().anyMatch(name -> name.endsWith(".failed")));
            await().atMost(LIMIT).until(() -> names().size() == 1);
            ArchiveStore store = new ArchiveStore(cache);
            ArchiveKey key = ArchiveKey.of(launch).orElseThrow();

            assertThat(store.claim(key)).isFalse();
            Files.setLastModifiedTime(
                    cache.resolve(key.fileName() + ".failed"),
                    FileTime.from(Instant.now().minus(Duration.ofDays(2))));
            assertThat(store.claim(key)).isTrue();
        }
    }

    @Test
    void oneProcessIsTheTrainerUntilItIsGone() throws Exception {
        ArchiveStore store = new ArchiveStore(PrivateDirectory.create(cache));
        ArchiveKey key = ArchiveKey.of(launch).orElseThrow();

        assertThat(store.claim(key)).isTrue();
        assertThat(store.claim(key)).isFalse();
        store.release(key);
        assertThat(store.claim(key)).isTrue();

        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        ProcessIdentity self = ProcessIdentity.current();
        Files.write(
                cache.resolve(key.fileName() + ".training"),
                new ProcessIdentity(ended.pid(), self.start(), self.scope()).lines());
        assertThat(store.claim(key)).isTrue();
    }

    @Test
    void closeGivesUpTheTrainingRun() throws Exception {
        List<ProcessHandle> before = ProcessHandle.current().children().toList();
        ClassDataArchive archive = open();
        archive.trainInBackground(launch, MAIN, List.of("wait"));
        await().atMost(LIMIT).until(() -> registered.size() == 1);

        archive.close();
        archive.close();

        // It waits for two seconds and no longer.
        await().pollDelay(Duration.ZERO).atMost(LIMIT).untilAsserted(() -> {
            assertThat(ProcessHandle.current().children().toList()).isSubsetOf(before);
            assertThat(names()).isEmpty();
            assertThat(registered).isEmpty();
        });
        archive.trainInBackground(launch, MAIN, List.of("hello"));
        assertThat(names()).isEmpty();
    }

    @Test
    void endOfTheTrainingIsAwaitedWhereTheDirectoryLasts() throws Exception {
        try (ClassDataArchive first = open()) {
            first.trainInBackground(launch, MAIN, List.of("wait"));
            first.awaitTraining(LIMIT);
        }
        await().atMost(LIMIT).until(() -> names().isEmpty());
        try (ClassDataArchive second = open()) {
            second.trainInBackground(launch, MAIN, List.of("hello"));
            second.awaitTraining(LIMIT);

            assertThat(names()).hasSize(2);
            assertThat(second.optionsFor(launch)).isNotEmpty();
        }
    }

    @Test
    void trainingThatWasAwaitedInVainIsNotRepeatedTheSameDay() throws Exception {
        PrivateDirectory.create(cache);
        try (ClassDataArchive archive = open()) {
            archive.trainInBackground(launch, MAIN, List.of("wait"));
            await().atMost(LIMIT).until(() -> registered.size() == 1);
            archive.awaitTraining(Duration.ofMillis(1));
        }

        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(names()).singleElement().asString().endsWith(".failed"));
    }

    @Test
    void archivesThatWereNotUsedForLongestMakeRoom() throws Exception {
        ArchiveStore store = new ArchiveStore(PrivateDirectory.create(cache));
        for (int i = 0; i <= ArchiveStore.MOST_ARCHIVES; i++) {
            ArchiveKey key = new ArchiveKey("key " + i);
            store.publish(key, Files.writeString(tmp.resolve("written"), "archive"));
            Files.setLastModifiedTime(
                    cache.resolve(key.fileName() + ".txt"),
                    FileTime.from(Instant.now().minus(Duration.ofHours(100 - i))));
        }

        assertThat(names()).hasSize(2 * ArchiveStore.MOST_ARCHIVES);
        assertThat(store.find(new ArchiveKey("key 0"))).isEmpty();
        assertThat(store.find(new ArchiveKey("key 1"))).isPresent();
    }

    @Test
    void directoryThatOthersCanWriteIsNotUsed() throws IOException {
        Files.createDirectory(cache);
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(ClassDataArchive.open(Optional.of(cache), environment(Map.of()), reaper))
                .isEmpty();
        assertThat(cache).isEmptyDirectory();
    }

    @Test
    void cacheDirectoryIsTheUsersOwn() {
        Environment xdg = Environment.of(Map.of("XDG_CACHE_HOME", cache.toString()), Map.of("user.home", "/none"));
        assertThat(ClassDataArchive.open(Optional.empty(), xdg, reaper)).isPresent();
        assertThat(cache.resolve("fiber/cds")).isDirectory();

        assertThat(ClassDataArchive.open(Optional.empty(), environment(Map.of("user.home", tmp.toString())), reaper))
                .isPresent();
        assertThat(tmp.resolve(".cache/fiber/cds")).isDirectory();
    }

    @Test
    void userWithoutAHomeHasNoCacheDirectory() {
        assertThat(ClassDataArchive.open(Optional.empty(), environment(Map.of("user.home", "?")), reaper))
                .isEmpty();

        assertThat(Path.of("?")).doesNotExist();
    }

    private ClassDataArchive open() {
        return ClassDataArchive.open(Optional.of(cache), environment(Map.of()), reaper)
                .orElseThrow();
    }

    private static Environment environment(Map<String, String> properties) {
        return Environment.of(Map.of(), properties);
    }

    private void train(ClassDataArchive archive, String program) {
        archive.trainInBackground(launch, MAIN, List.of(program));
        await("archive made")
                .atMost(LIMIT)
                .until(() -> !archive.optionsFor(launch).isEmpty());
        await("claim given back").atMost(LIMIT).until(() -> names().size() == 2);
    }

    private List<String> names() {
        String[] names = cache.toFile().list();
        return names == null ? List.of() : List.of(names);
    }

    private List<String> run(Launch launch, List<String> options) throws Exception {
        List<String> command = new ArrayList<>(List.of(HostPrograms.java().toString()));
        command.addAll(options);
        command.addAll(launch.jvmOptions());
        String path = String.join(File.pathSeparator, launch.jars()) + File.pathSeparator + tmp;
        command.addAll(List.of("-cp", path, MAIN, "hello"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }

    private Path jar() throws IOException {
        Path jar = tmp.resolve("programs.jar");
        String name = MAIN.replace('.', '/') + ".class";
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                InputStream in = HostPrograms.class.getResourceAsStream("HostPrograms.class")) {
            out.putNextEntry(new JarEntry(name));
            assertThat(in).isNotNull();
            in.transferTo(out);
            out.closeEntry();
        }
        return jar;
    }
}
