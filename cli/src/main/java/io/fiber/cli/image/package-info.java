// SPDX-License-Identifier: Apache-2.0
/**
 * Builds an image of a program's class path, without Docker, and pushes it to a registry; also builds images of
 * Dockerfiles, with Docker.
 *
 * <p>{@link io.fiber.cli.image.ImageLayout} assigns files to layers and decides how the program reads them. {@link
 * io.fiber.cli.image.ImageBuild} lets jib build and push the image and returns its name. {@link
 * io.fiber.cli.image.DockerfileBuild} lets Docker build an image, which is used directly or as a base for others.
 * Nothing here knows a backend: the result is the name of an image and a {@link io.fiber.spi.backend.Program} without
 * files.
 */
@NullMarked
package io.fiber.cli.image;

import org.jspecify.annotations.NullMarked;
