// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.runtime.protocol.codec.AssignDecoder;
import io.fiber.runtime.protocol.codec.BegunDecoder;
import io.fiber.runtime.protocol.codec.CancelDecoder;
import io.fiber.runtime.protocol.codec.ChallengeDecoder;
import io.fiber.runtime.protocol.codec.DefineDecoder;
import io.fiber.runtime.protocol.codec.DroppedDecoder;
import io.fiber.runtime.protocol.codec.ForgetDecoder;
import io.fiber.runtime.protocol.codec.GoneDecoder;
import io.fiber.runtime.protocol.codec.GoodbyeDecoder;
import io.fiber.runtime.protocol.codec.GrantedDecoder;
import io.fiber.runtime.protocol.codec.HeartbeatDecoder;
import io.fiber.runtime.protocol.codec.HelloDecoder;
import io.fiber.runtime.protocol.codec.ProofDecoder;
import io.fiber.runtime.protocol.codec.ReadyDecoder;
import io.fiber.runtime.protocol.codec.RecallDecoder;
import io.fiber.runtime.protocol.codec.RefusalDecoder;
import io.fiber.runtime.protocol.codec.ResultDecoder;
import io.fiber.runtime.protocol.codec.RpcMessageDecoder;
import io.fiber.runtime.protocol.codec.SegmentDecoder;
import io.fiber.runtime.protocol.codec.ShortenedDecoder;
import io.fiber.runtime.protocol.codec.StuckDecoder;
import io.fiber.runtime.protocol.codec.UnreadyDecoder;
import io.fiber.runtime.protocol.codec.WelcomeDecoder;

/**
 * How long the messages are. A decoder trusts the length of its block: a shorter one would make it read what stands
 * behind, or outside of the buffer.
 */
final class Templates {

    private Templates() {}

    /** Returns the least length of the root block of a message; 0 for one that this version does not know. */
    static int leastBlockLength(int templateId) {
        return switch (templateId) {
            case HelloDecoder.TEMPLATE_ID -> HelloDecoder.BLOCK_LENGTH;
            case ChallengeDecoder.TEMPLATE_ID -> ChallengeDecoder.BLOCK_LENGTH;
            case ProofDecoder.TEMPLATE_ID -> ProofDecoder.BLOCK_LENGTH;
            case RefusalDecoder.TEMPLATE_ID -> RefusalDecoder.BLOCK_LENGTH;
            case HeartbeatDecoder.TEMPLATE_ID -> HeartbeatDecoder.BLOCK_LENGTH;
            case ReadyDecoder.TEMPLATE_ID -> ReadyDecoder.BLOCK_LENGTH;
            case GoodbyeDecoder.TEMPLATE_ID -> GoodbyeDecoder.BLOCK_LENGTH;
            case CancelDecoder.TEMPLATE_ID -> CancelDecoder.BLOCK_LENGTH;
            case DroppedDecoder.TEMPLATE_ID -> DroppedDecoder.BLOCK_LENGTH;
            case BegunDecoder.TEMPLATE_ID -> BegunDecoder.BLOCK_LENGTH;
            case ForgetDecoder.TEMPLATE_ID -> ForgetDecoder.BLOCK_LENGTH;
            case GoneDecoder.TEMPLATE_ID -> GoneDecoder.BLOCK_LENGTH;
            case RecallDecoder.TEMPLATE_ID -> RecallDecoder.BLOCK_LENGTH;
            case ShortenedDecoder.TEMPLATE_ID -> ShortenedDecoder.BLOCK_LENGTH;
            case StuckDecoder.TEMPLATE_ID -> StuckDecoder.BLOCK_LENGTH;
            case GrantedDecoder.TEMPLATE_ID -> GrantedDecoder.BLOCK_LENGTH;
            case WelcomeDecoder.TEMPLATE_ID -> WelcomeDecoder.BLOCK_LENGTH;
            case SegmentDecoder.TEMPLATE_ID -> SegmentDecoder.BLOCK_LENGTH;
            case DefineDecoder.TEMPLATE_ID -> DefineDecoder.BLOCK_LENGTH;
            case AssignDecoder.TEMPLATE_ID -> AssignDecoder.BLOCK_LENGTH;
            case ResultDecoder.TEMPLATE_ID -> ResultDecoder.BLOCK_LENGTH;
            case UnreadyDecoder.TEMPLATE_ID -> UnreadyDecoder.BLOCK_LENGTH;
            case RpcMessageDecoder.TEMPLATE_ID -> RpcMessageDecoder.BLOCK_LENGTH;
            default -> 0;
        };
    }
}
