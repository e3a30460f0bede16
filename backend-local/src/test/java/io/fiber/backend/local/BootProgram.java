// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the executable jar of {@link ExecutableJarTest} runs; it uses no other class of the tests. */
final class BootProgram {

    record Answer(int value, String resource) implements Serializable {}

    private BootProgram() {}

    public static void main(String[] args) {
        System.out.println(
                "loader " + BootProgram.class.getClassLoader().getClass().getName());
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(1)) {
            System.out.println("answers " + pool.map(BootProgram::answer, List.of(1, 2, 3)));
            System.out.println("class-path " + pool.apply(() -> System.getProperty("java.class.path")));
        }
    }

    private static Answer answer(int x) throws IOException {
        try (InputStream in = BootProgram.class.getResourceAsStream("/answer.txt")) {
            return new Answer(x * x, in == null ? "none" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
