// SPDX-License-Identifier: Apache-2.0
/**
 * A backend that starts its jobs with a shell script.
 *
 * <ul>
 *   <li>{@link com.example.fiber.shell.ShellBackendProvider} is what {@code ServiceLoader} finds
 *   <li>{@code ShellBackend} receives submissions and closes
 *   <li>{@code ShellJob} is one job, from its start to its last event
 *   <li>{@code Starter} is the connection to {@code starter.sh}, which starts and ends processes
 *   <li>{@code JobDirectory} has the files of a job: those that the script reads, and those that the job writes
 * </ul>
 */
package com.example.fiber.shell;
