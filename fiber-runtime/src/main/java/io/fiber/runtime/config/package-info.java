// SPDX-License-Identifier: Apache-2.0
/**
 * The settings of a session: their names, where they are read from, and where each value came from.
 *
 * <p>Row 0; it uses nothing of the runtime.
 *
 * <p>{@link ConfigKey} declares every setting of Fiber itself with its name, {@link ValueForm form} and default; {@code
 * docs/configuration.md} explains them. A provider declares its own options, which are collected in {@link KnownKeys}.
 *
 * <p>The way of a value: {@link ConfigSources} has the sources (code, system properties, environment, and the file,
 * which {@link ConfigFile} splits into lines). {@link ConfigReader} reads each key from the first source that has it
 * and checks its form. It collects all faults into one {@code ConfigurationException} and asks {@link Spelling} what
 * was meant. The result is a {@link FiberConfig}, which returns each value as a {@link Setting} with its {@link
 * Origin}. A worker gets the settings that {@code SessionAssembly} sends, through {@link FiberConfig#fromParent}.
 */
@NullMarked
package io.fiber.runtime.config;

import org.jspecify.annotations.NullMarked;
