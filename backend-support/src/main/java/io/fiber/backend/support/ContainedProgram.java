// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Calculates the command and the memory of a job's container. For a Java program, the requested memory is its heap.
 * Threads, code and {@code /dev/shm} need memory in addition.
 *
 * @param spec the spec of the job
 * @param memoryBytes the memory of the program, as its spec requests or as the user has set it for all programs
 */
public record ContainedProgram(JobSpec spec, OptionalLong memoryBytes) {

    private static final String JAVA = "java";
    private static final long LEAST_REST_BYTES = 192L << 20;

    /** Returns the program of a spec with the memory that the spec requests, or by default with {@code usualBytes}. */
    public static ContainedProgram of(JobSpec spec, OptionalLong usualBytes) {
        OptionalLong asked = spec.resources().memoryBytes();
        return new ContainedProgram(spec, asked.isPresent() ? asked : usualBytes);
    }

    /**
     * Returns the words that run the program in a container. A JVM would take its user's name and home directory from
     * the image's accounts, where the user may be missing, or have a directory that does not exist.
     *
     * @param program the program of the spec, with the container's paths
     * @param home the home directory, unless the spec sets {@code HOME}
     * @param user the user that runs it; empty for the image's own
     */
    public List<String> words(Program program, String home, Optional<UserIds> user) {
        if (program instanceof Program.Java java) {
            List<String> own = new ArrayList<>();
            memoryBytes.ifPresent(bytes -> own.add("-Xmx" + (bytes >> 10) + "k"));
            own.add("-Duser.home=" + spec.environment().getOrDefault("HOME", home));
            user.ifPresent(ids -> own.add("-Duser.name=" + ids.name()));
            return java.commandLine(JAVA, own, ":");
        }
        return ((Program.Command) program).words();
    }

    /**
     * Returns the memory limit of the container; empty for no limit.
     *
     * @param shmBytes the size of its {@code /dev/shm}
     */
    public OptionalLong limitBytes(long shmBytes) {
        if (memoryBytes.isEmpty() || spec.program() instanceof Program.Command) {
            return memoryBytes;
        }
        long heap = memoryBytes.getAsLong();
        return OptionalLong.of(heap + restBytes(heap) + shmBytes);
    }

    /**
     * Returns that limit with its parts in words: "320 MiB: heap 64 MiB, 192 MiB beside it, 64 MiB of /dev/shm". Empty
     * for no limit.
     *
     * @param shmBytes the size of its {@code /dev/shm}
     */
    public Optional<String> limitWords(long shmBytes) {
        OptionalLong limit = limitBytes(shmBytes);
        if (limit.isEmpty()) {
            return Optional.empty();
        }
        String all = size(limit.getAsLong());
        if (spec.program() instanceof Program.Command) {
            return Optional.of(all);
        }
        long heap = memoryBytes.getAsLong();
        return Optional.of(all + ": heap " + size(heap) + ", " + size(restBytes(heap)) + " beside it, " + size(shmBytes)
                + " of /dev/shm");
    }

    /** Returns the memory for threads, code and buffers of a Java program. */
    private static long restBytes(long heapBytes) {
        return Math.max(heapBytes / 4, LEAST_REST_BYTES);
    }

    /** Returns a size in the largest unit in which it is a whole number, so that parts add up. */
    private static String size(long bytes) {
        if (bytes % (1 << 20) == 0) {
            return (bytes >> 20) + " MiB";
        }
        return bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " bytes";
    }

    /** Returns the name of the program's executable. */
    public String executable() {
        return spec.program() instanceof Program.Java java
                ? java.executable().orElse(JAVA)
                : ((Program.Command) spec.program()).words().get(0);
    }

    /**
     * Returns the message for an image that lacks the program, without a code.
     *
     * @param image the image, and where its name was set
     * @param words the platform's message
     */
    public String missingIn(String image, String words) {
        return "The image " + image + " has no program '" + executable() + "' that can be run: " + words
                + ". Expected an image with "
                + (executable().equals(JAVA) ? "a JRE 17 or later whose 'java' is on its PATH" : "that program")
                + ". Name another image, or the program's path in this one.";
    }

    /** Returns the image for jobs if the user has set none: a JRE of this JVM's version. */
    public static String defaultImage() {
        return "eclipse-temurin:" + Runtime.version().feature() + "-jre";
    }
}
