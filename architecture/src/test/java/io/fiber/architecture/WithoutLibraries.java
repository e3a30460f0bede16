// SPDX-License-Identifier: Apache-2.0
package io.fiber.architecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Leaves out the libraries that jars of backends have in packages of their own. */
public final class WithoutLibraries implements ImportOption {

    /** Called by ArchUnit. */
    public WithoutLibraries() {}

    @Override
    public boolean includes(Location location) {
        return !location.contains("/shaded/");
    }
}
