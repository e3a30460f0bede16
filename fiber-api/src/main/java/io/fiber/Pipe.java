// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;

/**
 * Two ends between which objects and bytes go both ways, directly from process to process. Each end is used by one process,
 * whichever; both may be used by the same.
 *
 * @param first one end
 * @param second the other one; there is no difference
 * @see Fiber#pipe
 */
public record Pipe(Connection first, Connection second) implements Serializable {}
