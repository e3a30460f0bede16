// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionDirectoryTest {

    @TempDir
    Path tmp;

    private Path parent;

    @BeforeEach
    void name() {
        parent = tmp.resolve("fiber-me");
    }

    @Test
    void isOursAloneAndGoesWithTheSession() throws IOException {
        SessionDirectory directory = SessionDirectory.create(parent, "abc");
        Files.createDirectories(directory.path().resolve("deep/er"));
        Files.createSymbolicLink(directory.path().resolve("link"), tmp);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(parent)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.path())))
                .isEqualTo("rwx------");
        assertThat(Files.readAllLines(directory.path().resolve("owner")))
                .startsWith(Long.toString(ProcessHandle.current().pid()))
                .hasSize(3);

        directory.close();
        directory.close();

        assertThat(parent).isEmptyDirectory();
        assertThat(tmp).exists();
    }

    @Test
    void oneThatCannotBeMadeIsToldWithItsPathAndTheReason() throws IOException {
        String start = "FBR-320 The session's directory '" + parent.resolve("abc")
                + "' (below java.io.tmpdir) cannot be made: ";
        String end = " Free some space or make the directory writable, or name another one with -Djava.io.tmpdir.";
        Path missing = tmp.resolve("missing/fiber-me");
        assertThatThrownBy(() -> SessionDirectory.open(missing, "abc"))
                .isInstanceOf(FiberException.class)
                .hasMessage("FBR-320 The session's directory '" + missing.resolve("abc")
                        + "' (below java.io.tmpdir) cannot be made: '" + missing
                        + "': the directory above it does not exist." + end);

        Files.writeString(parent, "a file");
        assertThatThrownBy(() -> SessionDirectory.open(parent, "abc"))
                .hasMessage(start + "'" + parent
                        + "' cannot hold files of this session, because it is not a directory; expected a directory"
                        + " of this user with permissions rwx------. Remove it, or set java.io.tmpdir to a directory"
                        + " that other users cannot write.");
    }

    /** The superuser may write everywhere; the file system for processes refuses it all the same. */
    @Test
    void systemsOwnReasonIsTold() {
        Path inProc = Path.of("/proc/fiber-me");
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self")));

        assertThatThrownBy(() -> SessionDirectory.open(inProc, "abc"))
                .hasMessageStartingWith("FBR-320 The session's directory '/proc/fiber-me/abc' (below java.io.tmpdir)"
                        + " cannot be made: ")
                .hasMessageMatching("(?s).*: '/proc/fiber-me': [^'/]{8,}\\. Free some space or .*");
    }

    @Test
    void liesInTheTemporaryDirectoryUnderTheUsersName() throws IOException {
        String id = "test" + ProcessHandle.current().pid();
        try (SessionDirectory directory = SessionDirectory.open(id)) {
            String tmpdir = System.getProperty("java.io.tmpdir");
            assertThat(directory.path().toString())
                    .isEqualTo(tmpdir + "/fiber-" + System.getProperty("user.name") + "/" + id);
        }
    }

    private void withTemporaryDirectory(String name, Body body) throws Exception {
        String before = System.getProperty("java.io.tmpdir");
        System.setProperty("java.io.tmpdir", name);
        try {
            body.run();
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
    }

    private interface Body {
        void run() throws Exception;
    }

    @Test
    void temporaryDirectoryMayBeNamedByAWayRound() throws Exception {
        Files.createDirectory(tmp.resolve("beside"));
        withTemporaryDirectory(tmp + "/./beside/..", () -> {
            try (SessionDirectory directory = SessionDirectory.open("abc");
                    ShellReaper reaper = ShellReaper.of(directory)) {
                assertThat(directory.path()).hasToString(tmp + "/fiber-" + System.getProperty("user.name") + "/abc");
                assertThat(reaper).hasToString("ShellReaper[1 registered, 1 slots]");
            }
        });
    }

    /** On a host where only workers run, no session is opened that would remove anything. */
    @Test
    void sharedDirectoryTakesThePlaceOfThoseWhoseMakerIsGone() throws Exception {
        withTemporaryDirectory(tmp.toString(), () -> {
            Path first = SessionDirectory.shared("other-copies", made -> {});
            Path own = SessionDirectory.shared("own-copies", made -> {});
            Process ended = new ProcessBuilder("true").start();
            ended.waitFor();
            for (Path left : List.of(first, own)) {
                List<String> owner = new ArrayList<>(Files.readAllLines(left.resolve("owner")));
                owner.set(0, Long.toString(ended.pid()));
                Files.write(left.resolve("owner"), owner);
                Files.writeString(left.resolve("value"), "copied");
            }
            List<Path> made = new ArrayList<>();

            assertThat(SessionDirectory.shared("own-copies", made::add)).isEqualTo(own);
            assertThat(SessionDirectory.shared("own-copies", made::add)).isEqualTo(own);

            assertThat(made).containsExactly(own);
            assertThat(own.resolve("value")).doesNotExist();
            assertThat(first).doesNotExist();
        });
    }

    @Test
    void userWithoutAPlainNameIsCalledByItsNumber() throws IOException {
        String uid = Files.getAttribute(Path.of("/proc/self/task"), "unix:uid").toString();

        assertThat(SessionDirectory.user("ada-2")).isEqualTo("ada-2");
        assertThat(SessionDirectory.user("?")).isEqualTo(uid);
        assertThat(SessionDirectory.user("")).isEqualTo(uid);
        assertThat(SessionDirectory.user("a.b")).isEqualTo(uid);
    }

    @Test
    void secondSessionOfOneNameIsRefused() throws IOException {
        try (SessionDirectory first = SessionDirectory.create(parent, "abc")) {
            assertThatThrownBy(() -> SessionDirectory.create(parent, "abc"))
                    .isInstanceOf(FileAlreadyExistsException.class);
            assertThat(first.path()).exists();
        }
    }

    @Test
    void parentThatIsALinkIsRefused() throws IOException {
        Files.createSymbolicLink(parent, Files.createDirectory(tmp.resolve("elsewhere")));

        assertThatThrownBy(() -> SessionDirectory.create(parent, "abc"))
                .isInstanceOf(FileSystemException.class)
                .hasMessage(
                        "'" + parent + "' cannot hold files of this session, because it is a symbolic link; expected"
                                + " a directory of this user with permissions rwx------. Remove it, or set"
                                + " java.io.tmpdir to a directory that other users cannot write.");
        assertThat(tmp.resolve("elsewhere")).isEmptyDirectory();
    }

    @Test
    void parentThatOthersMayEnterIsRefused() throws IOException {
        Files.createDirectory(parent);
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> SessionDirectory.create(parent, "abc"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("because its permissions are rwxrwxrwx; expected");
    }

    @Test
    void parentOfAnotherUserIsRefused() throws IOException {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")), "only the superuser can give a directory away");
        PrivateDirectory.create(parent);
        Files.setAttribute(parent, "unix:uid", 65534);

        assertThatThrownBy(() -> SessionDirectory.create(parent, "abc"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("because it belongs to ");
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void staleDirectoriesAreRemovedAndLivingOnesStay() throws Exception {
        try (SessionDirectory living = SessionDirectory.create(parent, "living")) {
            ProcessIdentity self = ProcessIdentity.current();
            Process ended = new ProcessBuilder("true").start();
            ended.waitFor();
            owned("gone", new ProcessIdentity(ended.pid(), self.start(), self.scope()));
            owned("reused", new ProcessIdentity(self.pid(), self.start() + "0", self.scope()));
            owned("other-host", new ProcessIdentity(ended.pid(), self.start(), "other pid:[1]"));
            Files.createDirectory(parent.resolve("new"));
            Path old = Files.createDirectory(parent.resolve("old"));
            Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
            Path precious = Files.createDirectory(tmp.resolve("precious"));
            Files.writeString(precious.resolve("file"), "");
            Files.createSymbolicLink(parent.resolve("gone").resolve("link"), precious);
            Files.createSymbolicLink(parent.resolve("link"), precious);

            assertThat(SessionDirectory.removeStale(parent)).isEqualTo(3);

            assertThat(parent.toFile().list()).containsExactlyInAnyOrder("living", "other-host", "new", "link");
            assertThat(precious.resolve("file")).exists();
            assertThat(living.path()).exists();
        }
    }

    /** The JDK's time of a start moves when the clock is set; what the kernel counts from its boot does not. */
    @Test
    void processStaysTheSameWhenTheClockIsSet() throws Exception {
        Path boot = Path.of("/proc/sys/kernel/random/boot_id");
        Assumptions.assumeTrue(Files.exists(boot));
        Process child = new ProcessBuilder("sh", "-c", "echo ready; read end; exit 0").start();
        try {
            child.inputReader().readLine();
            String line = Files.readString(Path.of("/proc/" + child.pid() + "/stat"));
            String ticks = line.split(" ", -1)[21];
            String start = Files.readString(boot).strip() + " " + ticks;
            ProcessIdentity self = ProcessIdentity.current();

            assertThat(new ProcessIdentity(child.pid(), start, self.scope()).isDead())
                    .isFalse();
            assertThat(new ProcessIdentity(child.pid(), start + "1", self.scope()).isDead())
                    .isTrue();
            assertThat(new ProcessIdentity(child.pid(), "another boot " + ticks, self.scope()).isDead())
                    .isTrue();
            assertThat(new ProcessIdentity(child.pid(), "", self.scope()).isDead())
                    .isFalse();
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void nothingIsRemovedFromAParentThatOthersMayWrite() throws Exception {
        ProcessIdentity self = ProcessIdentity.current();
        PrivateDirectory.create(parent);
        owned("reused", new ProcessIdentity(self.pid(), self.start() + "0", self.scope()));
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(SessionDirectory.removeStale(parent)).isZero();
        assertThat(SessionDirectory.removeStale(tmp.resolve("missing"))).isZero();

        assertThat(parent.resolve("reused")).exists();
    }

    private void owned(String name, ProcessIdentity owner) throws IOException {
        Path directory = Files.createDirectory(parent.resolve(name));
        Files.write(directory.resolve("owner"), List.copyOf(owner.lines()));
    }
}
