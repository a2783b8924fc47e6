package dev.sheaf.server.blob;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// The name of an object under construction.
///
/// @param part 32 random lower-case hex characters, which become part of the finished object's name
/// @param handle what the store must know beside to go on with it on any node; empty for files. What stands before
/// its first `|` is enough to remove the draft.
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
            throw new IllegalArgumentException("no part of a storage name: " + part);
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

    /// As much as it takes to remove the draft: short enough for a key of the database, which all of it may not be.
    public DraftId brief() {
        int end = handle.indexOf('|');
        return end < 0 ? this : new DraftId(part, handle.substring(0, end));
    }

    /// Reads what [#toString] wrote.
    ///
    /// @throws RuntimeException where the text is no draft id
    public static DraftId parse(String text) {
        int dot = text.indexOf('.');
        return dot < 0 ? new DraftId(text, "") : new DraftId(text.substring(0, dot), text.substring(dot + 1));
    }

    /// `<part>` or `<part>.<handle>`, as it stands in the database.
    @Override
    public String toString() {
        return handle.isEmpty() ? part : part + "." + handle;
    }
}
