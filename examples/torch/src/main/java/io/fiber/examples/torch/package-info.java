// SPDX-License-Identifier: Apache-2.0
/**
 * Training with PyTorch, with gradients that travel around a ring of processes. {@link
 * io.fiber.examples.torch.TorchRing} is the program, and {@link io.fiber.examples.torch.Moons} is the data that it
 * learns.
 */
@NullMarked
package io.fiber.examples.torch;

import org.jspecify.annotations.NullMarked;
