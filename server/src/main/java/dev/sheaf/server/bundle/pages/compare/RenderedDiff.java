package dev.sheaf.server.bundle.pages.compare;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.server.bundle.pages.source.FrontMatterTable;
import dev.sheaf.server.bundle.pages.source.MarkedText;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.UserHtml;
import dev.sheaf.server.hub.ReadmeDiff;
import dev.sheaf.server.hub.ReadmeHtml;
import dev.sheaf.server.hub.SafeHtml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The changes of a Markdown file as readers see them.
///
/// @param fields the fields of the front matter that differ
/// @param weight the approximate number of bytes that it takes on a page
public record RenderedDiff(List<Field> fields, List<Part> parts, int weight) {
    private static final int PART = 100; // bytes of the elements of a part

    public RenderedDiff {
        fields = List.copyOf(fields);
        parts = List.copyOf(parts);
    }

    /// A field of the front matter; an empty text stands for a field that is not there.
    public record Field(String name, String before, String after) {}

    /// A block of the text, or the number of those that are the same.
    public record Part(ReadmeDiff.Kind kind, int count, UserHtml html) {
        public boolean isAdded() {
            return kind == ReadmeDiff.Kind.ADDED;
        }

        public boolean isRemoved() {
            return kind == ReadmeDiff.Kind.REMOVED;
        }
    }

    /// A side of the comparison.
    private record Side(@Nullable FrontMatterTable front, SafeHtml html) {
        static Side of(@Nullable Layer layer, String text, String files, Budget budget) {
            if (layer == null) {
                return new Side(null, ReadmeHtml.file("", files, "", budget));
            }
            String path = layer.logicalPath();
            var marked = MarkedText.of(text);
            var front = FrontMatterTable.of(path, marked);
            boolean isTable = front != null && front.wrong() == null && !front.isCut();
            String plain = marked.plainly();
            int slash = path.lastIndexOf('/');
            return new Side(
                    isTable ? front : null,
                    ReadmeHtml.file(
                            isTable ? FrontMatterTable.body(plain) : plain,
                            files,
                            slash < 0 ? "" : path.substring(0, slash),
                            budget));
        }

        Map<String, String> fields() {
            var fields = new LinkedHashMap<String, String>();
            if (front != null) {
                front.rows().forEach(row -> fields.put(row.name(), row.value()));
            }
            return fields;
        }
    }

    /// Returns null if the file is not shown rendered: it was not read, has too many parts, or the page has no room.
    ///
    /// @param files the base of links to files
    /// @param room the available bytes of the page
    static @Nullable RenderedDiff of(
            VersionDiff.Change change, String files, ComparedTexts texts, int room, Budget budget) {
        String before = texts.of(change.before());
        String after = texts.of(change.after());
        if (before == null || after == null) {
            return null;
        }
        var old = Side.of(change.before(), before, files, budget);
        var now = Side.of(change.after(), after, files, budget);
        var blocks = ReadmeDiff.between(old.html(), now.html(), budget);
        if (blocks.isEmpty()) {
            return null;
        }
        var parts = new ArrayList<Part>();
        int weight = 0;
        for (var block : blocks.get()) {
            parts.add(new Part(block.kind(), block.count(), new UserHtml(block.html())));
            weight += PART + block.html().bytes().length;
        }
        var fields = fields(old.fields(), now.fields());
        weight += fields.stream()
                .mapToInt(field -> PART
                        + 2
                                * (field.name().length()
                                        + field.before().length()
                                        + field.after().length()))
                .sum();
        return weight > room ? null : new RenderedDiff(fields, parts, weight);
    }

    private static List<Field> fields(Map<String, String> before, Map<String, String> after) {
        var names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        return names.stream()
                .map(name -> new Field(name, before.getOrDefault(name, ""), after.getOrDefault(name, "")))
                .filter(field -> !field.before().equals(field.after()))
                .toList();
    }

    /// Returns whether readers see no difference.
    public boolean isSame() {
        return fields.isEmpty() && parts.stream().allMatch(part -> part.kind() == ReadmeDiff.Kind.SAME);
    }

    String summary() {
        long changed = fields.size()
                + parts.stream()
                        .filter(part -> part.kind() != ReadmeDiff.Kind.SAME)
                        .count();
        return changed == 0
                ? "Nothing changed that a reader sees"
                : PageFormat.count((int) changed, "change", "changes") + " that a reader sees";
    }
}
