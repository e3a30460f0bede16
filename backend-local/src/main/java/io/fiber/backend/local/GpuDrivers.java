// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the drivers of this host say about its GPUs.
 *
 * @param root the root of the file system, below which the kernel shows its drivers
 * @param listCommand prints NVIDIA's GPUs. It knows parts of them (MIG), and shows a job of Slurm its own GPUs only
 */
record GpuDrivers(Path root, String listCommand) {

    private static final int LIST_LIMIT_SECONDS = 20;

    /** Returns the drivers of this host. */
    static GpuDrivers ofThisHost() {
        return new GpuDrivers(Path.of("/"), "nvidia-smi");
    }

    /** Returns the variable that tells the programs of this host which GPUs they may use. */
    String variable() {
        return Files.isDirectory(rocm()) && !Files.isDirectory(nvidia()) ? Gpus.ROCR : Gpus.CUDA;
    }

    /** Returns all GPUs; runs a command, which may take seconds, if there is a driver of NVIDIA. */
    Gpus gpus() {
        if (Files.isDirectory(nvidia())) {
            return listed().map(names -> new Gpus(names, Gpus.CUDA, listCommand + " -L"))
                    .orElseGet(this::shown);
        }
        return shown();
    }

    /** Returns the GPUs that files of the drivers show, without parts of them; takes a few milliseconds. */
    Gpus shown() {
        if (Files.isDirectory(nvidia())) {
            Pattern uuid = Pattern.compile("GPU UUID:\\s*(GPU-\\S+)");
            List<String> names = each(nvidia(), "information").stream()
                    .flatMap(text -> uuid.matcher(text).results())
                    .map(found -> found.group(1))
                    .toList();
            return new Gpus(names, Gpus.CUDA, "/" + root.relativize(nvidia()));
        }
        if (Files.isDirectory(rocm())) {
            Pattern computes = Pattern.compile("simd_count [1-9]");
            long count = each(rocm(), "properties").stream()
                    .filter(text -> computes.matcher(text).find())
                    .count();
            List<String> names =
                    IntStream.range(0, (int) count).mapToObj(Integer::toString).toList();
            return new Gpus(names, Gpus.ROCR, "/" + root.relativize(rocm()));
        }
        return new Gpus(List.of(), Gpus.CUDA, "neither a driver of NVIDIA nor of ROCm is loaded");
    }

    private Path nvidia() {
        return root.resolve("proc/driver/nvidia/gpus");
    }

    private Path rocm() {
        return root.resolve("sys/class/kfd/kfd/topology/nodes");
    }

    /** Returns the texts of the files of this name in each directory, in the order of the directories' names. */
    private static List<String> each(Path parent, String file) {
        try (Stream<Path> directories = Files.list(parent)) {
            return directories
                    .sorted()
                    .flatMap(directory -> text(directory.resolve(file)).stream())
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    /** Returns the text of a file; empty if the kernel does not show this process the device. */
    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns what the command lists; empty if it cannot be run. Parts of a GPU replace it. */
    private Optional<List<String>> listed() {
        try {
            Process list = new ProcessBuilder(listCommand, "-L")
                    .redirectInput(Redirect.from(Launch.NOTHING))
                    .redirectError(Redirect.DISCARD)
                    .start();
            // A driver that hangs must not hang this program. A pipe holds the lists of some hundred GPUs.
            if (!list.waitFor(LIST_LIMIT_SECONDS, TimeUnit.SECONDS) || list.exitValue() != 0) {
                list.destroyForcibly();
                return Optional.empty();
            }
            String text = new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Pattern listed = Pattern.compile("UUID: ((GPU|MIG)-[^)]+)\\)");
            List<String> names = new ArrayList<>();
            String whole = "";
            for (String line : text.lines().toList()) {
                Matcher uuid = listed.matcher(line);
                if (uuid.find()) {
                    if (uuid.group(2).equals("GPU")) {
                        whole = uuid.group(1);
                    } else {
                        names.remove(whole);
                    }
                    names.add(uuid.group(1));
                }
            }
            return Optional.of(names);
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
