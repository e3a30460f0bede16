// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Two ends between which objects and bytes go one way, directly from process to process.
 *
 * @param <T> what is sent: serializable
 * @param receiver where they come out
 * @param sender where they go in
 * @see Fiber#oneWayPipe
 */
public record OneWayPipe<T extends @Nullable Object>(Receiver<T> receiver, Sender<T> sender) implements Serializable {}
