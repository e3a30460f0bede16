// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.driver.DriverConductorProxy;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.ErrorFlyweight;
import io.aeron.protocol.NakFlyweight;
import io.aeron.protocol.ResponseSetupFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.StatusMessageFlyweight;
import java.net.InetSocketAddress;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/** A sending socket that consults the {@link StreamGuard} before a control packet reaches the driver. */
final class GuardedSendEndpoint extends SendChannelEndpoint {

    private final StreamGuard guard;

    GuardedSendEndpoint(UdpChannel channel, AtomicCounter status, MediaDriver.Context context, StreamGuard guard) {
        super(channel, status, context);
        this.guard = guard;
    }

    @Override
    public void onStatusMessage(
            StatusMessageFlyweight msg,
            UnsafeBuffer buffer,
            int length,
            InetSocketAddress srcAddress,
            DriverConductorProxy conductorProxy) {
        if (isLong(length, StatusMessageFlyweight.HEADER_LENGTH)
                && guard.admitsControl(msg.streamId(), msg.sessionId(), srcAddress)) {
            super.onStatusMessage(msg, buffer, length, srcAddress, conductorProxy);
        }
    }

    @Override
    public void onError(
            ErrorFlyweight msg,
            UnsafeBuffer buffer,
            int length,
            InetSocketAddress srcAddress,
            DriverConductorProxy conductorProxy) {
        if (isLong(length, ErrorFlyweight.HEADER_LENGTH)
                && guard.admitsControl(msg.streamId(), msg.sessionId(), srcAddress)) {
            super.onError(msg, buffer, length, srcAddress, conductorProxy);
        }
    }

    @Override
    public void onNakMessage(NakFlyweight msg, UnsafeBuffer buffer, int length, InetSocketAddress srcAddress) {
        if (isLong(length, NakFlyweight.HEADER_LENGTH)
                && guard.admitsControl(msg.streamId(), msg.sessionId(), srcAddress)) {
            super.onNakMessage(msg, buffer, length, srcAddress);
        }
    }

    @Override
    public void onRttMeasurement(
            RttMeasurementFlyweight msg, UnsafeBuffer buffer, int length, InetSocketAddress srcAddress) {
        if (isLong(length, RttMeasurementFlyweight.HEADER_LENGTH)
                && guard.admitsControl(msg.streamId(), msg.sessionId(), srcAddress)) {
            super.onRttMeasurement(msg, buffer, length, srcAddress);
        }
    }

    @Override
    public void onResponseSetup(
            ResponseSetupFlyweight msg,
            UnsafeBuffer unsafeBuffer,
            int length,
            InetSocketAddress srcAddress,
            DriverConductorProxy conductorProxy) {
        if (isLong(length, ResponseSetupFlyweight.HEADER_LENGTH)
                && guard.admitsControl(msg.streamId(), msg.sessionId(), srcAddress)) {
            super.onResponseSetup(msg, unsafeBuffer, length, srcAddress, conductorProxy);
        }
    }

    private boolean isLong(int length, int wanted) {
        if (length >= wanted) {
            return true;
        }
        guard.refuseControl();
        return false;
    }
}
