// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A pipe that carries objects and bytes in one direction, directly between two processes.
 *
 * @param <T> type of the objects that are sent; serializable
 * @param receiver the end that receives
 * @param sender the end that sends
 * @see Fiber#oneWayPipe
 */
public record OneWayPipe<T extends @Nullable Object>(Receiver<T> receiver, Sender<T> sender) implements Serializable {}
