// SPDX-License-Identifier: Apache-2.0
/**
 * The settings of a session. {@link io.fiber.runtime.config.ConfigKey} declares them all; the options of providers are
 * declared by the providers and collected in {@link io.fiber.runtime.config.ProviderKeys}.
 * {@link io.fiber.runtime.config.FiberConfig} is read from {@link io.fiber.runtime.config.ConfigSources} and gives each
 * value as a {@link io.fiber.runtime.config.Setting} with its {@link io.fiber.runtime.config.Origin}.
 *
 * <p>Inside: {@code ConfigReader} checks what it finds and collects the faults, {@link
 * io.fiber.runtime.config.ConfigFile} reads lines, {@link io.fiber.runtime.config.Spelling} finds what was meant.
 */
@NullMarked
package io.fiber.runtime.config;

import org.jspecify.annotations.NullMarked;
