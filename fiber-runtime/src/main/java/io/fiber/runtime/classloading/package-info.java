// SPDX-License-Identifier: Apache-2.0
/**
 * Classes that workers lack travel to them from the first process, when a worker meets their names; never the other way.
 *
 * <p>{@link io.fiber.runtime.classloading.SentClasses} is the first process's side: it tells by the class loaders of what is
 * written which classes may be missing elsewhere, keeps them in {@code ClassEdition}s, and answers for their bytes. In JShell
 * the variables of the session travel with them ({@code Variables}). {@link io.fiber.runtime.classloading.FetchedClasses} is a
 * worker's side: an {@code EditionLoader} for each edition asks for a class when the program's own loader has none of that
 * name, and the worker answers its own workers out of what it has been sent.
 */
@NullMarked
package io.fiber.runtime.classloading;

import org.jspecify.annotations.NullMarked;
