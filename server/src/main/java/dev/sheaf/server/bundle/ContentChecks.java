package dev.sheaf.server.bundle;

import dev.sheaf.model.LogicalPath;
import java.util.ArrayList;
import java.util.List;

/// Looks at content and says what may be wrong with it; never refuses anything (contract 3.5).
public final class ContentChecks {
    /// Something that its publisher should look at.
    public record Warning(LogicalPath path, String code, String detail) {}

    private ContentChecks() {}

    /// Checks a text that was sent as JSON: some publishers destroy binary files on the way into one.
    public static List<Warning> ofText(LogicalPath path, String text) {
        var warnings = new ArrayList<Warning>(2);
        int replacement = text.indexOf('\uFFFD');
        if (replacement >= 0) {
            warnings.add(new Warning(
                    path,
                    "replacement-character",
                    "holds U+FFFD at character " + replacement
                            + ": a binary file read as text? Send it as contentBase64"));
        }
        int nul = text.indexOf('\0');
        if (nul >= 0) {
            warnings.add(
                    new Warning(path, "nul-character", "holds NUL at character " + nul + ": is it a binary file?"));
        }
        return warnings;
    }
}
