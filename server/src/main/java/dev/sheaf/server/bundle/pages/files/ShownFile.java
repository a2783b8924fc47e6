package dev.sheaf.server.bundle.pages.files;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.server.bundle.pages.source.FrontMatterTable;
import dev.sheaf.server.bundle.pages.source.MarkedText;
import dev.sheaf.server.bundle.pages.source.SourceExcerpt;
import dev.sheaf.server.bundle.pages.source.SourceLanguage;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.UserHtml;
import dev.sheaf.server.hub.ReadmeHtml;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The part of a file that a page shows.
///
/// @param source the lines; null if the file is not text or is shown rendered
/// @param rendered the rendered file; null if the source is shown
/// @param isTooLong whether the file is too long to render
/// @param lines the number of lines of the file, or of the part that was read
/// @param hex a hex dump; null for text and images
/// @param language the name of the language, for highlight.js; empty if it is unknown
public record ShownFile(
        Content.Kind kind,
        boolean isWhole,
        boolean isMarkdown,
        boolean isTooLong,
        @Nullable FrontMatterTable front,
        @Nullable SourceExcerpt source,
        @Nullable UserHtml rendered,
        LineFinding.All findings,
        int lines,
        int characters,
        @Nullable String hex,
        String language) {
    private static final int ROOM = 50 << 10; // bytes of a page for lines
    private static final int MAX_RENDERED = 48 << 10; // characters
    private static final LineFinding.All NONE = new LineFinding.All(List.of(), 0, 0, false);

    /// @param from the position in the text at which the part begins; negative to render the file
    public static ShownFile of(PageCall page, OpenedVersion opened, Layer file, Content content, int from) {
        String text = content.text();
        if (text == null) {
            String hex = content.kind().isImage() ? null : content.hex();
            return new ShownFile(content.kind(), false, false, false, null, null, null, NONE, 0, 0, hex, "");
        }
        String path = file.logicalPath();
        boolean isMarkdown = SourceLanguage.isMarkdown(path);
        return page.call().computed(file.sizeBytes(), budget -> {
            var marked = MarkedText.of(text);
            var front = from > 0 ? null : FrontMatterTable.of(path, marked);
            UserHtml html = from >= 0 || !isMarkdown ? null : rendered(opened, path, marked, budget);
            return new ShownFile(
                    content.kind(),
                    content.isWhole(),
                    isMarkdown,
                    from < 0 && html == null,
                    front,
                    html == null ? SourceExcerpt.of(marked, from, front == null ? ROOM : ROOM - (8 << 10)) : null,
                    html,
                    LineFinding.of(marked, budget),
                    SourceExcerpt.count(text),
                    text.length(),
                    null,
                    SourceLanguage.of(path, text));
        });
    }

    /// Returns the position at which the first page of a text ends.
    static int firstEnd(PageCall page, Layer file, String text) {
        return page.call().computed(file.sizeBytes(), budget -> {
            var marked = MarkedText.of(text);
            var front = FrontMatterTable.of(file.logicalPath(), marked);
            return SourceExcerpt.of(marked, 0, front == null ? ROOM : ROOM - (8 << 10))
                    .next();
        });
    }

    /// Returns the rendered file; null if it is too long.
    private static @Nullable UserHtml rendered(OpenedVersion opened, String path, MarkedText marked, Budget budget) {
        String text = marked.plainly();
        if (text.length() > MAX_RENDERED) {
            return null;
        }
        String body = FrontMatterTable.body(text);
        int slash = path.lastIndexOf('/');
        var html = ReadmeHtml.file(body, opened.place() + "/files/", slash < 0 ? "" : path.substring(0, slash), budget);
        return html.bytes().length > ROOM ? null : new UserHtml(html);
    }

    public boolean hasMore() {
        return source != null && source.next() < characters;
    }

    /// Returns the link to the next part of the source.
    public String more(String place) {
        return ApiPath.of(place)
                .with("from", source == null ? 0 : source.next())
                .toString();
    }

    public boolean isEmpty() {
        return kind == Content.Kind.EMPTY;
    }

    public boolean isImage() {
        return kind.isImage();
    }
}
