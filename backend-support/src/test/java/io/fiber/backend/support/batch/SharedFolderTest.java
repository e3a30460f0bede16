// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedFolderTest {

    private static final BatchName NAME = new BatchName("batch", "Batch", "KeepTime");
    private static final String SESSION = "abcdefghij01";

    @TempDir
    Path directory;

    /** The second directory is one too many. */
    private static SharedFiles filesOfAFullDisk() {
        LocalFiles files = new LocalFiles();
        return (SharedFiles) Proxy.newProxyInstance(
                SharedFiles.class.getClassLoader(), new Class<?>[] {SharedFiles.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("makeDirectory") && ((Path) arguments[0]).endsWith("news")) {
                        throw new IOException("No space left on device");
                    }
                    return method.invoke(files, arguments);
                });
    }

    @Test
    void folderThatCannotBeMadeWholeIsAnErrorAndLeavesNothing() {
        assertThatThrownBy(() -> SharedFolder.create(NAME, filesOfAFullDisk(), directory, SESSION))
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-133 The folder '" + directory.resolve("fiber-" + SESSION)
                        + "' for scripts and output of jobs cannot be made: java.io.IOException: No space left on device."
                        + " Set fiber.batch.directory to a directory that can be written and that all nodes see, or free"
                        + " some space if the disk or a quota is full.");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void folderOfAnotherIsLeftAlone() throws IOException {
        Path other = Files.createDirectory(directory.resolve("fiber-" + SESSION));
        Files.createFile(other.resolve("kept"));

        assertThatThrownBy(() -> SharedFolder.create(NAME, new LocalFiles(), directory, SESSION))
                .hasCauseInstanceOf(FileAlreadyExistsException.class);
        assertThat(other.resolve("kept")).exists();
    }
}
