// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;

/** What processes of one program send each other along the tree. */
sealed interface Envelope extends Outgoing permits RpcMessage, GoneNotice {

    /** Returns who is to read it. */
    ProcessPath to();

    /** Returns the same with another payload. */
    Envelope with(SealedPayload body);
}
