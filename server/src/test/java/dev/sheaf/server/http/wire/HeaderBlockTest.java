package dev.sheaf.server.http.wire;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.webserver.CloseConnectionException;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderBlockTest {
    private static final int END_HEADERS = 4;
    private static final int PADDED = 8;
    private static final int PRIORITY = 32;

    private final HeaderBlock block = new HeaderBlock();

    /// Each form of a field (RFC 7541, section 6), with indexes and texts of all lengths.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "82", // indexed
                "ff00",
                "ff8101",
                "4001780161", // kept, with a name
                "41027979", // kept, its name indexed
                "7f010161",
                "0001780161", // not kept
                "10 01 78 01 61",
                "0f 80 01 01 61",
                "1f 00 00",
                "00 81 f3 82 f3 f3", // Huffman
                "20", // the size of the table
                "3f e1 1f",
                "00 00 00", // no name, which others refuse
            })
    void isCountedAsOne(String hex) {
        byte[] field = HexFormat.of().parseHex(hex.replace(" ", ""));

        assertThatCode(() -> send(END_HEADERS, repeated(field, HeaderBlock.MOST)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> send(END_HEADERS, repeated(field, HeaderBlock.MOST + 1)))
                .isInstanceOf(CloseConnectionException.class);
    }

    @Test
    void aTextIsNotTakenForFields() {
        var field = new ByteArrayOutputStream();
        field.writeBytes(new byte[] {0x41, 0x7f, (byte) 0xe9, 0x07}); // 127 + 105 + 7 * 128 bytes
        field.writeBytes(repeated(new byte[] {(byte) 0x82}, 1_128));

        assertThatCode(() -> send(END_HEADERS, repeated(field.toByteArray(), HeaderBlock.MOST)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> send(END_HEADERS, repeated(field.toByteArray(), HeaderBlock.MOST + 1)))
                .isInstanceOf(CloseConnectionException.class);
    }

    @Test
    void aLengthWithoutEndIsRefused() {
        assertThatThrownBy(() -> send(END_HEADERS, HexFormat.of().parseHex("007fffffffffffffffffff")))
                .isInstanceOf(CloseConnectionException.class);
    }

    /// The library takes it for fields.
    @Test
    void paddingInTheMiddleIsRefused() {
        assertThatThrownBy(() -> send(PADDED, new byte[] {1, (byte) 0x82, 0}))
                .isInstanceOf(CloseConnectionException.class);
    }

    @Test
    void priorityAndPaddingAreNoFields() {
        var payload = new ByteArrayOutputStream();
        payload.writeBytes(new byte[] {(byte) 200, 0, 0, 0, 1, 0});
        payload.writeBytes(repeated(new byte[] {(byte) 0x82}, HeaderBlock.MOST));
        payload.writeBytes(new byte[200]);

        assertThatCode(() -> send(END_HEADERS | PADDED | PRIORITY, payload.toByteArray()))
                .doesNotThrowAnyException();
    }

    @Test
    void whatComesInMoreFramesIsOneBlock() {
        byte[] field = HexFormat.of().parseHex("4001780161");
        byte[] all = repeated(field, HeaderBlock.MOST);
        block.begin(3, 0);
        block.take(all, 0, 3);
        block.goOn(all.length - 3);

        assertThatCode(() -> block.take(all, 3, all.length)).doesNotThrowAnyException();

        block.goOn(1);
        assertThatThrownBy(() -> block.take(new byte[] {(byte) 0x82}, 0, 1))
                .isInstanceOf(CloseConnectionException.class);
    }

    @Test
    void eachBlockIsCountedAnew() {
        assertThatCode(() -> {
                    for (int i = 0; i < 10; i++) {
                        send(END_HEADERS, repeated(new byte[] {(byte) 0x82}, HeaderBlock.MOST));
                    }
                })
                .doesNotThrowAnyException();
    }

    private void send(int flags, byte[] payload) {
        block.begin(payload.length, flags);
        block.take(payload, 0, payload.length);
    }

    private static byte[] repeated(byte[] field, int times) {
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            all.writeBytes(field);
        }
        return all.toByteArray();
    }
}
