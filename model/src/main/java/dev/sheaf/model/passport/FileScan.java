package dev.sheaf.model.passport;

import dev.sheaf.model.PathRules;
import dev.sheaf.model.archive.ProgramFormat;
import dev.sheaf.model.skill.AgentSettings;
import dev.sheaf.model.skill.AutomaticCommands;
import dev.sheaf.model.skill.AutomaticFiles;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.model.text.HiddenText;
import dev.sheaf.model.text.ScanEffort;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Scans one file. Every pattern reads pieces of a few thousand characters, so that the time is proportional to the
/// text.
final class FileScan {
    private static final int PIECE = 2_000; // characters of a line that a pattern reads together
    private static final int BEYOND = 400; // characters after the piece that a match may reach
    private static final int MATCH = 2_000; // the price of a match, in characters
    private static final int HOST_PRICE = 300;
    private static final int LONGEST_COMMENT = 4_000; // characters that are shown, at most
    private static final int MOST_KINDS = 20;
    private static final int LONGEST_PATH = 90;
    private static final int FENCE = 3; // marks
    private static final int DEEPEST = 12; // blanks before a fence in a list
    private static final int MANY_HIDDEN = 3;
    private static final int ESCAPE = 0x1B;
    private static final String SEQUENCES = "[]P_^X"; // what may follow an escape

    /// Files that programs read as an agent, a command, a prompt or a rule.
    private static final Pattern SINGLE =
            Pattern.compile("(?:.{0,400}/)?(?:agents|commands|prompts|rules)/[^/]{1,200}\\.(?:md|mdc)");

    private static final Pattern SHEBANG = Pattern.compile(
            "#![ \\t]{0,4}(?:/[^\\s/]{0,60}){0,8}/(?:env[ \\t]{1,4}(?:-\\S{1,10}[ \\t]{1,4}){0,3})?([\\w.+-]{1,30})");

    /// Tools that run whatever they are told.
    private static final Pattern ANY_COMMAND =
            Pattern.compile("(?i)[*]|(?:bash|shell|execute|terminal|powershell)(?:\\(\\s{0,4}[*:]{0,3}\\s{0,4}\\))?");

    private static final String QUOTES = "\"'“”‘’«»`";

    private final PassportScan.Source source;
    private final String path;
    private final String shown; // the end of a long path, which distinguishes files best
    private final FileKind kind;
    private final @Nullable String inSkill;
    private final String original;
    private final String text; // without what nobody sees
    private final byte[] bytes;
    private final PassportEntries found;
    private final ScanEffort effort;
    private final Runnable step;

    private final String lower;
    private final int[] lines; // the offsets at which lines begin
    private final int[] pieces; // the same, and those at which a long line is cut
    private final BitSet fenced = new BitSet(); // lines of code in Markdown
    private final boolean isDescription;
    private final int[] ticks;
    private final int[] quotes;

    /// @param inSkill the path in its skill; null if it is in none
    /// @param text empty if it is not text
    FileScan(
            PassportScan.Source source,
            @Nullable String inSkill,
            String text,
            byte[] bytes,
            PassportEntries found,
            ScanEffort effort,
            Runnable step) {
        this.source = source;
        this.path = source.path();
        this.shown = path.length() <= LONGEST_PATH ? path : "…" + path.substring(path.length() - LONGEST_PATH + 1);
        this.kind = FileKind.of(path);
        this.inSkill = inSkill;
        this.original = text;
        this.text = PlainText.plain(text);
        this.bytes = bytes;
        this.found = found;
        this.effort = effort;
        this.step = step;
        this.lower = lower(this.text);
        this.lines = offsets(this.text, Integer.MAX_VALUE);
        this.pieces = offsets(this.text, PIECE);
        this.isDescription = isDescription();
        this.ticks = positions('`');
        this.quotes = positions('"');
        if (kind.isMarkdown()) {
            fences();
        }
    }

    /// Returns the text with small letters of ASCII, and the same length.
    private static String lower(String text) {
        char[] chars = text.toCharArray();
        for (int i = 0; i < chars.length; i++) {
            if (chars[i] >= 'A' && chars[i] <= 'Z') {
                chars[i] += 'a' - 'A';
            }
        }
        return new String(chars);
    }

