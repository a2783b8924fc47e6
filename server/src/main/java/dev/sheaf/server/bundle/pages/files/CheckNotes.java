package dev.sheaf.server.bundle.pages.files;

import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.bundle.pages.PassportView;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The results of the content checks when the version was published.
public final class CheckNotes {
    private static final Pattern LINE = Pattern.compile("\\bline ([0-9]{1,9})\\b");

    private CheckNotes() {}

    /// The results that a page shows: the findings, then notes that say nothing bad of the content.
    ///
    /// @param title how many of each
    /// @param more the number of results that are left out
    public record Shown(List<Note> notes, String title, boolean hasFindings, int more) {
        public Shown {
            notes = List.copyOf(notes);
        }
    }

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
    ///
    /// @param room the available bytes of a page
    static Shown of(PassportView passport, OpenedVersion opened, int room) {
        var all = besides(passport, opened);
        var findings =
                all.stream().filter(note -> VersionRisk.isFinding(note.code())).toList();
        var others =
                all.stream().filter(note -> !VersionRisk.isFinding(note.code())).toList();
        String title = Stream.of(
                        findings.isEmpty() ? "" : PageFormat.count(findings.size(), "finding", "findings"),
                        others.isEmpty() ? "" : PageFormat.count(others.size(), "note", "notes"))
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining(" and "));
        var shown = within(Stream.concat(findings.stream(), others.stream()).toList(), room);
        return new Shown(shown, title, !findings.isEmpty(), all.size() - shown.size());
    }

    private static List<Note> besides(PassportView passport, OpenedVersion opened) {
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
