// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretFormsTest {

    /** Of every length, and behind as many other letters, so that it ends at any place of a group. */
    @ParameterizedTest
    @ValueSource(ints = {13, 14, 15, 16})
    void secretIsFoundWhereverItEndsInAGroup(int digits) {
        String secret = "fiber-tck-secret-" + "0123456789abcdef".substring(0, digits);
        SecretForms forms = new SecretForms(secret);
        for (String before : new String[] {"", "x", "xy", "xyz"}) {
            byte[] bytes = (before + secret).getBytes(StandardCharsets.US_ASCII);
            assertThat(forms.areIn("TOKEN=" + Base64.getUrlEncoder().encodeToString(bytes)))
                    .as("Base64 with padding behind '%s'", before)
                    .isTrue();
            assertThat(forms.areIn(
                            "TOKEN=" + Base64.getEncoder().withoutPadding().encodeToString(bytes)))
                    .as("Base64 without padding behind '%s'", before)
                    .isTrue();
            assertThat(forms.areIn("TOKEN=" + HexFormat.of().formatHex(bytes)))
                    .as("hexadecimal digits behind '%s'", before)
                    .isTrue();
            assertThat(forms.areIn("TOKEN=" + Arrays.toString(bytes)))
                    .as("numbers behind '%s'", before)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fiber-tck-secret-", "PATH=/usr/local/sbin:/usr/bin", "VGhpcyBpcyBhbm90aGVyIHRleHQ="})
    void otherTextHasNoSecret(String text) {
        assertThat(new SecretForms("fiber-tck-secret-0123456789abcdef").areIn(text))
                .isFalse();
    }
}
