// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

/** The value in effect, and its origin. */
public record Setting(String value, Origin origin) {

    public static Setting ofDefault(String value) {
        return new Setting(value, Origin.OF_DEFAULT);
    }
}
