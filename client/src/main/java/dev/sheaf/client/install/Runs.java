package dev.sheaf.client.install;

import dev.sheaf.client.io.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Finds what a skill, agent or command has a program run without anybody asking the agent for it: hooks and servers
/// in the front matter, and commands whose output becomes part of the text. When in doubt it says that there is some:
/// then a person looks.
final class Runs {
    private static final Set<String> MEMBERS = Set.of("hooks", "mcpServers", "mcp-servers");
    private static final Pattern MEMBER =
            Pattern.compile("(?:^|[\\s{,\"'])(hooks|mcpServers|mcp-servers)[\"']?\\s*:", Pattern.MULTILINE);
    private static final Pattern FRONT =
            Pattern.compile("\\A\uFEFF?---[ \\t]*\\R(.*?)^---[ \\t]*$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern COMMAND =
            Pattern.compile("!`([^`\\r\\n]+)`|^[ \\t]*```!.*$|^[ \\t]*~~~!.*$", Pattern.MULTILINE);
    private static final int MOST = 3;
    private static final int LONGEST = 60;

    private Runs() {}

    /// Words for each; none where it runs nothing.
    ///
    /// @param document the SKILL.md, or the one file of another thing
    static List<String> of(String document) {
        var found = new ArrayList<String>();
        var front = FRONT.matcher(document);
        if (front.find()) {
            members(front.group(1)).forEach(member -> found.add(member + " in its front matter"));
        }
        COMMAND.matcher(document)
                .results()
                .limit(MOST)
                .map(match -> match.group().strip())
                .map(text -> text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text)
                .forEach(found::add);
        return List.copyOf(found);
    }

    private static Set<String> members(String front) {
        var members = new TreeSet<String>();
        try {
            members.addAll(YamlNode.parse(front).members().keySet());
            members.retainAll(MEMBERS);
        } catch (YamlNode.Wrong e) {
            // some programs read it line by line all the same
            MEMBER.matcher(front).results().forEach(match -> members.add(match.group(1)));
        }
        return members;
    }
}
