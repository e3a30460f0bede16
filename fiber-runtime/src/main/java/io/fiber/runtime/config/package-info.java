// SPDX-License-Identifier: Apache-2.0
/**
 * The settings of a session: what they are called, where they are read from, and where each value came from.
 *
 * <p>Row 0; it uses nothing of the runtime.
 *
 * <p>{@link ConfigKey} declares every setting of Fiber itself with its name, {@link ValueForm form} and default; {@code
 * docs/configuration.md} says what each means. Options of a provider are declared by the provider and collected in {@link
 * KnownKeys}.
 *
 * <p>The way of a value: {@link ConfigSources} holds the places that are looked at (code, system properties,
 * environment, file, which {@link ConfigFile} splits into lines). {@link ConfigReader} takes each key from the first
 * place that has it, checks it by its form, collects all faults into one {@code ConfigurationException} and asks {@link
 * Spelling} what was meant. The result is a {@link FiberConfig}, which gives each value as a {@link Setting} with its
 * {@link Origin}. A worker gets those that {@code SessionAssembly} sends, by {@link FiberConfig#fromParent}.
 */
@NullMarked
package io.fiber.runtime.config;

import org.jspecify.annotations.NullMarked;
