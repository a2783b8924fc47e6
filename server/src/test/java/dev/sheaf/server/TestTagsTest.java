package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// `make test-rest` finds what `make test` could not run by its tags.
class TestTagsTest {
    private static final Pattern PROGRAM = Pattern.compile(
            "(?m)^(?!import).*(\\b(Tool|Nginx|Haproxy|DebianPostgres|PgBouncer|Chromium|Keycloak|AlertRules|Strace|TmuxSession)\\b"
                    + "|assumeInstalled|target/tools)");

    @Test
    void whatUsesAnotherProgramSaysSo() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("..").toRealPath())) {
            var tests = files.filter(file -> file.toString().contains("/src/test/java/")
                            && file.toString().endsWith("Test.java")
                            && !file.endsWith("TestTagsTest.java"))
                    .toList();
            List<Path> without = tests.stream()
                    .filter(file -> {
                        String text = read(file);
                        return PROGRAM.matcher(text).find() && !text.contains("@Tag(\"programs\")");
                    })
                    .toList();

            assertThat(tests).hasSizeGreaterThan(400);
            assertThat(without).as("need @Tag(\"programs\")").isEmpty();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
