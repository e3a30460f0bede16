// SPDX-License-Identifier: Apache-2.0
/**
 * What Fiber needs from its JVM and host, and the files that it leaves there.
 *
 * <p>Row 0; it uses {@code config} and {@code logging}.
 *
 * <ul>
 *   <li>The JVM: {@link AgronaAccess} opens the one package of the JDK that Agrona needs; {@link JvmArguments} reads
 *       the options of this JVM; {@link ExecutableJar} unpacks the jars of an executable jar; {@link Sha256} is its
 *       hash function; {@link Types} names classes.
 *   <li>The host: {@link ProcessUsage} is what this process uses of it; {@link HostAddress} guesses an address that
 *       other hosts reach; {@link UserDirectory} and {@link PrivateDirectory} are the places for a user's files.
 *   <li>Clean-up: {@link SessionDirectory} is the only directory with a session's files. It is marked with the {@link
 *       ProcessIdentity} of its owner, so that a later session can remove it; {@link FileTree} removes it. {@link
 *       ShellReaper} is a child process that cleans up if this process was killed.
 *   <li>Threads: {@link SessionThreads} are those of a session beside its I/O thread; {@link Teardown} ends what a session
 *       has opened.
 *   <li>Start-up: {@link ClassDataArchive} creates class-data archives and keeps them between runs in an {@link
 *       ArchiveStore}, under an {@link ArchiveKey}.
 * </ul>
 *
 * <p>The way of a directory: {@link SessionDirectory#open} creates it and registers it with the reaper. The session's
 * teardown removes it; if the process is killed, the reaper does. Every start runs these classes, so they use no
 * regular expression and no formatter, and start no thread and no process before one is needed.
 */
@NullMarked
package io.fiber.runtime.platform;

import org.jspecify.annotations.NullMarked;
