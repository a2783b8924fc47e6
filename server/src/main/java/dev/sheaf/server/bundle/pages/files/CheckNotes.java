package dev.sheaf.server.bundle.pages.files;

import dev.sheaf.server.bundle.pages.PassportView;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import dev.sheaf.server.console.ApiPath;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The results of the content checks when the version was published.
public final class CheckNotes {
    private static final Pattern LINE = Pattern.compile("\\bline ([0-9]{1,9})\\b");

    private CheckNotes() {}

    /// A result.
    ///
    /// @param path the path of its file; empty for the whole version
    /// @param link the link to the line or to the file; null if there is none
    public record Note(
            String path,
            String code,
            String detail,
            @Nullable String link) {}

    /// Returns the results that are not among the findings of the passport.
    static List<Note> besides(PassportView passport, OpenedVersion opened) {
        var warnings = opened.version().warnings();
        return warnings == null
                ? List.of()
                : passport.besides(warnings).stream()
                        .map(warning -> new Note(
                                warning.logicalPath(),
                                warning.code(),
                                warning.detail(),
                                link(opened, warning.logicalPath(), warning.detail())))
                        .toList();
    }

    /// Returns as many results as fit.
    ///
    /// @param room the available bytes of a page
    static List<Note> within(List<Note> notes, int room) {
        var shown = new ArrayList<Note>();
        int left = room;
        for (var note : notes) {
            left -= 100
                    + LinePiece.weight(note.path())
                    + LinePiece.weight(note.detail())
                    + (note.link() == null ? 0 : note.link().length());
            if (left > 0) {
                shown.add(note);
            }
        }
        return List.copyOf(shown);
    }

    private static @Nullable String link(OpenedVersion opened, String path, String detail) {
        if (path.isEmpty()) {
            return null;
        }
        var line = LINE.matcher(detail);
        String file = opened.file(opened.place(), path);
        return line.find() ? ApiPath.of(file).with("line", line.group(1)).toString() : file;
    }
}
