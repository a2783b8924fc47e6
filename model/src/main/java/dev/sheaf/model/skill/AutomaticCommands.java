package dev.sheaf.model.skill;

import dev.sheaf.model.PathRules;
import dev.sheaf.model.text.ScanEffort;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What a skill, agent or command runs without a request to the agent, or lets the agent do without a question to
/// the user: hooks and servers in the front matter, commands whose output becomes part of the text, an agent whose
/// front matter disables questions for permission (`permissionMode`), and the tools of `allowed-tools`, or of `tools`
/// where those are switched on by name. In doubt it reports something, so that a person decides. Client and registry
/// share it.
///
/// @param runs a description of each thing that needs consent
/// @param allowed the other tools that may be used without a question, as written
public record AutomaticCommands(List<String> runs, List<String> allowed) {
    private static final AutomaticCommands NONE = new AutomaticCommands(List.of(), List.of());

    private static final String MODE = "permissionmode";
    private static final String TOOLS = "allowedtools";
    private static final String SWITCHES =
            "tools"; // of OpenCode, if they are members; elsewhere a list that only restricts

    /// The fields of a front matter, in lower case and without hyphens and underscores, since programs differ.
    private static final Set<String> MEMBERS = Set.of(
            "hooks",
            "mcpservers",
            "lspservers",
            "monitors",
            "statusline",
            "permission",
            "permissions",
            "auth", // of a remote agent; its key may be the output of a command
            "agentcardurl",
            MODE,
            TOOLS);

    private static final String TOOL_NAMED = "the tool ";
    private static final Set<String> ASKING = Set.of("default", "plan"); // permission modes of an agent that asks
    private static final String MERGE = "<<"; // of YAML 1.1
    private static final Pattern MEMBER = Pattern.compile(
            "\\b(hooks|mcp[-_]?servers|lsp[-_]?servers|permission[-_]?mode|allowed[-_]?tools|agent[-_]?card[-_]?url"
                    + "|(?:monitors|status[-_]?line|permissions?|auth)(?=[\"']?\\s*:)"
                    + "|tools(?=[\"']?\\s*:[ \\t]*(?:[{&*!#]|[\\r\\n])))\\b", // no text on its line: perhaps members
            Pattern.CASE_INSENSITIVE);

    /// Tools that start no program. Other tools may be a shell under another name, or a server's tool.
    private static final Set<String> TOOLS_WITHOUT_PROGRAMS = Set.of(
            "read",
            "write",
            "edit",
            "multiedit",
            "notebookread",
            "notebookedit",
            "glob",
            "grep",
            "ls",
            "webfetch",
            "websearch",
            "todoread",
            "todowrite",
            "askuserquestion",
            "task",
            "agent");

    /// Matches a tool, with a scope in which no program could see a second tool.
    private static final Pattern TOOL = Pattern.compile("([A-Za-z]+)(?:\\([^()\\s,\"']*\\))?");

    private static final Pattern ESCAPE =
            Pattern.compile("\\\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U0{3}([0-9a-fA-F]{5}))");
    /// Matches blanks. Programs differ in which characters count as blanks.
    private static final String BLANKS = "[^\\S\\r\\n]*";

    private static final Pattern FRONT = Pattern.compile(
            "\\A[\\s\uFEFF]*---" + BLANKS + "\\R(.*?)^---" + BLANKS + "$",
            Pattern.DOTALL | Pattern.MULTILINE | Pattern.UNICODE_CHARACTER_CLASS);
    /// Matches the line that begins front matter, with the name of its language.
    private static final Pattern OPENING = Pattern.compile("\\A[\\s\uFEFF]*---(\\V*)", Pattern.UNICODE_CHARACTER_CLASS);

    /// Languages of front matter that are data. Some programs execute others, such as js.
    private static final Set<String> DATA = Set.of("", "yaml", "yml", "json");

    /// Matches ends of lines that only some programs see, so that they disagree about the end of the front matter.
    private static final Pattern ODD_LINES = Pattern.compile("[\\x0B\f\u0085\u2028\u2029]|\r(?!\n)");

    /// Matches placeholders of arguments, which a program may replace by nothing before it looks for commands.
    private static final String PLACEHOLDERS =
            "(?:\\$\\{?[\\w@*#.-]{0,40}}?(?:\\[\\w*]{0,10})?|\\{\\{[^{}\\r\\n]{0,40}}})*+";

