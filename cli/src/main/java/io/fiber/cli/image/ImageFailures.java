// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.image;

import com.google.cloud.tools.jib.api.RegistryAuthenticationFailedException;
import com.google.cloud.tools.jib.api.RegistryUnauthorizedException;
import io.fiber.FiberException;
import java.io.FileNotFoundException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Explains what to do about an image that could not be built. */
final class ImageFailures {

    private ImageFailures() {}

    static FiberException explained(ImageBuild.Names names, Exception failure) {
        Throwable cause =
                failure instanceof ExecutionException && failure.getCause() != null ? failure.getCause() : failure;
        Throwable refused = find(cause, RegistryUnauthorizedException.class);
        if (refused == null) {
            refused = find(cause, RegistryAuthenticationFailedException.class);
        }
        if (refused != null) {
            return login(names, refused);
        }
        if (find(cause, NoSuchFileException.class) != null || find(cause, FileNotFoundException.class) != null) {
            return new FiberException(
                    "FBR-551",
                    "A file for the image is missing: " + words(cause)
                            + ". The base image is " + names.base() + ". Do not move or delete class path entries"
                            + " while the image is being made.",
                    cause);
        }
        return new FiberException(
                "FBR-550",
                "The image cannot be made from " + names.base() + " or pushed to " + names.destination() + ": "
                        + words(cause)
                        + ". This host must reach both registries, over TLS unless they are on this host. The base"
                        + " image must exist for Linux on amd64.",
                cause);
    }

    private static FiberException login(ImageBuild.Names names, Throwable cause) {
        return new FiberException(
                "FBR-549",
                "The registry of " + names.base() + " or of " + names.destination() + " refuses this user: "
                        + words(cause)
                        + ". Log in as you do for docker (docker login, gcloud auth configure-docker, a credential"
                        + " helper in ~/.docker/config.json or DOCKER_CONFIG), and check that the user may push there.",
                cause);
    }

    private static @Nullable Throwable find(Throwable failure, Class<? extends Throwable> type) {
        Throwable each = failure;
        while (each != null && !type.isInstance(each)) {
            each = each.getCause();
        }
        return each;
    }

    /** Returns the messages of all causes: the first says what was done, the last why it failed. */
    private static String words(Throwable failure) {
        StringBuilder words = new StringBuilder(text(failure));
        for (Throwable each = failure.getCause(); each != null; each = each.getCause()) {
            String more = text(each);
            if (words.indexOf(more) < 0) {
                words.append("; ").append(more);
            }
        }
        return words.toString();
    }

    private static String text(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.toString() : message.strip();
    }
}
