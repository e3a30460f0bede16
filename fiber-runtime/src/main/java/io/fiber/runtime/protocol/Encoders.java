// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.runtime.protocol.codec.AssignEncoder;
import io.fiber.runtime.protocol.codec.BodyEncoder;
import io.fiber.runtime.protocol.codec.HeartbeatEncoder;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import io.fiber.runtime.protocol.codec.ResultEncoder;
import io.fiber.runtime.protocol.codec.RpcMessageEncoder;
import io.fiber.runtime.protocol.codec.SegmentEncoder;

/** The encoders of the frequent messages, created once for each thread. */
public final class Encoders {
    public final MessageHeaderEncoder header = new MessageHeaderEncoder();
    public final AssignEncoder assign = new AssignEncoder();
    public final ResultEncoder result = new ResultEncoder();
    public final RpcMessageEncoder rpcMessage = new RpcMessageEncoder();

    final HeartbeatEncoder heartbeat = new HeartbeatEncoder();
    final SegmentEncoder segment = new SegmentEncoder();
    final BodyEncoder body = new BodyEncoder();
}
