package dev.sheaf.server.bundle.pages.overview;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.bundle.SkillDocuments;
import dev.sheaf.server.bundle.pages.PassportView;
import dev.sheaf.server.bundle.pages.VisibleBundle;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A skill in the list of a bundle's skills.
///
/// @param link the page of its SKILL.md
/// @param tools the tools that it may use without asking, as one text; empty if it names none
/// @param findings the number of findings in its files, as the verdict counts them
public record SkillEntry(String name, String description, int files, String tools, long findings, String link) {
    private static final int ROOM = 14 << 10; // bytes of a page
    private static final int ENTRY = 450;
    private static final int MOST = 400; // characters of a description
    private static final int MOST_TOOLS = 8;

    /// The skills that fit on a page.
    ///
    /// @param all the number of all skills
    public record Some(List<SkillEntry> shown, int all) {
        static final Some NONE = new Some(List.of(), 0);

        public Some {
            shown = List.copyOf(shown);
        }

        public int more() {
            return all - shown.size();
        }
    }

    static Some of(
            PageCall page,
            VisibleBundle seen,
            VersionDetail version,
            PassportView passport,
            List<SkillDocuments.Document> documents) {
        long bytes = documents.stream()
                .mapToLong(one -> one.bytes() == null ? 0 : one.bytes().length)
                .sum();
        return page.call().computed(bytes, budget -> {
            var shown = new ArrayList<SkillEntry>();
            int room = ROOM;
            for (var document : documents) {
                budget.check();
                var entry = of(seen, version, passport, document);
                room -= ENTRY + entry.weight();
                if (room < 0) {
                    break;
                }
                shown.add(entry);
            }
            return new Some(shown, documents.size());
        });
    }

    private int weight() {
        return LinePiece.weight(description) + LinePiece.weight(tools) + 2 * LinePiece.weight(name) + link.length();
    }

    private static SkillEntry of(
            VisibleBundle seen, VersionDetail version, PassportView passport, SkillDocuments.Document document) {
        var skill = document.skill();
        var text = text(document.bytes());
        LogicalPath path = skill.document().path();
        return new SkillEntry(
                skill.name(),
                text == null ? "" : cut(PageFormat.visible(text.description().orElse(""))),
                skill.files().size(),
                text == null ? "" : tools(text.allowedTools()),
                passport.graveIn(skill.folder()),
                seen.file(version.version(), path.value()) + "?view=rendered");
    }

    private static @Nullable SkillText text(byte @Nullable [] bytes) {
        try {
            return bytes == null ? null : SkillText.parse(bytes);
        } catch (SkillText.Wrong e) {
            return null; // its page says what is wrong
        }
    }

    private static String cut(String text) {
        return text.length() <= MOST ? text : text.substring(0, text.offsetByCodePoints(0, MOST / 2)) + "…";
    }

    private static String tools(List<String> tools) {
        String some = PageFormat.visible(String.join(", ", tools.subList(0, Math.min(MOST_TOOLS, tools.size()))));
        return cut(some) + (tools.size() > MOST_TOOLS ? " and " + (tools.size() - MOST_TOOLS) + " more" : "");
    }
}
