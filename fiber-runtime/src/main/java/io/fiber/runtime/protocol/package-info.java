// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes between processes. {@link io.fiber.runtime.protocol.Payload} is what users' objects become;
 * {@link io.fiber.runtime.protocol.SealedPayload} adds whose seal it bears. {@link io.fiber.runtime.protocol.Outbox} packs messages and
 * parcels into frames of one link, {@link io.fiber.runtime.protocol.Inbox} takes them apart again. The messages themselves
 * are generated from {@code src/main/sbe/fiber-codecs.xml}, which has the conversation on top; no class outside this
 * package and the encoders knows a byte layout.
 */
@NullMarked
package io.fiber.runtime.protocol;

import org.jspecify.annotations.NullMarked;
