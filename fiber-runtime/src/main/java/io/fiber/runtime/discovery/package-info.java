// SPDX-License-Identifier: Apache-2.0
/**
 * Finds and selects backends, transports and serializers; every error about them is created here.
 *
 * <p>Row 0; it uses {@code config} and {@code logging}.
 *
 * <p>{@link Providers} has a {@link ProviderCatalog} for each kind of provider. {@link ProviderKind} has the words and
 * error codes of a kind, {@link KnownProviders} the names and artifacts from the resource file, for hints and defaults;
 * {@link Location} finds the jar of a provider's class.
 *
 * <p>The way of a choice: {@link Providers#discover} loads what is on the class path with {@link
 * java.util.ServiceLoader}, one provider at a time, so that one that cannot be loaded does not hide others. The
 * settings are read next, because providers declare some of them. Then {@link Providers#selectTransport} and {@link
 * Providers#selectSerializer} select by the settings. {@link BackendSelection}, which also considers the platform in
 * which the process runs, selects the backend. Each result is a {@link Selected}: the provider and the reason. An
 * explicit choice that cannot be honoured is an error, never a fallback.
 */
@NullMarked
package io.fiber.runtime.discovery;

import org.jspecify.annotations.NullMarked;
