package dev.sheaf.cli.command;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.WireJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads JSON from the command line, and text from files.
public final class InputText {
    /// The maximum number of bytes; more than any registry accepts in one request.
    private static final int LONGEST = 72 << 20;

    private InputText() {}

    /// Parses JSON.
    ///
    /// @param where the origin of the text, for error messages
    /// @throws SheafException.InvalidRequest if it is not valid JSON
    public static @Nullable JsonNode json(@Nullable String text, String where) {
        if (text == null) {
            return null;
        }
        var document = WireJson.tree(text.getBytes(StandardCharsets.UTF_8));
        if (document == null || document.isMissingNode()) {
            throw new SheafException.InvalidRequest(where
                    + " is not valid JSON; put strings into double quotes, and the whole value into single quotes for the shell: "
                    + "'{\"text\": \"so\"}'");
        }
        return document;
    }

    /// Reads a file, or standard input for `-`.
    public static String read(String file, InputStream standardInput) {
        if (!file.equals("-")) {
            return read(Path.of(file));
        }
        try {
            byte[] bytes = standardInput.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                throw new SheafException.InvalidRequest("standard input is longer than " + (LONGEST >> 20) + " MiB");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new SheafException.Local("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /// Reads a file.
    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new SheafException.InvalidRequest(file + " is not UTF-8 text");
        } catch (NoSuchFileException e) {
            throw new SheafException.InvalidRequest("the file " + file + " does not exist");
        } catch (IOException e) {
            throw new SheafException.Local("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
