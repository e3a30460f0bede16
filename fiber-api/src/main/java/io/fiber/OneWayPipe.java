// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;

/**
 * Two ends between which objects and bytes go one way, directly from process to process.
 *
 * @param receiver where they come out
 * @param sender where they go in
 * @see Fiber#oneWayPipe
 */
public record OneWayPipe(Receiver receiver, Sender sender) implements Serializable {}
