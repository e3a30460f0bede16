// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.support.batch.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives, unpacked by the tar of this host. */
class TarArchiveTest {

    @TempDir
    Path directory;

    @Test
    void tarUnpacksFilesOfAnySizeForTheirOwnerAlone() throws IOException {
        Random random = new Random(1);
        Map<String, byte[]> files = new TreeMap<>();
        for (int size : new int[] {0, 1, 511, 512, 513, 100_000}) {
            byte[] content = new byte[size];
            random.nextBytes(content);
            files.put(size + ".bootstrap", content);
        }
        Path archive = Files.write(directory.resolve("archive"), TarArchive.of(files));
        Path to = Files.createDirectory(directory.resolve("to"));

        Commands.Answer answer = Cluster.answer("tar", "-xf", archive.toString(), "-C", to.toString());

        assertThat(answer).isEqualTo(new Commands.Answer(0, "", ""));
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path unpacked = to.resolve(file.getKey());
            assertThat(unpacked).hasBinaryContent(file.getValue());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(unpacked)))
                    .isEqualTo("rw-------");
        }
    }
}