    /// Matches commands whose output becomes part of the text, and the comment that lets the agent run all of them.
    private static final Pattern COMMAND = Pattern.compile(
            "!" + PLACEHOLDERS + "`([^`]+)`|(?:```|~~~)" + PLACEHOLDERS + "!.*$|(?<!:)//" + BLANKS + "(?i:turbo)\\b.*$",
            Pattern.MULTILINE);
    private static final Pattern HOST = Pattern.compile(
            "\\b(?:https?|wss?)://(?:[^\\s/@\"'<>]{0,100}@)?([A-Za-z0-9.-]{1,253})", Pattern.CASE_INSENSITIVE);
    private static final Pattern VARIABLE = Pattern.compile(
            "\\$\\{?(?:env:)?([A-Z][A-Z0-9_]{2,63})\\b|\\b(?:environ|getenv|env)[.\\[(]+[\"']?([A-Z][A-Z0-9_]{2,63})\\b");
    /// Variables that tell nothing.
    private static final Set<String> USUAL = Set.of("HOME", "PATH", "PWD", "USER", "SHELL", "ARGUMENTS", "TMPDIR");

    private static final int MOST = 3;
    private static final int MOST_REACHED = 10;
    private static final int LONGEST = 60;
    private static final int LONGEST_FRONT = 64 << 10; // characters that are parsed
    private static final int LONGEST_MEMBER = 200;
    private static final int PARSED = 100; // the price of a character that is parsed as YAML
    private static final String UNCHECKED = "more than can be checked";

    public AutomaticCommands {
        runs = List.copyOf(runs);
        allowed = List.copyOf(allowed);
    }

    /// Returns whether a program may read a file of a skill as a skill, an agent or a command: the SKILL.md, and each
    /// SKILL.md in a subfolder, since some programs search all folders. Other places are for [AutomaticFiles].
    ///
    /// @param inside the path in the skill; empty if the thing is a single file
    public static boolean isRead(String inside) {
        return isUsual(inside)
                || PathRules.plain(inside.substring(inside.lastIndexOf('/') + 1))
                        .equals(SkillText.FILE.toLowerCase(Locale.ROOT));
    }

    /// Returns whether all programs read the file.
    public static boolean isUsual(String inside) {
        return inside.isEmpty() || inside.equals(SkillText.FILE);
    }

    /// Returns what runs, without the tools that the agent may use without asking.
    public List<String> commands() {
        return runs.stream().filter(what -> !what.startsWith(TOOL_NAMED)).toList();
    }

    /// @param document the text of a SKILL.md, or of the file of another thing
    public static AutomaticCommands of(String document) {
        return of(document, new ScanEffort());
    }

    /// @param effort the work of the scan; when it is spent, the rest of the document counts as something that runs
    public static AutomaticCommands of(String document, ScanEffort effort) {
        var runs = new ArrayList<String>();
        var allowed = new ArrayList<String>();
        if (!effort.isSpent()) {
            front(document, runs, allowed, effort);
        }
        var commands = COMMAND.matcher(effort.metered(document));
        int count = 0;
        while (!effort.isSpent() && commands.find()) {
            count++;
            if (count <= MOST) {
                runs.add(cut(commands.group().strip(), LONGEST));
            }
        }
        if (count > MOST) {
            runs.add("and " + (count - MOST) + " more commands in its text");
        }
        if (effort.isSpent()) {
            runs.add(UNCHECKED);
        }
        return runs.isEmpty() && allowed.isEmpty() ? NONE : new AutomaticCommands(runs, allowed);
    }

