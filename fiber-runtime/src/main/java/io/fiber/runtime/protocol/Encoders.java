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
public record Encoders(
        MessageHeaderEncoder header,
        AssignEncoder assign,
        ResultEncoder result,
        RpcMessageEncoder rpcMessage,
        HeartbeatEncoder heartbeat,
        SegmentEncoder segment,
        BodyEncoder body) {

    /** Creates the encoders of a thread. */
    public Encoders() {
        this(
                new MessageHeaderEncoder(),
                new AssignEncoder(),
                new ResultEncoder(),
                new RpcMessageEncoder(),
                new HeartbeatEncoder(),
                new SegmentEncoder(),
                new BodyEncoder());
    }
}
