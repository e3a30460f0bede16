// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import io.fiber.spi.Provider;

/**
 * A provider that was selected.
 *
 * @param reason why it was selected, in words: {@code from environment variable FIBER_BACKEND}
 */
public record Selected<P extends Provider>(P provider, String reason) {}
