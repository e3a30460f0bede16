// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * The directory of this process's driver: in shared memory if there is room, otherwise below the directory of the
 * process.
 */
final class DriverDirectory {

    static final Path SHARED_MEMORY = Path.of("/dev/shm");
    static final String PREFIX = "fiber-";

    /**
     * Where peers on this host that dialled over the network have their directories, below that of the process that
     * invited them.
     */
    static final String PEERS = "peers";

    /** The file by which driver and clients communicate, and which holds all counters. */
    private static final long SMALLEST_CNC_BYTES = 9L << 20;

    private static final int SMALLEST_COUNTERS_BYTES = 1 << 20;

    /**
     * The driver's counters for a peer: positions, limits and states of both directions of a link, and the peer's
     * heartbeat.
     */
    static final int COUNTERS_OF_A_PEER = 24;

    /** In shared memory, each direction has three: a limit and two positions. */
    static final int COUNTERS_OF_A_NEAR_PEER = 8;

    private static final int BYTES_OF_A_COUNTER = 128;
    private static final int LOSS_REPORT_BYTES = 1 << 20;

    private static final int NAMES_TO_TRY = 64;

    private DriverDirectory() {}

    /**
     * Returns the length of the buffer of counter values. Five times as much is written with zeros when the driver
     * starts.
     */
    static int counterValuesBytes(TransportSettings settings) {
        TransportContext context = settings.context();
        boolean areNear = settings.mayShareMemory() && DirectoryIdentity.isSupported(context.directory());
        return counterValuesBytes(context.maxPeers(), areNear ? COUNTERS_OF_A_NEAR_PEER : COUNTERS_OF_A_PEER);
    }

    /** Returns the length of the buffer of counter values for this many peers. */
    static int counterValuesBytes(int maxPeers, int countersOfAPeer) {
        long wanted = (long) maxPeers * countersOfAPeer * BYTES_OF_A_COUNTER;
        int bytes = SMALLEST_COUNTERS_BYTES;
        while (bytes < wanted && bytes < 256 << 20) {
            bytes <<= 1;
        }
        return bytes;
    }

    /**
     * Creates the directory of a driver, accessible only to this user. If a process dials another process of this host,
     * it creates its directory in the other one's, which then removes it if the dialling process is killed.
     *
     * @throws TransportException (NO_ROOM) if there is no room for one link, (UNUSABLE) if the directory cannot be
     *     created
     */
    static Path make(TransportSettings settings, AeronLink.Side side) {
        TransportContext context = settings.context();
        long fixedBytes =
                SMALLEST_CNC_BYTES + 5L * (counterValuesBytes(settings) - SMALLEST_COUNTERS_BYTES) + LOSS_REPORT_BYTES;
        long linkBytes = settings.conversation().leastLinkBytes();
        Path parent = choose(context.directory(), fixedBytes, linkBytes, context.maxPeers());
        StaleDirectories.remove(parent, context.directory(), StaleDirectories.Witness.NUMBER_AND_HEARTBEAT);
        try {
            return side == AeronLink.Side.INVITING
                    ? createWithPeers(parent, context)
                    : create(withInviter(parent, context), context);
        } catch (IOException e) {
            throw new TransportException(
                    Kind.UNUSABLE, "A directory for the media driver cannot be made in '" + parent + "': " + e, e);
        }
    }

