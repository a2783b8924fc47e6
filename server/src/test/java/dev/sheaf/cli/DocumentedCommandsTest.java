package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.server.Main;
import dev.sheaf.server.config.Setting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// Each command that a page of the documentation shows is one, and so is each of its options.
class DocumentedCommandsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```[a-z]*\n(.*?)^ *```$");
    private static final Pattern SPAN = Pattern.compile("`([^`]+)`");

    /// Where a shell, or a file of a CI, expects a command; what is printed has it elsewhere.
    private static final Pattern IN_SCRIPT = Pattern.compile(
            "(?m)(?:^\\s*(?:\\$ |- run: |- )?|\\$\\(|<\\(|\\| |&& |; )(?:[A-Z_]+=(?:\"[^\"]*\"|\\S)+ )*(?:[\\w./-]*/)?sheaf ([^|;&<>)#\n]+)");

    private static final Pattern IN_TEXT = Pattern.compile("^(?:\\$ )?(?:\\./)?sheaf ([^|;&<>)#]+)");
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");
    private static final Pattern OPTION = Pattern.compile("--?[a-zA-Z][a-z0-9-]*");

    /// Those of the launcher, and of the server's part of `admin`.
    private static final Set<String> ELSEWHERE = Set.of("--make-caches", "--local", "--config");

    private final CommandLine root = CommandTree.of(Shell.ofThisProcess(), "");
    private final Set<String> settings =
            Arrays.stream(Setting.values()).map(setting -> "--" + setting.key()).collect(Collectors.toSet());

    private static List<Path> pages() throws IOException {
        try (var docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(docs, Stream.of(ROOT.resolve("README.md")))
                    .filter(page -> page.toString().endsWith(".md"))
                    .filter(page -> !page.toString().contains("/adr/")) // which tell of what was decided then
                    .toList();
        }
    }

    /// The command lines of a page, without `sheaf` itself.
    private static List<String> commands(String page) {
        String whole = page.replaceAll("\\\\\n\\s*", "");
        var scripts = FENCED.matcher(whole)
                .results()
                .flatMap(block -> IN_SCRIPT.matcher(block.group(1)).results());
        var spans = SPAN.matcher(FENCED.matcher(whole).replaceAll(""))
                .results()
                .flatMap(span ->
                        IN_TEXT.matcher(span.group(1).replace('\n', ' ')).results());
        return Stream.concat(scripts, spans)
                .map((MatchResult line) -> line.group(1))
                .toList();
    }

    private static List<String> words(String line) {
        return WORD.matcher(line.replaceAll("[\\[\\]]", " "))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    /// The command that the words begin with, below another.
    private static CommandLine below(CommandLine above, List<String> words) {
        var command = above;
        for (String word : words) {
            var next = command.getSubcommands().get(word);
            if (next == null) {
                break;
            }
            command = next;
        }
        return command;
    }

    /// What is wrong with a command line; nothing: it could be typed.
    private Optional<String> wrong(List<String> words) {
        var command = below(root, words);
        int depth = command.getCommandSpec().qualifiedName().split(" ").length - 1;
        String next = depth < words.size() ? words.get(depth) : "";
        boolean group = !command.getSubcommands().isEmpty();
        return group && !next.matches("|-.*|[A-Z]+|…|\\.\\.\\.|help")
                ? Optional.of("there is no command " + next)
                : unknown(words, options(command, words));
    }

    /// Of a cell such as "`account totp begin`, `confirm` `[--yes]`": commands, those beside the one before, and
    /// options of any of them. Where the last takes arguments, it may be one.
    private Optional<String> wrongIn(List<List<String>> spans) {
        var known = new HashSet<String>();
        var last = root;
        for (var words : spans) {
            String name = words.getFirst();
            var parent = last.getParent();
            var above = Stream.of(parent == null ? root : parent, root, last)
                    .filter(group -> group.getSubcommands().containsKey(name))
                    .findFirst();
            if (above.isPresent()) {
                last = below(above.get(), words);
            } else if (!name.matches("-.*|[A-Z]+")
                    && last.getCommandSpec().positionalParameters().isEmpty()) {
                return Optional.of("there is no command " + name);
            }
            known.addAll(options(last, spans.getFirst()));
        }
        return unknown(spans.stream().flatMap(List::stream).toList(), known);
    }

    private static Optional<String> unknown(List<String> words, Set<String> options) {
        return words.stream()
                .takeWhile(word -> !word.equals("--")) // what follows is another program's
                .map(word -> word.replaceFirst("=.*", ""))
                .filter(word -> OPTION.matcher(word).matches() && !options.contains(word))
                .findFirst()
                .map(word -> "there is no option " + word);
    }

    private Set<String> options(CommandLine command, List<String> words) {
        var known = new HashSet<>(ELSEWHERE);
        known.addAll(command.getCommandSpec().optionsMap().keySet());
        known.add("--help");
        String first = words.getFirst();
        if (first.equals("serve") || first.equals("config") || words.contains("--local")) {
            known.addAll(settings);
        }
        if (words.contains("--local")) {
            known.addAll(ofServer("admin", "restore", "--help")); // which is the help of all local tasks
        }
        for (String name : List.of("restore", "upgrade-check")) {
            if (first.equals("admin") && words.contains(name)) {
                known.addAll(settings);
                known.addAll(ofServer("admin", name, "--help"));
            }
        }
        return known;
    }

    private static Set<String> ofServer(String... arguments) {
        var out = new ByteArrayOutputStream();
        var print = new PrintStream(out, true, StandardCharsets.UTF_8);
        Main.run(List.of(arguments), Map.of(), print, print);
        return OPTION.matcher(out.toString(StandardCharsets.UTF_8))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
    }

    @Test
    void everyCommandAndOptionThatIsShownExists() throws IOException {
        var found = new ArrayList<String>();
        int checked = 0;
        for (Path page : pages()) {
            for (String line : commands(Files.readString(page))) {
                var words = words(line);
                checked++;
                wrong(words).ifPresent(why -> found.add(ROOT.relativize(page) + ": sheaf " + line + ": " + why));
            }
        }

        assertThat(checked).isGreaterThan(120);
        assertThat(found).isEmpty();
    }

    /// The tables of docs/cli.md and docs/cli-manage.md name commands in their first column:
    /// `tags set BUNDLE TAG VERSION [--yes]`.
    @Test
    void theTablesOfCommandsNameWhatThereIs() throws IOException {
        var found = new ArrayList<String>();
        int checked = 0;
        var rows = new ArrayList<>(Files.readAllLines(ROOT.resolve("docs/cli.md")));
        rows.addAll(Files.readAllLines(ROOT.resolve("docs/cli-manage.md")));
        for (String row : rows) {
            var cell = Pattern.compile("^\\| (`.*?) \\|").matcher(row.replace("\\|", "/"));
            if (!cell.find()) {
                continue;
            }
            var spans = SPAN.matcher(cell.group(1))
                    .results()
                    .map(span -> words(span.group(1)))
                    .toList();
            if (!root.getSubcommands().containsKey(spans.getFirst().getFirst())) {
                continue; // a table of something else
            }
            checked++;
            wrongIn(spans).ifPresent(why -> found.add(row + ": " + why));
        }

        assertThat(checked).isGreaterThan(60);
        assertThat(found).isEmpty();
    }

    @Test
    void whatThereIsNotIsFound() {
        assertThat(wrong(words("push . --dryrun"))).contains("there is no option --dryrun");
        assertThat(wrong(words("tags move acme/kit"))).contains("there is no command move");
        assertThat(wrongIn(List.of(words("account totp begin"), words("comfirm"))))
                .contains("there is no command comfirm");
        assertThat(wrongIn(List.of(words("star REF"), words("unstar REF"), words("--yes"))))
                .contains("there is no option --yes");
        assertThat(wrong(words("serve --prot 1"))).contains("there is no option --prot");
        assertThat(wrong(words("admin restore BACKUP --data-dir x --unsealed"))).isEmpty();
        assertThat(commands("""
                text `sheaf lint` more `sheaf
                lock --check`
                ```sh
                $ X=1 ./sheaf pull a -o b | cat   # sheaf nothing
                sheaf: stopped
                D=$(sheaf resolve a \\
                  --json)
                ```
                """))
                .map(String::strip)
                .containsExactly("pull a -o b", "resolve a --json", "lint", "lock --check");
    }
}
