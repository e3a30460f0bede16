// SPDX-License-Identifier: Apache-2.0
/**
 * Remote class loading: classes that workers lack are fetched from the first process of the program when a worker meets
 * their names. They are never sent the other way.
 *
 * <p>Row 5; it uses the rows below and no other package of its row. {@link RemoteClasses} decides whether a session
 * does this.
 *
 * <p>The way of a class: when the first process writes an object, {@link SentClasses} determines from the class loaders
 * which classes may be missing elsewhere, and puts them into a {@link ClassEdition}. Its number is written in front of
 * the object ({@link io.fiber.runtime.serialization.RemoteClassSerializer}). In the worker, {@link FetchedClasses}
 * provides the {@link EditionLoader} of that edition. If the program's own loader has no class of a name, the edition's
 * loader requests it with a {@link io.fiber.runtime.process.LookupClient}. {@link SentClasses} answers with the {@link
 * ClassContent}: the bytes of the class file and, in JShell, the values of the class's variables ({@link Variables}). A
 * worker answers its own workers with what it has received; both sides are {@link SessionClasses}.
 */
@NullMarked
package io.fiber.runtime.classloading;

import org.jspecify.annotations.NullMarked;
