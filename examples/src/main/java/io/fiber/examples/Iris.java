// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** A flower of Fisher's table of 1936, whose source stands in {@code iris.csv}: a one and four lengths, scaled, and its kind. */
final class Iris {
    static final List<String> SPECIES = List.of("setosa", "versicolor", "virginica");
    static final int INPUTS = 5;

    final float[] inputs;
    final int species;

    private Iris(float[] inputs, int species) {
        this.inputs = inputs;
        this.species = species;
    }

    static List<Iris> all() throws IOException {
        try (InputStream in = Objects.requireNonNull(Iris.class.getResourceAsStream("iris.csv"))) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().skip(3).map(Iris::parse).toList();
        }
    }

    private static Iris parse(String line) {
        List<String> fields = List.of(line.split(",", -1));
        float[] inputs = {1, 0, 0, 0, 0};
        for (int i = 1; i < INPUTS; i++) {
            inputs[i] = Float.parseFloat(fields.get(i - 1)) / 4 - 1;
        }
        return new Iris(inputs, SPECIES.indexOf(fields.get(INPUTS - 1)));
    }
}
