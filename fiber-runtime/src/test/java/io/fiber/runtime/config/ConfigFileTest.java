// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {

    @TempDir
    Path directory;

    @Test
    void linesAreKeysAndValuesWithOrWithoutPrefix() {
        assertThat(ConfigFile.lines("f", "# comment\n\n  backend=slurm \r\nfiber.lease = 30s\nimage = a=b # c\n"))
                .containsExactly(
                        new ConfigFile.Line("backend", "slurm", 3),
                        new ConfigFile.Line("lease", "30s", 4),
                        new ConfigFile.Line("image", "a=b # c", 5));
    }

    @Test
    void everyLineThatSetsNothingIsNamedButNotShown() {
        assertFault(() -> ConfigFile.lines("f", "backend slurm\n= 5\nlease = \n"), """
                FBR-122 f line 1 is not of the form 'key = value'. Comments begin with '#'.
                FBR-122 f line 2 is not of the form 'key = value'. Comments begin with '#'.
                FBR-122 f line 3 is not of the form 'key = value'. Comments begin with '#'.""");
    }

    @Test
    void keySetTwiceIsAnError() {
        assertFault(
                () -> ConfigFile.lines("f", "lease = 5s\nfiber.lease = 6s\n"),
                "FBR-122 f line 2 sets 'lease', which line 1 sets already. Remove one of them.");
    }

    @Test
    void absentFileSetsNothing() {
        assertThat(ConfigFile.readFound(directory.resolve(".fiberconfig"))).isEmpty();
    }

    @Test
    void fileThatWasNamedMustExist() {
        Path file = directory.resolve("none");
        assertFault(
                () -> ConfigFile.readNamed(file, new Origin(Origin.Source.ENVIRONMENT, "FIBER_CONFIG")),
                "FBR-123 The settings file '" + file
                        + "' (from environment variable FIBER_CONFIG) does not exist or is"
                        + " not a file. Create it, or remove the setting 'config'.");
    }

    @Test
    void fileThatIsNotTextIsRefused() throws IOException {
        Path file = Files.write(directory.resolve("binary"), new byte[] {'a', (byte) 0xC3, '='});
        assertFault(
                () -> ConfigFile.readFound(file),
                "FBR-123 The settings file " + file + " is not UTF-8 text. Save it as UTF-8.");
    }

    @Test
    void hugeFileIsRefused() throws IOException {
        Path file = Files.write(directory.resolve("huge"), new byte[(1 << 20) + 1]);
        assertFault(
                () -> ConfigFile.readFound(file),
                "FBR-123 The settings file " + file
                        + " has 1048577 bytes; at most 1048576 are read. Is it another kind of file?");
    }

    @Test
    void fileThatEverybodyCanWriteIsRefused() throws IOException {
        Path file = Files.writeString(directory.resolve("open"), "lease = 5s");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--rw-"));
        String text = "FBR-124 The settings file " + file + " can be written by every user, and it decides which"
                + " programs are started. Run: chmod o-w " + file;

        assertFault(() -> ConfigFile.readFound(file), text);
        assertFault(() -> ConfigFile.readNamed(file, Origin.OF_CODE), text);
    }

    @Test
    void fileOfAnotherUserIsReadOnlyWhenItIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("foreign"), "lease = 5s");
        try {
            Files.setAttribute(file, "unix:uid", 54_321);
        } catch (IOException e) {
            Assumptions.abort("only root can give a file to another user: " + e);
        }

        assertFault(
                () -> ConfigFile.readFound(file),
                "FBR-124 The settings file " + file + " belongs to another user (uid 54321), and it decides which"
                        + " programs are started. If you trust it, name it: FIBER_CONFIG=" + file);
        assertThat(ConfigFile.readNamed(file, Origin.OF_CODE)).containsExactly(new ConfigFile.Line("lease", "5s", 1));
    }

    private static void assertFault(ThrowingCallable call, String text) {
        assertThatExceptionOfType(ConfigurationException.class).isThrownBy(call).withMessage(text);
    }
}
