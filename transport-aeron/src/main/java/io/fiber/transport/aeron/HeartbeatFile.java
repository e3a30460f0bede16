// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.CncFileDescriptor;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

/** Checks from outside whether a driver is alive, without waiting for it as Aeron's own check does. */
final class HeartbeatFile {

    static final String NAME = CncFileDescriptor.CNC_FILE;

    private HeartbeatFile() {}

    /** Returns whether a driver wrote its time into {@code cnc} within the liveness timeout that the file contains. */
    static boolean isBeating(Path cnc) {
        try (FileChannel channel = FileChannel.open(cnc, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (channel.size() <= CncFileDescriptor.META_DATA_LENGTH) {
                return false;
            }
            MappedByteBuffer mapped = channel.map(MapMode.READ_WRITE, 0, channel.size());
            try {
                return isBeating(mapped);
            } finally {
                BufferUtil.free(mapped);
            }
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    private static boolean isBeating(MappedByteBuffer mapped) {
        UnsafeBuffer meta = CncFileDescriptor.createMetaDataBuffer(mapped);
        int version = meta.getIntVolatile(CncFileDescriptor.cncVersionOffset(0));
        if (version == 0 || !CncFileDescriptor.isCncFileLengthSufficient(meta, mapped.capacity())) {
            return false;
        }
        CncFileDescriptor.checkVersion(version);
        long heartbeatMs =
                new ManyToOneRingBuffer(CncFileDescriptor.createToDriverBuffer(mapped, meta)).consumerHeartbeatTime();
        long ageMs = SteadyClock.INSTANCE.time() - heartbeatMs;
        return ageMs <= TimeUnit.NANOSECONDS.toMillis(CncFileDescriptor.clientLivenessTimeoutNs(meta));
    }
}
