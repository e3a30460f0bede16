// SPDX-License-Identifier: Apache-2.0
/** Tests of the backend {@code slurm}, most of them on a real cluster. */
@NullMarked
package io.fiber.backend.slurm.ssh;

import org.jspecify.annotations.NullMarked;
