// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/** Provides the version of the command. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"fiber " + text() + ", Java " + System.getProperty("java.version")};
    }

    static String text() {
        try (InputStream resource = Version.class.getResourceAsStream("version.txt")) {
            return resource == null
                    ? "of no release"
                    : new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
