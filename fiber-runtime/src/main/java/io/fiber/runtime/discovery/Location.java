// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import java.lang.module.ModuleDescriptor;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/** Finds where a provider's class comes from, for errors and the log. */
final class Location {

    private Location() {}

    /** Returns class and jar in words: {@code a.B (/app/x.jar)}. */
    static String describe(Class<?> type) {
        return type.getName() + " (" + of(type) + ")";
    }

    /** Returns the version of the jar or module; empty if neither states one. */
    static Optional<String> version(Class<?> type) {
        Package home = type.getPackage();
        String version = home == null ? null : home.getImplementationVersion();
        return version != null
                ? Optional.of(version)
                : Optional.ofNullable(type.getModule().getDescriptor()).flatMap(ModuleDescriptor::rawVersion);
    }

    private static String of(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL url = source == null ? null : source.getLocation();
        if (url == null) {
            return "module " + type.getModule().getName();
        }
        try {
            URI uri = url.toURI();
            return "file".equals(uri.getScheme()) ? Path.of(uri).toString() : uri.toString();
        } catch (URISyntaxException | IllegalArgumentException e) {
            // The URL is for people to read, and is readable enough as it is.
            return url.toString();
        }
    }
}
