// SPDX-License-Identifier: Apache-2.0
/**
 * Remote class loading: classes that workers lack come from the first process of the program, when a worker meets their
 * names. They never go the other way.
 *
 * <p>Row 5; it uses the rows below and no other package of its row. {@link RemoteClasses} decides whether a session
 * does this.
 *
 * <p>The way of a class: when the first process writes an object, {@link SentClasses} tells by the class loaders which
 * classes may be missing elsewhere and puts them into a {@link ClassEdition}, whose number is written in front of the
 * object ({@link io.fiber.runtime.serialization.RemoteClassSerializer}). In the worker {@link FetchedClasses} gives the
 * {@link EditionLoader} of that edition. When the program's own loader has no class of a name, the edition's loader
 * asks for it by a {@link io.fiber.runtime.process.LookupClient}; {@link SentClasses} answers with the {@link
 * ClassContent}, the bytes of the class file and, in JShell, the values of the variables that the class holds ({@link
 * Variables}). A worker answers its own workers with what it was sent: both sides are {@link SessionClasses}.
 */
@NullMarked
package io.fiber.runtime.classloading;

import org.jspecify.annotations.NullMarked;
