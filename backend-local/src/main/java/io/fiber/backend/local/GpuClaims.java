// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.spi.Environment;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which processes hold which GPUs, in a file that the programs of a user on this host share. A claim ends with its
 * process and the group of that, however they end. Used by one thread at a time.
 *
 * <p>Programs in other containers have files of their own, because their process ids mean nothing here.
 */
final class GpuClaims {

    private static final Pattern LINE = Pattern.compile("(\\S+) ([0-9]{1,18}) ([0-9]{1,18})");

    /** A lock of the file system belongs to a whole JVM, and closing any channel of the file would end it. */
    private static final Object ONE_OF_THIS_JVM = new Object();

    /**
     * A line of the file.
     *
     * @param start the process's start in ticks since boot, which tells it from a later one with the same pid
     */
    record Claim(String gpu, long pid, long start) {

        private static Optional<Claim> of(String line) {
            Matcher claim = LINE.matcher(line);
            return claim.matches()
                    ? Optional.of(
                            new Claim(claim.group(1), Long.parseLong(claim.group(2)), Long.parseLong(claim.group(3))))
                    : Optional.empty();
        }

        private String line() {
            return gpu + " " + pid + " " + start;
        }

        /** Returns whether the process or another one of its group lives. */
        private boolean isAlive() {
            Optional<ProcessStat> leader = ProcessStat.of(pid);
            if (leader.isPresent() && leader.get().isAlive()) {
                return leader.get().startTicks() == start;
            }
            return ProcessStat.areThere()
                    ? ProcessStat.all().anyMatch(each -> each.group() == pid && each.isAlive())
                    : ProcessHandle.of(pid).isPresent();
        }
    }

    /**
     * The answer to a request.
     *
     * @param granted as many as were asked for, or none
     * @param inTheWay the claims of others, if too few are free
     */
    record Answer(List<String> granted, List<Claim> inTheWay) {}

    private final Path file;
    private final Path lock;

    /** Processes whose claims hold until {@link #release}. */
    private final Set<Long> ours = new HashSet<>();

    /**
     * The process that opened this session and its ancestors. A job that was given GPUs may pass them on to jobs of its
     * own.
     */
    private final Set<Long> ancestors = new HashSet<>();

    /** Uses a file in this directory. */
    GpuClaims(Path directory, Environment environment) {
        String scope = scope(environment);
        file = directory.resolve("gpus" + scope);
        lock = directory.resolve("gpus" + scope + ".lock");
        Optional<ProcessHandle> next = Optional.of(ProcessHandle.current());
        while (next.isPresent()) {
            ancestors.add(next.get().pid());
            next = next.get().parent();
        }
    }

    /**
     * Claims GPUs for a process that runs already.
     *
     * @return empty if another program is claiming at this moment
     * @throws IOException if the file cannot be read or written
     */
    Optional<Answer> claim(List<String> gpus, int count, long pid) throws IOException {
        synchronized (ONE_OF_THIS_JVM) {
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.tryLock()) {
                return held == null ? Optional.empty() : Optional.of(claimAlone(gpus, count, pid));
            } catch (OverlappingFileLockException e) {
                // A program within this JVM that has loaded this class a second time.
                return Optional.empty();
            }
        }
    }

    private Answer claimAlone(List<String> gpus, int count, long pid) throws IOException {
        List<Claim> claims = new ArrayList<>(read().stream()
                .filter(claim -> ours.contains(claim.pid) || claim.isAlive())
                .toList());
        List<Claim> inTheWay = claims.stream()
                .filter(claim -> gpus.contains(claim.gpu) && !ancestors.contains(claim.pid))
                .toList();
        List<String> free = gpus.stream()
                .filter(gpu -> inTheWay.stream().noneMatch(claim -> claim.gpu.equals(gpu)))
                .limit(count)
                .toList();
        if (free.size() < count) {
            return new Answer(List.of(), inTheWay);
        }
        long start = ProcessStat.of(pid).map(ProcessStat::startTicks).orElse(0L);
        free.forEach(gpu -> claims.add(new Claim(gpu, pid, start)));
        write(claims);
        ours.add(pid);
        return new Answer(free, List.of());
    }

    Path lock() {
        return lock;
    }

    Path file() {
        return file;
    }

    /** Lets the claims of a process end as soon as nothing of its group lives. */
    void release(long pid) {
        ours.remove(pid);
    }

    private List<Claim> read() throws IOException {
        return Files.exists(file)
                ? Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
                        .flatMap(line -> Claim.of(line).stream())
                        .toList()
                : List.of();
    }

    /** Replaces the file, so that a program that is killed meanwhile leaves the old one or the new one. */
    private void write(List<Claim> claims) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.write(fresh, claims.stream().map(Claim::line).toList());
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Returns what distinguishes boots and pid namespaces; empty if the system is not Linux. In a job of Slurm, numbers of
     * GPUs count within the job.
     */
    private static String scope(Environment environment) {
        String job = environment.variable("SLURM_JOB_ID").map(id -> "-" + id).orElse("");
        try {
            String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
            String namespace =
                    Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            return "-" + boot.substring(0, 8) + "-" + namespace.replaceAll("[^0-9]", "") + job;
        } catch (IOException e) {
            return "";
        }
    }
}
