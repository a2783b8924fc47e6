package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rejects odd phrases in pages and in files for operators (docs/writing.md).
class WritingTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern TEXTS = Pattern.compile(".*\\.(java|jte|md|yaml|properties|conf|service)");

    /// The tests speak to contributors only and are not read here.
    private static final List<String> FOLDERS =
            List.of("docs", "model/src/main", "client/src/main", "cli/src/main", "engine/src/main", "server/src/main");

    /// Indentation and the mark of a comment or list, so that a phrase is found across the end of a line.
    private static final Pattern LEAD = Pattern.compile("^\\s*(?:///?|\\*|#|- )?\\s*");

    /// Shows the odd phrases.
    private static final Set<String> EXCEPT = Set.of("writing.md");

    private static final List<Odd> ODD = List.of(
            odd("(that|which) (is|are) none", "name it: \"an invalid number\", \"not a number\""),
            odd("where it is none", "if it is not one"),
            odd("(?<!there.)is no (YAML|JSON|UTF-8|HTTP)", "is not valid YAML"),
            odd("(?<!there.)is no (number|text|version|address|digest|file|folder|key|range)", "is not a number"),
            odd("what stands", "the contents of; what it contains"),
            odd("stands? (in|there|nowhere)", "is in; contains"),
            odd("nobody does otherwise", "by default it is not reported"),
            odd("(hear|hears|heard) of", "learn of; is notified of"),
            odd("(is|are|was|were) told of", "is notified of; is reported"),
            odd("what (became|becomes) of", "the outcome of; what happens to"),
            odd("what (came|comes) of", "the result of"),
            odd("nothing more comes", "the end was reached"),
            odd("of which the same", "in the same state; likewise"),
            odd("left away", "removed; left out"),
            odd("anew", "again"),
            odd("of its own accord", "automatically"),
            odd("whether or not there", "even if it does not exist"),
            odd("to be had", "available"),
            odd("says of itself", "describes itself; its description"),
            odd("is said of", "is known about; the description of"),
            odd("is no \\w+ of that name", "the namespace \"x\" does not exist"),
            odd("without a word", "silently"),
            odd("from none", "from a missing one"),
            odd("but for", "except; apart from"),
            odd("to who", "to those who; to a person who"),
            odd("if missing", "Default: ..."),
            odd("whoever", "anyone who; somebody who"),
            odd("nobody of", "none of"),
            odd("shows signs of", "seems to use"));

    /// @param plain what to write instead
    private record Odd(Pattern pattern, String plain) {}

    /// Between words there may be the end of a line, or of a text that is continued.
    private static Odd odd(String words, String plain) {
        String between = words.replace(" ", "[\\s\"+]+");
        return new Odd(Pattern.compile("\\b" + between + "\\b", Pattern.CASE_INSENSITIVE), plain);
    }

    /// A file without line ends.
    ///
    /// @param starts where each line begins in the text
    private record Text(Path file, String text, List<Integer> starts) {
        static Text of(Path file) throws IOException {
            var text = new StringBuilder();
            var starts = new ArrayList<Integer>();
            for (String line : Files.readAllLines(file)) {
                starts.add(text.length());
                text.append(LEAD.matcher(line).replaceFirst("")).append(' ');
            }
            return new Text(file, text.toString(), starts);
        }

        private int line(int offset) {
            int found = Collections.binarySearch(starts, offset);
            return found >= 0 ? found + 1 : -found - 1;
        }

        Stream<String> findings(Path root) {
            return ODD.stream()
                    .flatMap(odd -> odd.pattern
                            .matcher(text)
                            .results()
                            .map(hit -> "%s:%d: \"%s\": write %s"
                                    .formatted(root.relativize(file), line(hit.start()), hit.group(), odd.plain)));
        }
    }

    private static List<Path> texts() throws IOException {
        var files = new ArrayList<Path>();
        for (String folder : FOLDERS) {
            try (var all = Files.walk(ROOT.resolve(folder))) {
                all.filter(Files::isRegularFile).forEach(files::add);
            }
        }
        for (Path folder : List.of(ROOT, ROOT.resolve("packaging"))) {
            try (var pages = Files.list(folder)) {
                pages.filter(Files::isRegularFile).forEach(files::add);
            }
        }
        files.removeIf(file -> !TEXTS.matcher(file.toString()).matches()
                || EXCEPT.contains(file.getFileName().toString()));
        return files;
    }

    @Test
    void nothingIsWrittenInOddPhrases() throws IOException {
        var findings = new ArrayList<String>();
        for (Path file : texts()) {
            Text.of(file).findings(ROOT).forEach(findings::add);
        }

        assertThat(findings).isEmpty();
    }

    @Test
    void findsAPhraseAcrossLinesAndTexts(@TempDir Path folder) throws IOException {
        Path source = Files.writeString(folder.resolve("A.java"), """
                /// Says what
                /// became of a delivery.
                class A {
                    String message = "this is "
                            + "no YAML";
                }
                """);

        assertThat(Text.of(source).findings(folder))
                .containsExactlyInAnyOrder(
                        "A.java:1: \"what became of\": write the outcome of; what happens to",
                        "A.java:4: \"is \" + \"no YAML\": write is not valid YAML");
    }
}
