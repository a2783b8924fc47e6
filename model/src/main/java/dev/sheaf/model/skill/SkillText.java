package dev.sheaf.model.skill;

import dev.sheaf.model.text.Utf8Text;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The content of a SKILL.md (Agent Skills specification, agentskills.io): the front matter, which is a YAML
/// document between two lines `---`, followed by text for the agent. Immutable.
public final class SkillText {
    /// The file name, the same in every skill.
    public static final String FILE = "SKILL.md";

    /// The number of bytes that are read of a file. The rest of a longer file is ignored.
    public static final int MAX_BYTES = 1 << 20;

    private static final String FENCE = "---";
    private static final int MAX_FRONT_MATTER = 64 << 10; // characters
    private static final Set<String> TOOLS = Set.of("allowedtools", "tools");

    private final Map<String, SkillValue> members;
    private final String body;

    private SkillText(Map<String, SkillValue> members, String body) {
        this.members = members;
        this.body = body;
    }

    /// A SKILL.md is invalid.
    public static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int line;
        private final String message;

        Wrong(int line, String message) {
            super(message, null, false, false);
            this.line = line;
            this.message = message;
        }

        @Override
        public String getMessage() {
            return message;
        }

        /// Returns the line, from 1; 0 for the whole file.
        public int line() {
            return line;
        }
    }

    /// Parses a SKILL.md.
    ///
    /// @param bytes the content of the file; only the first [#MAX_BYTES] of a longer file
    /// @throws Wrong if it is not valid UTF-8, or has no readable front matter
    public static SkillText parse(byte[] bytes) {
        return parse(Utf8Text.of(ByteBuffer.wrap(bytes, 0, whole(bytes)))
                .orElseThrow(() -> new Wrong(0, "the file is not valid UTF-8")));
    }

    /// Returns the number of bytes up to the last whole line, if the file was cut off. A partial line could end
    /// in a partial character.
    private static int whole(byte[] bytes) {
        int end = bytes.length;
        while (bytes.length == MAX_BYTES && end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return end;
    }

    private static SkillText parse(String text) {
        int from = afterLine(text, 0);
        if (!isFence(text, 0, from)) {
            throw new Wrong(
                    1, "a skill begins with front matter: a line \"---\", name and description, and \"---\" again");
        }
        int end = from;
        int next = afterLine(text, end);
        while (end < text.length() && !isFence(text, end, next)) {
            end = next;
            next = afterLine(text, end);
        }
        if (end >= text.length()) {
            throw new Wrong(1, "the front matter has no end; put a line \"---\" after it");
        }
        if (end - from > MAX_FRONT_MATTER) {
            throw new Wrong(1, "the front matter is longer than " + MAX_FRONT_MATTER + " characters");
        }
        var value = SkillYaml.read(text.substring(from, end), 1);
        if (!(value instanceof SkillValue.Members(int line, Map<String, SkillValue> members))) {
            throw new Wrong(value.line(), "write fields here, such as \"name: value\"");
        }
        return new SkillText(members, text.substring(next));
    }

    private static int afterLine(String text, int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end + 1;
    }

    private static boolean isFence(String text, int from, int to) {
        return text.startsWith(FENCE, from)
                && text.substring(from, to).stripTrailing().equals(FENCE);
    }

    Map<String, SkillValue> members() {
        return members;
    }

    /// Returns the front matter as JSON values (strings, numbers, booleans and null by the core schema of YAML
    /// 1.2, lists and objects), in the order of the file.
    public Map<String, @Nullable Object> frontMatter() {
        return FrontMatter.of(members);
    }

    /// Returns the text after the front matter.
    public String body() {
        return body;
    }

    /// Returns the name; empty if it has none.
    public Optional<String> name() {
        return text("name");
    }

    /// Returns the description; empty if it has none.
    public Optional<String> description() {
        return text("description");
    }

    /// Returns the license; empty if it has none.
    public Optional<String> license() {
        return text("license");
    }

    /// Returns what the skill needs, for people; empty if it does not say.
    public Optional<String> compatibility() {
        return text("compatibility");
    }

    /// Returns the tools that the skill may use without asking, one by one: `Bash(git:*) Read` gives two.
    public List<String> allowedTools() {
        return switch (members.get("allowed-tools")) {
            case SkillValue.Text text when !text.isNull() -> words(text.value());
            case SkillValue.Items items ->
                items.values().stream()
                        .map(SkillText::text)
                        .filter(Objects::nonNull)
                        .toList();
            case null, default -> List.of();
        };
    }

    /// A tool that a front matter names.
    ///
    /// @param line the line of the field, from 1
    public record NamedTool(String name, int line) {}

    /// Returns the tools that the front matter of a skill, an agent or a command names: `allowed-tools` and `tools`,
    /// as text, as a list or as switches that are not off. Unlike [#allowedTools], it is not only about tools
    /// that may be used without asking.
    public List<NamedTool> namedTools() {
        var named = new ArrayList<NamedTool>();
        members.forEach((name, value) -> {
            if (TOOLS.contains(name.toLowerCase(Locale.ROOT).replaceAll("[-_]", ""))) {
                named(value).stream()
                        .map(tool -> new NamedTool(tool, value.line()))
                        .forEach(named::add);
            }
        });
        return named.stream().distinct().toList();
    }

    private static List<String> named(SkillValue value) {
        return switch (value) {
            case SkillValue.Text text when text.isNull() -> List.of();
            case SkillValue.Text text -> words(text.value());
            case SkillValue.Items items ->
                items.values().stream()
                        .map(SkillText::text)
                        .filter(Objects::nonNull)
                        .toList();
            case SkillValue.Members switches -> AutomaticCommands.on(switches);
        };
    }

    /// Splits at spaces and commas outside of parentheses.
    static List<String> words(String text) {
        var words = new ArrayList<String>();
        var word = new StringBuilder();
        int depth = 0;
        for (char c : (text + " ").toCharArray()) {
            depth = c == '(' ? depth + 1 : c == ')' ? Math.max(0, depth - 1) : depth;
            if (depth > 0 || c != ',' && !Character.isWhitespace(c)) {
                word.append(c);
            } else if (!word.isEmpty()) {
                words.add(word.toString());
                word.setLength(0);
            }
        }
        if (!word.toString().isBlank()) {
            words.add(word.toString().strip()); // ends in an unclosed parenthesis
        }
        return words;
    }

    /// Returns the members of `metadata` that are strings.
    public Map<String, String> metadata() {
        var texts = new TreeMap<String, String>();
        if (members.get("metadata") instanceof SkillValue.Members metadata) {
            metadata.values().forEach((name, value) -> {
                String text = text(value);
                if (text != null) {
                    texts.put(name, text);
                }
            });
        }
        return texts;
    }

    /// Returns a field of the front matter; empty if it is missing, blank or not a string.
    private Optional<String> text(String name) {
        return Optional.ofNullable(text(members.get(name)));
    }

    private static @Nullable String text(@Nullable SkillValue value) {
        return value instanceof SkillValue.Text text
                        && !text.isNull()
                        && !text.value().isBlank()
                ? text.value().strip()
                : null;
    }

    /// Returns the author's search words, without duplicates: the lists or comma-separated strings `keywords`
    /// and `tags`, in the front matter and in its `metadata`.
    public List<String> keywords() {
        var found = new ArrayList<String>();
        keywords(members, found);
        if (members.get("metadata") instanceof SkillValue.Members metadata) {
            keywords(metadata.values(), found);
        }
        return found.stream().distinct().toList();
    }

    private static void keywords(Map<String, SkillValue> members, List<String> found) {
        for (String name : List.of("keywords", "tags")) {
            switch (members.get(name)) {
                case SkillValue.Text text -> List.of(text.value().split(",")).forEach(word -> add(word, found));
                case SkillValue.Items items ->
                    items.values().stream().map(SkillText::text).forEach(word -> add(word == null ? "" : word, found));
                case null, default -> {} // ignored
            }
        }
    }

    private static void add(String word, List<String> found) {
        if (!word.toString().isBlank()) {
            found.add(word.strip());
        }
    }
}