    /// Returns the hosts, and the environment variables with a `$`, that a text names: sorted, at most ten of each.
    public static List<String> reached(String text) {
        var hosts = HOST.matcher(text)
                .results()
                .map(match -> match.group(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        var variables = VARIABLE.matcher(text)
                .results()
                .map(match -> match.group(1) == null ? match.group(2) : match.group(1))
                .filter(name -> !USUAL.contains(name) && !name.startsWith("CLAUDE_"))
                .map(name -> "$" + name)
                .collect(Collectors.toCollection(TreeSet::new));
        var reached = new ArrayList<String>();
        for (var found : List.of(hosts, variables)) {
            found.stream().limit(MOST_REACHED).forEach(reached::add);
            if (found.size() > MOST_REACHED) {
                reached.add("and " + (found.size() - MOST_REACHED) + " more");
            }
        }
        return reached;
    }

    // --- the front matter ---

    private static void front(String document, List<String> runs, List<String> allowed, ScanEffort effort) {
        var opening = OPENING.matcher(effort.metered(document));
        if (!opening.find()) {
            return;
        }
        String language = opening.group(1).strip().toLowerCase(Locale.ROOT);
        if (!DATA.contains(language)) {
            runs.add("front matter in the language " + cut(language, LONGEST) + ", which some programs execute");
        }
        var front = FRONT.matcher(effort.metered(document));
        if (!front.find() || ODD_LINES.matcher(effort.metered(document)).find()) {
            named(document.substring(opening.end()), runs, effort); // programs disagree about its end
            return;
        }
        if (!parsed(front.group(1), runs, allowed, effort) || front.group(1).contains("---")) {
            named(front.group(1), runs, effort);
        }
    }

    /// Reports the fields of a front matter.
    ///
    /// @return false if it cannot be parsed, or if programs may parse it in another way
    private static boolean parsed(String front, List<String> runs, List<String> allowed, ScanEffort effort) {
        if (front.length() > LONGEST_FRONT) {
            return false;
        }
        effort.spend((long) PARSED * front.length());
        Map<String, SkillValue> members;
        try {
            if (!(SkillYaml.read(front, 1) instanceof SkillValue.Members found)
                    || found.values().containsKey(MERGE)) {
                return false;
            }
            members = new TreeMap<>(found.values());
        } catch (SkillText.Wrong e) {
            return false; // some programs parse it anyway, by rules of their own
        }
        members.forEach((name, value) -> {
            switch (bare(name)) {
                case MODE -> {
                    if (!(value instanceof SkillValue.Text mode) || !ASKING.contains(mode.value())) {
                        runs.add(described(name, value));
                    }
                }
                case TOOLS -> tools(name, value, runs, allowed);
                case SWITCHES -> {
                    if (value instanceof SkillValue.Members switches) {
                        named(on(switches).stream(), runs, allowed);
                    }
                }
                case String bare when MEMBERS.contains(bare) -> runs.add(described(name, value));
                default -> {} // read by the agent
            }
        });
        return true;
    }

    /// Reports the fields that are named in a front matter that is not parsed.
    private static void named(String front, List<String> runs, ScanEffort effort) {
        var names = new LinkedHashSet<String>(); // a hostile document has each very often
        var members = MEMBER.matcher(effort.metered(unescaped(front, effort)));
        while (!effort.isSpent() && members.find()) {
            names.add(members.group(1));
        }
        var distinct = new TreeSet<>(Comparator.comparing(AutomaticCommands::bare));
        distinct.addAll(names);
        distinct.forEach(name -> runs.add(name + " in its front matter"));
    }

    private static String bare(String name) {
        return PathRules.plain(name).replaceAll("[-_\\s]", "");
    }

    private static String described(String name, SkillValue value) {
        var words = new ArrayList<String>();
        collect(value, words);
        String text = String.join(" ", words).replaceAll("\\s+", " ").strip();
        return name + " in its front matter" + (text.isEmpty() ? "" : ": " + cut(text, LONGEST_MEMBER));
    }

    private static void collect(SkillValue value, List<String> words) {
        switch (value) {
            case SkillValue.Text text -> words.add(text.value());
            case SkillValue.Items items -> items.values().forEach(item -> collect(item, words));
            case SkillValue.Members members ->
                members.values().forEach((name, member) -> {
                    words.add(name + ":");
                    collect(member, words);
                });
        }
    }

    private static void tools(String name, SkillValue value, List<String> runs, List<String> allowed) {
        var words = switch (value) {
            case SkillValue.Text text -> text.isNull() ? List.<String>of() : SkillText.words(text.value());
            case SkillValue.Items items
            when items.values().stream().allMatch(SkillValue.Text.class::isInstance) ->
                items.values().stream()
                        .map(item -> ((SkillValue.Text) item).value().strip())
                        .filter(word -> !word.isEmpty())
                        .toList();
            default -> List.of(described(name, value));
        };
        named(words.stream(), runs, allowed);
    }

    /// Returns the names of the tools that are not switched off.
    static List<String> on(SkillValue.Members switches) {
        return switches.values().entrySet().stream()
                .filter(one -> !(one.getValue() instanceof SkillValue.Text text
                        && text.value().equals("false")))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static void named(Stream<String> words, List<String> runs, List<String> allowed) {
        words.distinct().forEach(word -> {
            var tool = TOOL.matcher(word);
            if (tool.matches() && TOOLS_WITHOUT_PROGRAMS.contains(tool.group(1).toLowerCase(Locale.ROOT))) {
                allowed.add(cut(word, LONGEST));
            } else {
                runs.add(TOOL_NAMED + cut(word, LONGEST_MEMBER) + " without asking");
            }
        });
    }

    private static String cut(String text, int longest) {
        return text.length() > longest ? text.substring(0, longest) + "…" : text;
    }

    private static String unescaped(String text, ScanEffort effort) {
        return ESCAPE.matcher(effort.metered(text))
                .replaceAll(match -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(
                        IntStream.rangeClosed(1, 3)
                                .mapToObj(match::group)
                                .filter(Objects::nonNull)
                                .findFirst()
                                .orElseThrow(),
                        16))));
    }
}
