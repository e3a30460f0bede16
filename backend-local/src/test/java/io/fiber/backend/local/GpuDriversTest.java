// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.Probe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What drivers show, as files and a command in their formats: hosts with GPUs are rare. */
class GpuDriversTest {

    @TempDir
    Path root;

    private GpuDrivers drivers() {
        return new GpuDrivers(root, root.resolve("nvidia-smi").toString());
    }

    private Gpus found(Map<String, String> variables) {
        return Gpus.of(Options.none(), Environment.of(variables, Map.of()), drivers());
    }

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void nvidia() throws IOException {
        file("proc/driver/nvidia/gpus/0000:01:00.0/information", """
                Model: 		 NVIDIA A100-SXM4-40GB
                IRQ:   		 123
                GPU UUID: 	 GPU-5c89852c-d268-c3f3-1b07-005d5ae1dc3f
                Bus Location: 	 0000:01:00.0
                """);
        file("proc/driver/nvidia/gpus/0000:41:00.0/information", """
                Model: 		 NVIDIA A100-SXM4-40GB
                GPU UUID: 	 GPU-b5b5f9d0-6f4f-d4f1-0f3e-3a2a0c8f6c11
                """);
    }

    private void command(String script) throws IOException {
        file("nvidia-smi", "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(root.resolve("nvidia-smi"), PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void probeShowsTheGpusOfTheOption() {
        Environment environment = Environment.of(Map.of(), Map.of("fiber.local.gpus", "3, 4"));

        assertThat(((Probe.Usable) new LocalBackendProvider().probe(environment)).evidence())
                .isEqualTo("this JVM can start child processes; GPUs 3, 4 (fiber.local.gpus)");
    }

    @Test
    void hostWithoutADriverHasNone() {
        assertThat(found(Map.of()).described()).isEqualTo("no GPU (neither a driver of NVIDIA nor of ROCm is loaded)");
    }

    @Test
    void commandListsGpusAndTheirParts() throws IOException {
        nvidia();
        command("""
                [ "$1" = -L ] || exit 2
                echo "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-5c89852c-d268-c3f3-1b07-005d5ae1dc3f)"
                echo "  MIG 3g.20gb     Device  0: (UUID: MIG-8c2c4f5e-4e4d-5b0b-8d29-0e1a1f7d2a01)"
                echo "  MIG 3g.20gb     Device  1: (UUID: MIG-8c2c4f5e-4e4d-5b0b-8d29-0e1a1f7d2a02)"
                echo "GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-b5b5f9d0-6f4f-d4f1-0f3e-3a2a0c8f6c11)"
                """);

        Gpus gpus = found(Map.of());

        assertThat(gpus.names())
                .containsExactly(
                        "MIG-8c2c4f5e-4e4d-5b0b-8d29-0e1a1f7d2a01",
                        "MIG-8c2c4f5e-4e4d-5b0b-8d29-0e1a1f7d2a02",
                        "GPU-b5b5f9d0-6f4f-d4f1-0f3e-3a2a0c8f6c11");
        assertThat(gpus.variable()).isEqualTo("CUDA_VISIBLE_DEVICES");
    }

    @Test
    void filesOfTheDriverAreReadWithoutTheCommand() throws IOException {
        nvidia();

        assertThat(found(Map.of()).described())
                .isEqualTo("GPUs GPU-5c89852c-d268-c3f3-1b07-005d5ae1dc3f, GPU-b5b5f9d0-6f4f-d4f1-0f3e-3a2a0c8f6c11"
                        + " (/proc/driver/nvidia/gpus)");
    }

    @Test
    void filesOfTheDriverAreReadIfTheCommandFails() throws IOException {
        nvidia();
        command("echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18\n");

        assertThat(found(Map.of()).names()).hasSize(2);
    }

    @Test
    void rocmCountsNodesThatCompute() throws IOException {
        file("sys/class/kfd/kfd/topology/nodes/0/properties", "cpu_cores_count 64\nsimd_count 0\n");
        file("sys/class/kfd/kfd/topology/nodes/1/properties", "cpu_cores_count 0\nsimd_count 440\n");
        file("sys/class/kfd/kfd/topology/nodes/2/properties", "cpu_cores_count 0\nsimd_count 440\n");

        Gpus gpus = found(Map.of());
        Gpus some = found(Map.of("HIP_VISIBLE_DEVICES", "1"));

        assertThat(gpus.names()).containsExactly("0", "1");
        assertThat(gpus.variable()).isEqualTo("ROCR_VISIBLE_DEVICES");
        assertThat(some.names()).containsExactly("1");
        assertThat(some.variable()).isEqualTo("ROCR_VISIBLE_DEVICES");
        assertThat(some.misleadingVariables()).contains("HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES");
    }

    @Test
    void variablesOfThisProgramOverrideDrivers() throws IOException {
        nvidia();

        assertThat(found(Map.of("CUDA_VISIBLE_DEVICES", "2, GPU-5c89,2,-1,3")).described())
                .isEqualTo("GPUs 2, GPU-5c89 (CUDA_VISIBLE_DEVICES)");
        assertThat(found(Map.of("CUDA_VISIBLE_DEVICES", "NoDevFiles")).described())
                .isEqualTo("no GPU (CUDA_VISIBLE_DEVICES)");
        assertThat(found(Map.of("CUDA_VISIBLE_DEVICES", "")).described()).isEqualTo("no GPU (CUDA_VISIBLE_DEVICES)");
        assertThat(found(Map.of("ROCR_VISIBLE_DEVICES", "1")).variable()).isEqualTo("ROCR_VISIBLE_DEVICES");
    }
}
