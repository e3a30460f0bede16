// SPDX-License-Identifier: Apache-2.0
/**
 * Makes an image of a program's class path, without Docker, and puts it into a registry; and one of a Dockerfile, by Docker.
 *
 * <p>{@link io.fiber.cli.image.ImageLayout} decides what is in which layer and how the program reads it there;
 * {@link io.fiber.cli.image.ImageBuild} has jib build and push it and says by which name it can be had.
 * {@link io.fiber.cli.image.DockerfileBuild} has Docker build one, which may be used as it is or be what the others are built
 * upon. Nothing here knows a backend: what comes of it is a name of an image and a {@link io.fiber.spi.backend.Program} that
 * brings no files.
 */
@NullMarked
package io.fiber.cli.image;

import org.jspecify.annotations.NullMarked;
