package dev.sheaf.engine.blob;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// The name of a draft: an object under construction.
///
/// @param part 32 random lower-case hex characters, which become part of the name of the finished object
/// @param handle the data that the store needs to continue the draft on any node; empty for files. The text
/// before the first `|` is enough to delete the draft.
public record DraftId(String part, String handle) {
    private static final Pattern PART = Pattern.compile("[0-9a-f]{32}");
    private static final SecureRandom RANDOM = new SecureRandom();

    public DraftId {
        check(part);
    }

    public static boolean isPart(String text) {
        return PART.matcher(text).matches();
    }

    public static void check(String part) {
        if (!isPart(part)) {
            throw new IllegalArgumentException("not a part of a storage name: " + part);
        }
    }

    public static DraftId random() {
        return new DraftId(randomPart(), "");
    }

    public static String randomPart() {
        var bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// Returns the part that is needed to delete the draft. It is short enough for a database key; the whole may
    /// not be.
    public DraftId brief() {
        int end = handle.indexOf('|');
        return end < 0 ? this : new DraftId(part, handle.substring(0, end));
    }

    /// Reads what [#toString] wrote.
    ///
    /// @throws RuntimeException if the text is not a draft id
    public static DraftId parse(String text) {
        int dot = text.indexOf('.');
        return dot < 0 ? new DraftId(text, "") : new DraftId(text.substring(0, dot), text.substring(dot + 1));
    }

    /// Returns `<part>` or `<part>.<handle>`, as stored in the database.
    @Override
    public String toString() {
        return handle.isEmpty() ? part : part + "." + handle;
    }
}
