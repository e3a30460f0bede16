// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

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
    @ValueSource(
            strings = {
                "fedcba9876543210-terces-kct-rebif",
                "MZUWEZLSFV2GG2ZNONSWG4TFOQWTAMJSGM2DKNRXHA4WCYTDMRSWM===",
                "pb4xuztjmjsxellumnvs243fmnzgk5bngaytemzugu3doobzmfrggzdfmy",
                "66 69 62 65 72 2D 74 63 6B 2D 73 65 63 72 65 74 2D 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66",
                "0x66,0x69,0x62,0x65,0x72,0x2d,0x74,0x63,0x6b,0x2d,0x73,0x65,0x63,0x72,0x65,0x74,0x2d,0x30,0x31,0x32,"
                        + "0x33,0x34,0x35,0x36,0x37,0x38,0x39,0x61,0x62,0x63,0x64,0x65,0x66",
                "\\x66\\x69\\x62\\x65\\x72\\x2d\\x74\\x63\\x6b\\x2d\\x73\\x65\\x63\\x72\\x65\\x74\\x2d\\x30\\x31"
                        + "\\x32\\x33\\x34\\x35\\x36\\x37\\x38\\x39\\x61\\x62\\x63\\x64\\x65\\x66",
                "mVGZjJWY5gzN2UDNzITMw0CdlJ3YlNXLrNGdtIXZilmZ"
            })
    void secretIsFoundInOtherForms(String text) {
        assertThat(new SecretForms("fiber-tck-secret-0123456789abcdef").areIn("token: " + text))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fiber-tck-secret-", "PATH=/usr/local/sbin:/usr/bin", "VGhpcyBpcyBhbm90aGVyIHRleHQ="})
    void otherTextHasNoSecret(String text) {
        assertThat(new SecretForms("fiber-tck-secret-0123456789abcdef").areIn(text))
                .isFalse();
    }
}
