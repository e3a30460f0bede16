// SPDX-License-Identifier: Apache-2.0
/**
 * Processes, pools, queues and pipes of one program that runs on many machines.
 */
@NullMarked
package io.fiber;

import org.jspecify.annotations.NullMarked;
