// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFilesTest {

    private final LocalFiles files = new LocalFiles();

    @Test
    void treeThatIsDeletedIsGoneAndOneThatIsNotThereIsToo(@TempDir Path directory) throws IOException {
        Path tree = directory.resolve("tree");
        Files.createDirectories(tree.resolve("a/b"));
        Files.createFile(tree.resolve("a/file"));
        Files.createSymbolicLink(tree.resolve("a/link"), directory);

        files.deleteTree(tree);
        files.deleteTree(tree);

        assertThat(directory).isEmptyDirectory();
    }

    /** The kernel lets not even root delete these. */
    @Test
    void treeThatCannotBeDeletedIsNotTakenForGone() {
        Path tree = Path.of("/proc/self/fdinfo");
        assumeThat(tree).isDirectory();

        assertThatThrownBy(() -> files.deleteTree(tree))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining(tree.toString());
    }
}
