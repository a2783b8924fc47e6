package dev.sheaf.model.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Decodes UTF-8 strictly. The constructors of [String] replace wrong bytes instead of reporting them.
public final class Utf8Text {
    private Utf8Text() {}

    /// Returns the text; empty if the bytes are not UTF-8.
    public static Optional<String> of(byte[] bytes) {
        return of(ByteBuffer.wrap(bytes));
    }

    /// Returns the text of the remaining bytes; empty if they are not UTF-8.
    public static Optional<String> of(ByteBuffer bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
