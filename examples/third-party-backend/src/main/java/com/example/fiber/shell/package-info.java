// SPDX-License-Identifier: Apache-2.0
/**
 * A backend whose jobs are started by a shell script.
 *
 * <ul>
 *   <li>{@link com.example.fiber.shell.ShellBackendProvider}: what {@code ServiceLoader} finds
 *   <li>{@code ShellBackend}: takes submissions, closes
 *   <li>{@code ShellJob}: the story of one job
 *   <li>{@code Starter}: the line to {@code starter.sh}, which starts and ends processes
 *   <li>{@code JobDirectory}: what the script finds of a job, and what the job writes
 * </ul>
 */
package com.example.fiber.shell;
