package dev.sheaf.client.install;

import dev.sheaf.client.io.YamlNode;
import dev.sheaf.model.skill.SkillText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Finds commands that a skill, agent or command runs without a request to the agent: hooks and servers in the
/// front matter, and commands whose output becomes part of the text. It also reports an agent whose front
/// matter disables questions for permission (`permissionMode`). In doubt it reports a command, so that a person
/// decides.
final class Runs {
    private static final String MODE = "permissionMode";
    private static final Set<String> MEMBERS = Set.of("hooks", "mcpServers", "mcp-servers", MODE);
    private static final Set<String> ASKING = Set.of("default", "plan"); // permission modes of an agent that asks
    private static final String MERGE = "<<"; // of YAML 1.1
    private static final Pattern MEMBER = Pattern.compile("\\b(hooks|mcpServers|mcp-servers|permissionMode)\\b");
    private static final Pattern ESCAPE =
            Pattern.compile("\\\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U0{3}([0-9a-fA-F]{5}))");
    /// Matches blanks. Programs differ in which characters count as blanks.
    private static final String BLANKS = "[^\\S\\r\\n]*";

    private static final Pattern FRONT = Pattern.compile(
            "\\A[\\s\uFEFF]*---" + BLANKS + "\\R(.*?)^---" + BLANKS + "$",
            Pattern.DOTALL | Pattern.MULTILINE | Pattern.UNICODE_CHARACTER_CLASS);
    /// Matches front matter with three hyphens anywhere, which some programs accept.
    private static final Pattern LOOSE_FRONT =
            Pattern.compile("\\A[\\s\uFEFF]*---(.*)---", Pattern.DOTALL | Pattern.UNICODE_CHARACTER_CLASS);

    private static final Pattern COMMAND = Pattern.compile("!`([^`]+)`|(?:```|~~~)!.*$", Pattern.MULTILINE);
    private static final int MOST = 3;
    private static final int LONGEST = 60;

    private Runs() {}

    /// Returns whether a program may read a file as a skill, an agent or a command. In a skill's folder, these
    /// are the SKILL.md, each SKILL.md in a subfolder, since some programs search all folders, and Markdown
    /// files in the folders of programs, whose names begin with a dot.
    ///
    /// @param inside the path in the thing; empty if the thing is a single file
    static boolean isRead(String inside) {
        String folded = inside.toLowerCase(Locale.ROOT);
        return isUsual(inside)
                || folded.equals("skill.md")
                || folded.endsWith("/skill.md")
                || (folded.endsWith(".md") && (folded.startsWith(".") || folded.contains("/.")));
    }

    /// Returns whether all programs read the file.
    static boolean isUsual(String inside) {
        return inside.isEmpty() || inside.equals(SkillText.FILE);
    }

    /// Returns a description of each command; empty if it finds no commands.
    ///
    /// @param document the SKILL.md, or the file of another thing
    static List<String> of(String document) {
        var found = new ArrayList<String>();
        members(document).forEach(member -> found.add(member + " in its front matter"));
        COMMAND.matcher(document)
                .results()
                .limit(MOST)
                .map(match -> match.group().strip())
                .map(text -> text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text)
                .forEach(found::add);
        return List.copyOf(found);
    }

    private static Set<String> members(String document) {
        var front = FRONT.matcher(document);
        if (front.find()) {
            return members(front.group(1), false);
        }
        var loose = LOOSE_FRONT.matcher(document);
        return loose.find() ? members(loose.group(1), true) : Set.of();
    }

    /// @param loose whether only some programs accept it as front matter
    private static Set<String> members(String front, boolean loose) {
        if (!loose) {
            try {
                var members = YamlNode.parse(front).members();
                if (!members.containsKey(MERGE)) {
                    return members.entrySet().stream()
                            .filter(member -> !member.getKey().equals(MODE) || !asks(member.getValue()))
                            .map(Map.Entry::getKey)
                            .filter(MEMBERS::contains)
                            .collect(Collectors.toCollection(TreeSet::new));
                }
            } catch (YamlNode.Wrong e) {
                // some programs parse it anyway, by rules of their own
            }
        }
        return MEMBER.matcher(unescaped(front))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// Returns whether the value is a permission mode in which the agent asks before it acts.
    private static boolean asks(YamlNode value) {
        try {
            return ASKING.contains(value.text());
        } catch (YamlNode.Wrong e) {
            return false;
        }
    }

    private static String unescaped(String text) {
        return ESCAPE.matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(
                        IntStream.rangeClosed(1, 3)
                                .mapToObj(match::group)
                                .filter(Objects::nonNull)
                                .findFirst()
                                .orElseThrow(),
                        16))));
    }
}
