// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class HkdfTest {

    private final Hkdf hkdf = new Hkdf();

    @Test
    void expandsAsTheFirstCaseOfTheRfc() {
        byte[] key = hkdf.mac(hex("000102030405060708090a0b0c"), hex("0b".repeat(22)));

        assertThat(key).isEqualTo(hex("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"));
        assertThat(hkdf.expand(key, hex("f0f1f2f3f4f5f6f7f8f9"), 42))
                .isEqualTo(hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"));
    }

    @Test
    void expandsAsTheSecondCaseOfTheRfcWithInputsLongerThanABlock() {
        byte[] key = hkdf.mac(range(0x60, 80), range(0x00, 80));

        assertThat(key).isEqualTo(hex("06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244"));
        assertThat(hkdf.expand(key, range(0xb0, 80), 82))
                .isEqualTo(hex("b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
                        + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
                        + "cc30c58179ec3e87c14c01d5c1f3434f1d87"));
    }

    @Test
    void expandsAsTheThirdCaseOfTheRfcWithoutSaltAndInfo() {
        byte[] key = hkdf.mac(new byte[0], hex("0b".repeat(22)));

        assertThat(key).isEqualTo(hex("19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04"));
        assertThat(hkdf.expand(key, new byte[0], 42))
                .isEqualTo(hex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"));
    }

    @Test
    void authenticatesAsRfc4231() {
        assertThat(hkdf.mac(hex("0b".repeat(20)), "Hi There".getBytes(US_ASCII)))
                .isEqualTo(hex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"));
        assertThat(hkdf.mac(
                        hex("aa".repeat(131)),
                        "Test Using Larger Than Block-Size Key - Hash Key First".getBytes(US_ASCII)))
                .isEqualTo(hex("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"));
    }

    @Test
    void refusesLengthsThatTheRfcDoesNotKnow() {
        assertThatThrownBy(() -> hkdf.expand(new byte[32], new byte[0], Hkdf.EXPAND_LIMIT_BYTES + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("HKDF gives 1 to 8160 bytes, 8161 were asked for.");
        assertThat(hkdf.expand(new byte[32], new byte[0], Hkdf.EXPAND_LIMIT_BYTES))
                .hasSize(8160);
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    private static byte[] range(int first, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (first + i);
        }
        return bytes;
    }
}
