// SPDX-License-Identifier: Apache-2.0
/**
 * Training with PyTorch, whose gradients go round a ring of processes: {@link io.fiber.examples.torch.TorchRing} is the
 * program, {@link io.fiber.examples.torch.Moons} what it learns.
 */
@NullMarked
package io.fiber.examples.torch;

import org.jspecify.annotations.NullMarked;
