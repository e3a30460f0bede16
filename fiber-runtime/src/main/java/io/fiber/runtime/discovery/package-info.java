// SPDX-License-Identifier: Apache-2.0
/**
 * Finds and selects backends, transports and serializers; every error about them is made here.
 *
 * <p>{@link io.fiber.runtime.discovery.Providers} holds a {@link io.fiber.runtime.discovery.ProviderCatalog} of each
 * kind and selects transport and serializer; {@link io.fiber.runtime.discovery.BackendSelection} selects the backend,
 * which takes more circumstances into account. Either answers with a {@link io.fiber.runtime.discovery.Selected}, which
 * says why.
 *
 * <p>Inside: {@code ProviderKind} has the words and codes of each kind, {@code KnownProviders} the names and artifacts
 * from the resource file, {@code Location} tells where a class comes from.
 */
@NullMarked
package io.fiber.runtime.discovery;

import org.jspecify.annotations.NullMarked;
