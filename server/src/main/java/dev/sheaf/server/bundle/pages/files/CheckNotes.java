package dev.sheaf.server.bundle.pages.files;

import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The notes of the content checks when the version was published, which say nothing bad of the content.
public final class CheckNotes {
    private static final Pattern LINE = Pattern.compile("\\bline ([0-9]{1,9})\\b");

    private CheckNotes() {}

    /// The notes that a page shows.
    ///
    /// @param title how many there are
    /// @param more the number of notes that are left out
    public record Shown(List<Note> notes, String title, int more) {
        public Shown {
            notes = List.copyOf(notes);
        }
    }

    /// A note.
    ///
    /// @param path the path of its file; empty for the whole version
    /// @param link the link to the line or to the file; null if there is none
    public record Note(
            String path,
            String code,
            String detail,
            @Nullable String link) {}

    /// @param room the available bytes of a page
    static Shown of(OpenedVersion opened, int room) {
        var warnings = opened.version().warnings();
        var all = warnings == null
                ? List.<Note>of()
                : warnings.stream()
                        .filter(warning -> !VersionRisk.isFinding(warning.code()))
                        .map(warning -> new Note(
                                warning.logicalPath(),
                                warning.code(),
                                warning.detail(),
                                link(opened, warning.logicalPath(), warning.detail())))
                        .toList();
        var shown = within(all, room);
        return new Shown(shown, PageFormat.count(all.size(), "note", "notes"), all.size() - shown.size());
    }

    /// Returns as many notes as fit.
    private static List<Note> within(List<Note> notes, int room) {
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
