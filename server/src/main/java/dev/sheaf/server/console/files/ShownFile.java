package dev.sheaf.server.console.files;

import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.Markup;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.source.Excerpt;
import dev.sheaf.server.console.source.Language;
import dev.sheaf.server.console.source.Painted;
import dev.sheaf.server.cpu.Budget;
import dev.sheaf.server.hub.Readme;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What of a file goes into a page.
///
/// @param source lines; null: it is no text, or is shown rendered
/// @param rendered null: it is shown as its source
/// @param isTooLong whether it was to be rendered, and is too long for that
/// @param lines of the file, or of as much as was looked at
/// @param hex null: it is a text or an image
public record ShownFile(
        Content.Kind kind,
        boolean isWhole,
        boolean isMarkdown,
        boolean isTooLong,
        @Nullable Front front,
        @Nullable Excerpt source,
        @Nullable Markup rendered,
        Finding.All findings,
        int lines,
        int characters,
        @Nullable String hex) {
    private static final int ROOM = 50 << 10; // bytes of a page, of lines
    private static final int MAX_RENDERED = 48 << 10; // characters
    private static final Finding.All NONE = new Finding.All(List.of(), 0, 0, false);

    /// @param from place in the text where it begins; negative: rendered
    static ShownFile of(PageCall page, Opened opened, Layer file, Content content, int from) {
        String text = content.text();
        if (text == null) {
            String hex = content.kind().isImage() ? null : content.hex();
            return new ShownFile(content.kind(), false, false, false, null, null, null, NONE, 0, 0, hex);
        }
        String path = file.logicalPath();
        var language = Language.of(path, text);
        boolean isMarkdown = language == Language.MARKDOWN;
        return page.call().computed(file.sizeBytes(), budget -> {
            var painted = Painted.of(text, language, budget);
            var front = from > 0 ? null : Front.of(path, painted);
            Markup html = from >= 0 || !isMarkdown ? null : rendered(opened, path, painted, budget);
            return new ShownFile(
                    content.kind(),
                    content.isWhole(),
                    isMarkdown,
                    from < 0 && html == null,
                    front,
                    html == null ? Excerpt.of(painted, from, front == null ? ROOM : ROOM - (8 << 10)) : null,
                    html,
                    Finding.of(painted),
                    Excerpt.count(text),
                    text.length(),
                    null);
        });
    }

    /// Where the first page of a text ends.
    static int firstEnd(PageCall page, Layer file, String text) {
        var language = Language.of(file.logicalPath(), text);
        return page.call().computed(file.sizeBytes(), budget -> {
            var painted = Painted.of(text, language, budget);
            var front = Front.of(file.logicalPath(), painted);
            return Excerpt.of(painted, 0, front == null ? ROOM : ROOM - (8 << 10))
                    .next();
        });
    }

    /// Null where it is too long.
    private static @Nullable Markup rendered(Opened opened, String path, Painted painted, Budget budget) {
        String text = painted.plainly();
        if (text.length() > MAX_RENDERED) {
            return null;
        }
        String body = Front.body(text);
        int slash = path.lastIndexOf('/');
        var html = Readme.file(body, opened.place() + "/files/", slash < 0 ? "" : path.substring(0, slash), budget);
        return html.bytes().length > ROOM ? null : new Markup(html);
    }

    public boolean hasMore() {
        return source != null && source.next() < characters;
    }

    /// The next part of the source.
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
