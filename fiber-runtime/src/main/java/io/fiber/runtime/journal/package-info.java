// SPDX-License-Identifier: Apache-2.0
/**
 * Journals: files in which calls record their results, so that a later run of the program does not compute them again.
 *
 * <p>Row 2. {@code pool} uses it: the thread that feeds a call asks for each item whether its result is recorded, and new
 * results pass through the journal's thread on their way to their consumer. So a result that the program has seen is in
 * the file.
 *
 * <p>{@link Journals} are those of a session. A {@link Journal} is one open file: a {@link JournaledFunction} is a function
 * in it, known by its {@link FunctionKey}, and a {@link JournaledCall} is a call. {@link RecordedCall} finds the results
 * of a call by the place of the item and its {@link ItemDigest}. {@link JournalListing} shows what a file contains.
 *
 * <table>
 * <caption>What to open</caption>
 * <tr><th>to change</th><th>open</th></tr>
 * <tr><td>the format of the file, what a torn end or damage is</td><td>{@link JournalFile}</td></tr>
 * <tr><td>what a record says</td><td>{@link JournalIndex}</td></tr>
 * <tr><td>who may write</td><td>{@link JournalLock}</td></tr>
 * <tr><td>when the file is synced, what an unwritable file does</td><td>{@link Journal}</td></tr>
 * <tr><td>which function is the same as before</td><td>{@link Journals}</td></tr>
 * </table>
 */
@NullMarked
package io.fiber.runtime.journal;

import org.jspecify.annotations.NullMarked;
