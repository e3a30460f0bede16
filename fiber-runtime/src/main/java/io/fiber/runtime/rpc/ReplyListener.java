// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

/** Is told how a call ended, once, by the conductor: it must not block, run user code or deserialize. */
@FunctionalInterface
public interface ReplyListener {
    void onReply(Reply reply);
}
