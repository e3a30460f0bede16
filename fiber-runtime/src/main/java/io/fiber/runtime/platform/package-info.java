// SPDX-License-Identifier: Apache-2.0
/**
 * What Fiber needs of the JVM and the host that it runs on, and what it leaves there.
 *
 * <p>{@link io.fiber.runtime.platform.AgronaAccess} opens the one package of the JDK that Agrona needs.
 * {@link io.fiber.runtime.platform.SessionDirectory} is the one directory that holds a session's files.
 * {@link io.fiber.runtime.platform.ShellReaper} is a small child that cleans up when this process was killed.
 * {@link io.fiber.runtime.platform.JvmArguments} reads the options that this JVM was started with.
 * {@link io.fiber.runtime.platform.ExecutableJar} unpacks the jars of an executable jar.
 * {@link io.fiber.runtime.platform.ClassDataArchive} keeps class-data archives between runs, so that workers start sooner.
 *
 * <p>The classes are on the path of every start: they use no regular expression and no formatter, and start no thread
 * and no process before one is needed.
 */
@NullMarked
package io.fiber.runtime.platform;

import org.jspecify.annotations.NullMarked;
