// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples.torch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example runs as a real program, with a real PyTorch in each member. */
@Tag("soak")
final class TorchRingTest {
    private static final long LIMIT_SECONDS = 900;

    @TempDir
    private Path directory;

    @Test
    void theLossFallsAndAllMembersEndWithTheSameWeights() throws Exception {
        List<String> lines = run();

        assertThat(loss(lines, "step 299 loss ")).isLessThan(0.15).isLessThan(loss(lines, "step 0 loss ") / 3);
        assertThat(lines).contains("all 3 members have the same weights: true");
    }

    private static double loss(List<String> lines, String beginning) {
        String line = lines.stream()
                .filter(each -> each.contains(beginning))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no '" + beginning + "' in " + lines));
        return Double.parseDouble(line.substring(line.indexOf(beginning) + beginning.length()));
    }

    /** PyTorch's libraries are laid out in a directory of the test's; nobody is asked over the network. */
    private List<String> run() throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TorchRing.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().put("DJL_CACHE_DIR", directory.resolve("djl").toString());
        builder.environment().put("DJL_OFFLINE", "true");
        builder.environment().put("OPT_OUT_TRACKING", "true");
        Process process = builder.start();
        try {
            boolean hasEnded = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            String printed = Files.readString(out);
            assertThat(hasEnded).as("ended; it printed:\n%s", printed).isTrue();
            assertThat(process.exitValue())
                    .as("exit code; it printed:\n%s", printed)
                    .isZero();
            return printed.lines().toList();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
