package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The pages docs/security*.md name existing tests.
class SecurityPageTest {
    private static final Pattern NAME = Pattern.compile("`(\\w+Test)`");

    private static List<String> lines() throws IOException {
        var lines = new ArrayList<String>();
        for (String page : List.of("security", "security-network", "security-access", "security-content")) {
            lines.addAll(Files.readAllLines(Path.of("../docs/" + page + ".md")));
        }
        return lines;
    }

    @Test
    void everyTestThatThePagesNameExists() throws IOException {
        var named = new TreeSet<String>();
        NAME.matcher(String.join("\n", lines())).results().forEach(hit -> named.add(hit.group(1)));

        assertThat(named).hasSizeGreaterThan(50).isSubsetOf(tests());
    }

    /// A threat whose answer nothing shows is a claim.
    @Test
    void everyThreatHasATest() throws IOException {
        boolean isThreats = false;
        var bare = new ArrayList<String>();
        for (String line : lines()) {
            isThreats = line.startsWith("|") && (isThreats || line.equals("| Threat | Answer | Test |"));
            boolean isRow = isThreats && !line.equals("| Threat | Answer | Test |") && !line.startsWith("|---");
            if (isRow && !NAME.matcher(line).find()) {
                bare.add(line);
            }
        }

        assertThat(bare).isEmpty();
    }

    private static Set<String> tests() throws IOException {
        try (var files = Files.walk(Path.of(".."))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Test.java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }
    }
}