    private static int[] offsets(String text, int longest) {
        int[] offsets = new int[16];
        int count = 1;
        int since = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\n' || i + 1 - since >= longest) {
                if (count == offsets.length) {
                    offsets = Arrays.copyOf(offsets, 2 * count);
                }
                since = i + 1;
                offsets[count++] = since;
            }
        }
        return Arrays.copyOf(offsets, count);
    }

    private static int at(int[] offsets, int position) {
        int index = Arrays.binarySearch(offsets, position);
        return index >= 0 ? index : -index - 2;
    }

    private int line(int position) {
        return at(lines, position) + 1;
    }

    private int[] positions(char c) {
        return text.chars().anyMatch(one -> one == c)
                ? IntStream.range(0, text.length())
                        .filter(i -> text.charAt(i) == c)
                        .toArray()
                : new int[0];
    }

    /// Returns how many of these positions are in a part of the text.
    private static int count(int[] positions, int from, int to) {
        return index(positions, to) - index(positions, from);
    }

    private static int index(int[] positions, int position) {
        int index = Arrays.binarySearch(positions, position);
        return index >= 0 ? index : -index - 1;
    }

    private int end(int piece) {
        return piece + 1 < pieces.length ? pieces[piece + 1] : text.length();
    }

    /// Finds the lines of code between fences. A fence ends with as many marks as it began with, or more.
    private void fences() {
        char mark = 0;
        int open = 0;
        for (int i = 0; i < lines.length; i++) {
            int end = i + 1 < lines.length ? lines[i + 1] - 1 : text.length();
            int from = lines[i];
            while (from < end && from - lines[i] < DEEPEST && (text.charAt(from) == ' ' || text.charAt(from) == '\t')) {
                from++;
            }
            char c = from < end ? text.charAt(from) : 0;
            int count = 0;
            while (from + count < end && text.charAt(from + count) == c) {
                count++;
            }
            String rest = text.substring(from + count, Math.min(end, from + count + PIECE));
            if (open > 0) {
                fenced.set(i);
                open = c == mark && count >= open && rest.isBlank() ? 0 : open;
            } else if (count >= FENCE && (c == '`' && rest.indexOf('`') < 0 || c == '~')) {
                mark = c;
                open = count;
            }
        }
    }

    void scan() {
        runs();
        if (text.isEmpty()) {
            return;
        }
        settings();
        frontMatter();
        hosts();
        hidden();
        comments();
        for (var rule : PassportRules.all()) {
            if (rule.scope() != null && rule.pattern() != null && isRead(rule.scope())) {
                step.run();
                matches(rule, rule.scope(), rule.pattern());
            }
        }
        EncodedPrograms.find(text, effort, step, (at, what) -> add("encoded-program", what, line(at)));
    }

    private boolean isRead(PassportRule.Scope scope) {
        return switch (scope) {
            case PROSE -> true;
            case CODE -> !isData();
            case MARKDOWN -> kind.isMarkdown();
            case COMMENT -> false;
        };
    }

    /// Returns whether the text is data and not a script, whatever its name is.
    private boolean isData() {
        return kind.isData() && !source.executable() && !text.startsWith("#!");
    }

    /// Returns whether it is Markdown of a skill that no program loads by itself: what an agent reads only if the skill
    /// says so.
    private boolean isDescription() {
        return inSkill != null
                && kind.isMarkdown()
                && kind.isText()
                && !source.executable()
                && !text.startsWith("#!")
                && !inSkill.substring(inSkill.lastIndexOf('/') + 1).equals(SkillText.FILE)
                && !SINGLE.matcher(path).matches()
                && AutomaticFiles.why(inSkill).isEmpty();
    }

    private void add(String rule, String what, int line) {
        effort.spend(MATCH);
        var one = PassportRules.of(rule);
        found.add(one, what, null, one.severity(false, isDescription), path, line);
    }

    // --- what runs ---

    private void runs() {
        var program = ProgramFormat.of(bytes);
        var shebang = SHEBANG.matcher(text.substring(0, Math.min(200, text.length())));
        if (program.isPresent()) {
            add("program", shown + " (" + program.get().replaceFirst("^an? ", "") + ")", 1);
        } else if (shebang.lookingAt()) {
            add(source.executable() ? "executable-script" : "script", shown + " (" + shebang.group(1) + ")", 1);
        } else if (kind.interpreter() != null) {
            add(source.executable() ? "executable-script" : "script", shown + " (" + kind.interpreter() + ")", 1);
        } else if (source.executable() && !kind.isText() && !kind.isPicture()) {
            add("executable-file", shown, 1);
        }
        if (inSkill != null && !AgentSettings.isRead(inSkill)) {
            AutomaticFiles.why(inSkill).ifPresent(why -> add("auto-file", shown + " " + why, 1));
        }
    }

    private void settings() {
        if (!AgentSettings.isRead(path)) {
            return;
        }
        var started = AgentSettings.of(path, original);
        if (started.isEmpty()) {
            add("auto-file", shown + " may start programs, and cannot be read here", 1);
        }
        started.orElse(List.of()).forEach(one -> {
            String what = one.name() + ": " + one.words();
            switch (one.kind()) {
                case HOOK -> {
                    add("hook", what, one.line());
                    add("hook-entry", one.name(), one.line());
                }
                case MCP_SERVER -> {
                    add("mcp-server", what, one.line());
                    add("mcp-entry", one.name(), one.line());
                }
                case LSP_SERVER -> add("lsp-server", what, one.line());
            }
        });
    }

    private void frontMatter() {
        if (inSkill != null && AutomaticCommands.isRead(inSkill)
                || SINGLE.matcher(path).matches()) {
            for (String what : AutomaticCommands.of(original, effort).commands()) {
                if (effort.isSpent()) {
                    break;
                }
                int at = text.indexOf(what.startsWith("!") ? what.replaceFirst("…$", "") : what.split("[ :…]", 2)[0]);
                effort.spend(at < 0 ? text.length() : at);
                if (what.startsWith("!") && at > 0 && isMark(text.charAt(at - 1))) {
                    continue;
                }
                add("auto-command", what, at < 0 ? 1 : line(at));
                if (what.startsWith("hooks in its front matter")) {
                    add("hook-entry", what, at < 0 ? 1 : line(at));
                } else if (PathRules.plain(what).startsWith("mcp")) {
                    add("mcp-entry", what, at < 0 ? 1 : line(at));
                }
            }
        }
        if (!kind.isMarkdown() || !text.startsWith("---")) {
            return;
        }
        try {
            var document = SkillText.parse(bytes);
            String skill = skill(document);
            var rule = PassportRules.of("tool");
            for (var tool : document.namedTools()) {
                if (effort.isSpent()) {
                    break;
                }
                effort.spend(MATCH);
                found.add(rule, tool.name(), skill, null, path, tool.line());
                if (ANY_COMMAND.matcher(tool.name()).matches()) {
                    var any = PassportRules.of("any-command");
                    found.add(any, tool.name(), skill, any.severity(), path, tool.line());
                }
            }
        } catch (SkillText.Wrong e) {
            // lint and the content checks report it
        }
    }

    /// Returns whether an exclamation mark after this character is a part of the text, as in `` `!` ``. Programs
    /// differ, so an installation asks for consent all the same.
    private static boolean isMark(char before) {
        return before == '`' || Character.isLetterOrDigit(before);
    }

    /// Returns the name under which people know a skill or an agent.
    private String skill(SkillText document) {
        String[] segments = path.split("/", -1);
        String name = segments[segments.length - 1];
        if (!name.equals(SkillText.FILE)) {
            return name.replaceFirst("(?:\\.agent|\\.prompt|\\.instructions|\\.chatmode)?\\.[a-z]{1,10}$", "");
        }
        return segments.length > 1
                ? segments[segments.length - 2]
                : document.name().orElse("the skill");
    }

    // --- what it reaches ---

    private void hosts() {
        var links = new LinkedHashMap<String, Integer>();
        var reached = new LinkedHashMap<String, Integer>();
        for (int at = text.indexOf("://"); at >= 0 && !effort.isSpent(); at = text.indexOf("://", at + 3)) {
            step.run();
            effort.spend(HOST_PRICE);
            int position = at;
            NamedHost.at(text, at).ifPresent(host -> {
                switch (host.kind()) {
                    case NAME -> (isCode(position) ? reached : links).putIfAbsent(host.name(), line(position));
                    case PUBLIC_ADDRESS -> add("raw-address", host.name(), line(position));
                    case PRIVATE_ADDRESS -> add("private-address", host.name(), line(position));
                }
            });
        }
        reached.forEach((host, line) -> add("host", host, line));
        links.forEach((host, line) -> {
            if (!reached.containsKey(host)) {
                add("link", host, line);
            }
        });
    }

    /// Returns whether a place is part of a script, of settings or of code in a text.
    private boolean isCode(int position) {
        if (isData()) {
            return false;
        }
        return !kind.isMarkdown() || fenced.get(at(lines, position)) || isInSpan(position);
    }

    private boolean isInSpan(int position) {
        int from = Math.max(lines[at(lines, position)], position - PIECE);
        return count(ticks, from, position) % 2 == 1;
    }

    // --- patterns ---

    private void matches(PassportRule rule, PassportRule.Scope scope, Pattern pattern) {
        var wanted = new BitSet();
        for (String word : rule.words()) {
            for (int at = lower.indexOf(word); at >= 0; ) {
                int piece = at(pieces, at);
                wanted.set(piece);
                if (piece > 0) {
                    wanted.set(piece - 1); // a match may begin there
                }
                at = piece + 1 < pieces.length ? lower.indexOf(word, Math.max(at + 1, pieces[piece + 1])) : -1;
            }
        }
        for (int piece = wanted.nextSetBit(0); piece >= 0; ) {
            int last = piece;
            while (wanted.get(last + 1) && end(last + 1) - pieces[piece] <= PIECE) {
                last++;
            }
            step.run();
            search(rule, scope, pattern, pieces[piece], end(last));
            piece = wanted.nextSetBit(last + 1);
        }
    }

    /// Finds the matches that begin in a part of the text. Short lines are read together, because each part is read
    /// with what follows it. A match hides no other one that begins in a later line.
    private void search(PassportRule rule, PassportRule.Scope scope, Pattern pattern, int from, int end) {
        var matcher = pattern.matcher(effort.metered(window(scope, from, Math.min(text.length(), end + BEYOND))));
        int next = 0;
        while (!effort.isSpent() && matcher.find(next) && from + matcher.start() < end) {
            step.run();
            match(rule, matcher, from);
            int line = end(at(pieces, from + matcher.start())) - from;
            next = Math.max(matcher.start() + 1, Math.min(matcher.end(), line));
        }
    }

    /// Returns a part of the text in which a sentence, or a command with a backslash, goes on over the end of a
    /// line. A blank line ends a sentence.
    private String window(PassportRule.Scope scope, int from, int to) {
        var part = new StringBuilder(text.substring(from, to));
        boolean isBlank = false;
        for (int i = part.indexOf("\n"); i >= 0; i = part.indexOf("\n", i + 1)) {
            if (i > 0 && part.charAt(i - 1) == '\\') {
                part.setCharAt(i - 1, ' ');
                part.setCharAt(i, ' ');
            } else if (scope.isWrapped()) {
                int next = i + 1 < part.length() && part.charAt(i + 1) == '\r' ? i + 2 : i + 1;
                boolean ends = next < part.length() && part.charAt(next) == '\n';
                part.setCharAt(i, isBlank || ends ? '.' : ' ');
                isBlank = ends;
            }
        }
        return part.toString();
    }

    private void match(PassportRule rule, Matcher matcher, int from) {
        int start = from + matcher.start();
        effort.spend(MATCH);
        if (matcher.end() == matcher.start() || rule.id().equals("link-mismatch") && isSameSite(matcher)) {
            return;
        }
        boolean isQuoted = (rule.quoted() != null || rule.isQuotedIgnored()) && isQuoted(start, from + matcher.end());
        if (isQuoted && rule.isQuotedIgnored()) {
            return;
        }
        found.add(rule, PassportRule.what(matcher), null, rule.severity(isQuoted, isDescription), path, line(start));
    }

    /// Returns whether words are an example: in quotes or in code. That the line calls them one means nothing,
    /// because somebody who orders an agent can write such a word beside the order.
    private boolean isQuoted(int start, int end) {
        if (fenced.get(at(lines, start)) || isInSpan(start)) {
            return true;
        }
        int before = start - 1;
        while (before >= 0 && (text.charAt(before) == ' ' || text.charAt(before) == '(')) {
            before--;
        }
        if (before >= 0 && QUOTES.indexOf(text.charAt(before)) >= 0) {
            return true;
        }
        int from = Math.max(lines[at(lines, start)], start - PIECE);
        return count(quotes, from, start) % 2 == 1
                && text.substring(end, Math.min(text.length(), end + BEYOND)).contains("\"");
    }

    private static boolean isSameSite(Matcher matcher) {
        String shown = matcher.group("shown").toLowerCase(Locale.ROOT);
        String target = matcher.group("target").toLowerCase(Locale.ROOT);
        return shown.equals(target)
                || !PassportRules.isIn("site-zones", shown.substring(shown.lastIndexOf('.') + 1)) // a name of code
                || shown.endsWith("." + target)
                || target.endsWith("." + shown);
    }

    // --- what readers do not see ---

    private void comments() {
        var rule = PassportRules.of("hidden-instruction");
        if (!kind.isMarkdown()) {
            return;
        }
        int end = 0;
        int next = 0;
        for (int at = text.indexOf("<!--"); at >= 0 && !effort.isSpent(); at = text.indexOf("<!--", next)) {
            step.run();
            int body = at + 4;
            if (end >= 0 && end < body) {
                end = text.indexOf("-->", body);
            }
            int to = end < 0 ? text.length() : end;
            boolean isCode = fenced.get(at(lines, at)) || isInSpan(at);
            next = isCode ? body : Math.max(to, body);
            if (!isCode) {
                instruction(body, to).ifPresent(start -> {
                    String what = text.substring(start, Math.min(to, start + LONGEST_COMMENT));
                    add(rule.id(), what, line(start));
                });
            }
        }
    }

    /// Returns where a comment begins to instruct an agent: at its beginning, or at the words if it is long.
    private Optional<Integer> instruction(int body, int to) {
        var pattern = PassportRules.of("hidden-instruction").pattern();
        for (int from = body; pattern != null && from < to; from += PIECE) {
            var matcher = pattern.matcher(
                    effort.metered(window(PassportRule.Scope.COMMENT, from, Math.min(to, from + PIECE + BEYOND))));
            if (matcher.find()) {
                return Optional.of(from == body ? body : from + matcher.start());
            }
        }
        return Optional.empty();
    }

    /// The hidden characters of a kind in a file.
    private static final class Hidden {
        private final Set<Integer> kinds = new LinkedHashSet<>();
        private final StringBuilder message = new StringBuilder();
        private int first;
        private int line;
        private int count;
        private boolean isSequence; // for a terminal

        String names() {
            return kinds.stream()
                    .limit(Passport.MAX_PLACES)
                    .map(c -> String.format(Locale.ROOT, "U+%04X", c))
                    .collect(Collectors.joining(", "));
        }
    }

    private void hidden() {
        Map<String, Hidden> all = new LinkedHashMap<>();
        HiddenText.find(original, (kind, c, at, line) -> {
            String rule = switch (kind) {
                case BIDIRECTIONAL -> "hidden-bidi";
                case INVISIBLE -> HiddenText.isTag(c) ? "hidden-message" : "hidden-characters";
                case CONTROL -> "control-characters";
                case NUL, REPLACEMENT -> "";
            };
            if (rule.isEmpty()) {
                return;
            }
            var one = all.computeIfAbsent(rule, first -> new Hidden());
            if (one.count++ == 0) {
                one.first = at;
                one.line = line;
            }
            if (one.kinds.size() < MOST_KINDS) {
                one.kinds.add(c);
            }
            one.isSequence |=
                    c == ESCAPE && at + 1 < original.length() && SEQUENCES.indexOf(original.charAt(at + 1)) >= 0;
            if (HiddenText.isTag(c) && one.message.length() < LONGEST_COMMENT) {
                one.message.append((char) (c - 0xE0000));
            }
        });
        all.forEach((id, hidden) -> {
            var rule = PassportRules.of(id);
            boolean isMild = switch (id) {
                case "hidden-bidi" -> isRightToLeft(around(hidden.first));
                case "hidden-characters" -> hidden.count < MANY_HIDDEN;
                case "control-characters" -> !hidden.isSequence;
                default -> false;
            };
            String what = hidden.message.isEmpty() ? hidden.names() : "“" + hidden.message + "”";
            found.add(rule, what, null, isMild ? rule.quoted() : rule.severity(), path, hidden.line);
        });
    }

    /// Returns the line around a place in the original, or a part of it.
    private String around(int at) {
        int from = Math.max(original.lastIndexOf('\n', at) + 1, at - PIECE);
        int to = original.indexOf('\n', at);
        return original.substring(from, Math.min(to < 0 ? original.length() : to, at + PIECE));
    }

    /// Returns whether a line is in a script that needs such controls.
    private static boolean isRightToLeft(String line) {
        return line.codePoints().anyMatch(c -> {
            byte direction = Character.getDirectionality(c);
            return direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT
                    || direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC;
        });
    }
}
