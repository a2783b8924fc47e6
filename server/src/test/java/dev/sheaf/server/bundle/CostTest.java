package dev.sheaf.server.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.bundle.diff.LineDiff;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.hub.ReadmeBounds;
import dev.sheaf.server.hub.ReadmeHtml;
import dev.sheaf.server.hub.SearchWords;
import dev.sheaf.server.testing.Cost;
import dev.sheaf.server.testing.Hurtful;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What strangers write and this service works on costs at most in proportion to its length. `make fuzz` does the same
/// with longer texts, and many that are made by chance (`-Dsheaf.costs=N` of them).
@Timeout(120)
@Tag("slow")
class CostTest {
    private static final long MIXED = Long.getLong("sheaf.costs", 10);
    private static final int FROM = 32 << 10;
    private static final int LONGEST = MIXED > 10 ? 256 << 10 : 64 << 10; // a README may have the former
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final CpuPool CPU = new CpuPool(2);
    private static final ContentChecks CHECKS = new ContentChecks(Json::isDocument, CPU);
    private static final LogicalPath PATH = new LogicalPath("a.json");
    private static final List<Version> VERSIONS = IntStream.range(0, 300)
            .mapToObj(i -> Version.parse(i % 7 + "." + i + ".0"))
            .toList();

    @AfterAll
    static void close() {
        CPU.close();
    }

    private static Stream<Map.Entry<String, IntFunction<String>>> texts() {
        return Stream.of(
                        Hurtful.texts().entrySet().stream(),
                        LongStream.range(0, MIXED)
                                .mapToObj(seed -> Map.entry("mixed by seed " + seed, Hurtful.mixed(seed))))
                .flatMap(families -> families);
    }

    private static Stream<Map.Entry<String, IntFunction<String>>> readmes() {
        return Stream.concat(texts(), Hurtful.paragraphs(ReadmeBounds.MAX_MARKS).entrySet().stream());
    }

    @ParameterizedTest
    @MethodSource("readmes")
    void renderingOfAReadme(Map.Entry<String, IntFunction<String>> family) {
        Cost.growsAtMostWithItsInput(
                family.getKey(),
                FROM,
                LONGEST,
                family.getValue(),
                text -> ReadmeHtml.page("T", text, "markdown", "/a/", Budget.of(LONG)));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void checksOfContent(Map.Entry<String, IntFunction<String>> family) {
        boolean done = CPU.run(
                LONG,
                budget -> { // so that all is done by one thread
                    Cost.growsAtMostWithItsInput(
                            family.getKey(),
                            FROM,
                            LONGEST,
                            family.getValue(),
                            text -> CHECKS.of(PATH, "application/json", text.getBytes(StandardCharsets.UTF_8)));
                    return true;
                });
        assertThat(done).isTrue();
    }

    @ParameterizedTest
    @MethodSource("texts")
    void wordsOfASearch(Map.Entry<String, IntFunction<String>> family) {
        Cost.growsAtMostWithItsInput(family.getKey(), FROM, LONGEST, family.getValue(), SearchWords::of);
    }

    @ParameterizedTest
    @MethodSource("texts")
    void comparingOfLines(Map.Entry<String, IntFunction<String>> family) {
        Cost.growsAtMostWithItsInput(
                family.getKey(),
                FROM,
                LONGEST,
                family.getValue(),
                text -> new LineDiff(Budget.of(LONG))
                        .unified(
                                "a/x",
                                "b/x",
                                new LineDiff.Text(text),
                                new LineDiff.Text("x\n" + text.substring(0, text.length() / 2) + "\ny")));
    }

    /// Of the length that a selector may have.
    @ParameterizedTest
    @MethodSource("texts")
    void matchingOfARange(Map.Entry<String, IntFunction<String>> family) {
        Cost.growsAtMostWithItsInput(family.getKey(), 32, VersionSelector.MAX_LENGTH, family.getValue(), text -> {
            try {
                if (VersionSelector.parse(text) instanceof VersionSelector.ByRange(String range)) {
                    Resolve.highest(range, VERSIONS);
                }
            } catch (ProblemException e) {
                // no range
            }
        });
    }
}