    private static Path choose(Path own, long fixedBytes, long linkBytes, int maxPeers) {
        long wantedBytes = fixedBytes + linkBytes * maxPeers;
        long neededBytes = fixedBytes + linkBytes;
        boolean hasSharedMemory = Files.isDirectory(SHARED_MEMORY) && Files.isWritable(SHARED_MEMORY);
        long sharedBytes = hasSharedMemory ? usableBytes(SHARED_MEMORY) : 0;
        if (sharedBytes >= wantedBytes) {
            return SHARED_MEMORY;
        }
        // Driver and client exchange the names of files in ASCII.
        boolean isOwnNamed = StandardCharsets.US_ASCII.newEncoder().canEncode(own.toString());
        long ownBytes = isOwnNamed ? usableBytes(own) : 0;
        if (ownBytes >= wantedBytes || (ownBytes >= neededBytes && sharedBytes < neededBytes)) {
            return own;
        }
        if (sharedBytes >= neededBytes) {
            return SHARED_MEMORY;
        }
        throw new TransportException(
                Kind.NO_ROOM,
                "No room for a media driver: it needs " + neededBytes + " bytes with one link, but '" + SHARED_MEMORY
                        + "' has "
                        + (hasSharedMemory ? sharedBytes + " bytes free" : "no place that can be written")
                        + " and '" + own + "' "
                        + (isOwnNamed ? "has " + ownBytes + " bytes free" : "has non-ASCII letters in its name")
                        + ". Free some, give the container a larger /dev/shm, or lower the option '"
                        + TransportSettings.TERM_LENGTH + "'.");
    }

    /**
     * Checks that logs can be added.
     *
     * @throws TransportException (NO_ROOM) with the directory and the needed and free bytes
     */
    static void requireRoom(Path directory, long neededBytes) {
        long freeBytes = usableBytes(directory);
        if (freeBytes < neededBytes) {
            throw new TransportException(
                    Kind.NO_ROOM,
                    "No room for another link in '" + directory + "': it needs " + neededBytes + " bytes, and "
                            + freeBytes
                            + " are free. Close links that are no longer needed, give the container a larger"
                            + " /dev/shm, or lower the"
                            + " option '" + TransportSettings.TERM_LENGTH + "'.");
        }
    }

    /** Returns how much memory is free; 0 if that cannot be found out. */
    static long usableBytes(Path directory) {
        try {
            return Files.getFileStore(directory).getUsableSpace();
        } catch (IOException e) {
            return 0;
        }
    }

    private static Path createWithPeers(Path parent, TransportContext context) throws IOException {
        Path directory = create(parent, context);
        Files.createDirectory(directory.resolve(PEERS), ownerOnly(parent));
        return directory;
    }

    private static Path withInviter(Path parent, TransportContext context) throws IOException {
        String prefix = PREFIX + userOf(context.directory()) + "-" + context.sessionId() + "-";
        for (Path inviter : StaleDirectories.ours(parent, context.directory(), prefix)) {
            Path peers = inviter.resolve(PEERS);
            if (Files.isDirectory(peers, LinkOption.NOFOLLOW_LINKS)) {
                return peers;
            }
        }
        return parent;
    }

    private static Path create(Path parent, TransportContext context) throws IOException {
        String name = PREFIX + userOf(context.directory()) + "-" + context.sessionId() + "-"
                + ProcessHandle.current().pid();
        Path directory = parent.resolve(name);
        for (int i = 2; i <= NAMES_TO_TRY; i++) {
            if (!Files.exists(directory)) {
                context.removeAtDeath(directory);
                try {
                    return Files.createDirectory(directory, ownerOnly(parent));
                } catch (FileAlreadyExistsException e) {
                    // Another transport of this process was faster: try the next name.
                }
            }
            directory = parent.resolve(name + "-" + i);
        }
        throw new FileAlreadyExistsException(directory.toString());
    }

    /**
     * Writes a file full of zeros. The driver maps its loss report as a sparse file. If such memory is written when the
     * file system is full, the JVM ends.
     */
    static void allocate(Path file) {
        try {
            Files.write(file, new byte[LOSS_REPORT_BYTES], StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the directory inside. The driver creates its own directory anew, accessible to all, so it must be inside
     * a private one.
     */
    static Path inner(Path directory) {
        return directory.resolve("driver");
    }

    static String userOf(Path own) throws IOException {
        if (DirectoryIdentity.isSupported(own)) {
            return String.valueOf(DirectoryIdentity.userNumber(own));
        }
        return Files.getOwner(own).getName().replace('\\', '.');
    }

    private static FileAttribute<?>[] ownerOnly(Path parent) {
        if (!DirectoryIdentity.isSupported(parent)) {
            return new FileAttribute<?>[0];
        }
        Set<PosixFilePermission> permissions = EnumSet.of(
                PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)};
    }
}
