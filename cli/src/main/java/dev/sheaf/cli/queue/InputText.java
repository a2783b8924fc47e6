package dev.sheaf.cli.queue;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What somebody typed, or has in a file.
final class InputText {
    /// More than any registry takes for one request.
    private static final int LONGEST = 72 << 20;

    private InputText() {}

    /// The document that a text is.
    ///
    /// @param where it stands, for people
    /// @throws SheafException.InvalidRequest where it is none
    static @Nullable JsonNode json(@Nullable String text, String where) {
        if (text == null) {
            return null;
        }
        var document = Json.tree(text.getBytes(StandardCharsets.UTF_8));
        if (document == null || document.isMissingNode()) {
            throw new SheafException.InvalidRequest(where
                    + " is no JSON; a text stands in double quotes, and the shell wants single quotes around all: "
                    + "'{\"text\": \"so\"}'");
        }
        return document;
    }

    /// All of a file, or of standard input where it is called `-`.
    static String read(String file, InputStream standardInput) {
        try {
            if (!file.equals("-")) {
                return Files.readString(Path.of(file));
            }
            byte[] bytes = standardInput.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                throw new SheafException.InvalidRequest("standard input is longer than " + (LONGEST >> 20) + " MiB");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new SheafException.InvalidRequest(file + " is not a text in UTF-8");
        } catch (NoSuchFileException e) {
            throw new SheafException.InvalidRequest("the file " + file + " does not exist");
        } catch (IOException e) {
            throw new SheafException.Local("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
