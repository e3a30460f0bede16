// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers have their files in {@code /tmp}, which is root's: that must not be taken for what they run as. */
class DirectoryIdentityTest {

    private static final int SOMEBODY = 4242;

    @TempDir
    Path tmp;

    private Path ofSomebodyElse;
    private Path mine;

    @BeforeEach
    void makeDirectories() throws IOException {
        assumeThat(Path.of("/proc/self/task")).as("a Linux").exists();
        mine = Files.createDirectory(
                tmp.resolve("fiber"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        ofSomebodyElse = Path.of("/");
        if (DirectoryIdentity.of(mine).uid()
                == DirectoryIdentity.of(ofSomebodyElse).uid()) {
            ofSomebodyElse = Files.createDirectory(tmp.resolve("other"));
            Files.setAttribute(ofSomebodyElse, "unix:uid", SOMEBODY);
        }
    }

    @Test
    void theUserIsTheOneThatThisProcessRunsAs() throws IOException {
        assertThat(DirectoryIdentity.userNumber(ofSomebodyElse))
                .isEqualTo(DirectoryIdentity.of(mine).uid());
        assertThat(DriverDirectory.userOf(ofSomebodyElse))
                .isEqualTo(String.valueOf(DirectoryIdentity.of(mine).uid()));
    }

    @Test
    void aDirectoryOfThisUserIsProvenThoughItsOwnFilesLieInOneOfAllUsers() throws IOException {
        DirectoryIdentity identity = DirectoryIdentity.of(mine);
        assertThatCode(() -> identity.prove(mine, ofSomebodyElse)).doesNotThrowAnyException();
    }

    @Test
    void whatAKilledProcessLeftIsFoundByItsUser() throws IOException {
        Path left = Files.createDirectory(tmp.resolve("fiber-1-abcdefghijkl-1"));
        assertThat(StaleDirectories.ours(tmp, ofSomebodyElse, "fiber-1-")).containsExactly(left);
    }

    @Test
    void whatAnotherProcessHasRemovedNeedsNoRemoval() {
        assertThatCode(() -> StaleDirectories.deleteTree(tmp.resolve("fiber-1-abcdefghijkl-1")))
                .doesNotThrowAnyException();
    }
}
