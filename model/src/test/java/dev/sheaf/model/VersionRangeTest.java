package dev.sheaf.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionRangeTest {
    private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9a-f]{4})");

    /// The result of npm's semver for a range and some versions, see `src/test/node/ranges.js`.
    private record Saying(List<Version> versions, String range, String highest, long bits) {
        boolean isRefused() {
            return highest.equals("!");
        }

        /// Returns the differences; empty if there are none.
        Stream<String> differences() {
            var found = VersionRange.find(range);
            if (found.isEmpty() || isRefused()) {
                return found.isEmpty() == isRefused()
                        ? Stream.of()
                        : Stream.of((isRefused() ? "is taken: " : "is refused: ") + range);
            }
            long bitsHere = 0;
            for (int i = 0; i < versions.size(); i++) {
                bitsHere |= found.get().contains(versions.get(i)) ? 1L << i : 0;
            }
            var newestFirst =
                    versions.stream().sorted(Comparator.reverseOrder()).toList();
            String here =
                    found.get().highest(newestFirst).map(Version::toString).orElse("-");
            return here.equals(highest) && bitsHere == bits
                    ? Stream.of()
                    : Stream.of(range + " of " + versions + ": " + here + " not " + highest + ", "
                            + Long.toHexString(bitsHere) + " not " + Long.toHexString(bits));
        }
    }

    private static List<Saying> sayings() throws IOException {
        String other = System.getProperty("sheaf.ranges");
        try (InputStream in = other != null
                        ? Files.newInputStream(Path.of(other))
                        : new GZIPInputStream(
                                Objects.requireNonNull(VersionRangeTest.class.getResourceAsStream("ranges.gz")));
                var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
            var sayings = new ArrayList<Saying>();
            List<Version> versions = List.of();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                var fields = List.of(line.split("\t", -1));
                if (fields.getFirst().equals("S")) {
                    versions = fields.stream().skip(1).map(Version::parse).toList();
                } else {
                    long bits = fields.size() > 3 ? Long.parseLong(fields.get(3), 16) : 0;
                    sayings.add(new Saying(versions, unescaped(fields.get(1)), fields.get(2), bits));
                }
            }
            return sayings;
        }
    }

    private static String unescaped(String text) {
        return ESCAPE.matcher(text)
                .replaceAll(
                        match -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(match.group(1), 16))));
    }

    @Test
    void saysOfEveryRangeWhatNpmSays() throws IOException {
        var sayings = sayings();

        var differences = sayings.stream().flatMap(Saying::differences).toList();

        assertThat(differences).isEmpty();
        assertThat(sayings).hasSizeGreaterThan(20_000);
        assertThat(sayings.stream().filter(Saying::isRefused)).hasSizeBetween(5_000, 10_000);
        assertThat(sayings.stream().filter(saying -> saying.bits() != 0)).hasSizeGreaterThan(7_000);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            ^0            ; 0.9.0
            ^0.x          ; 0.9.0
            ^0.0          ; 0.0.4
            ^0.0.3        ; 0.0.3
            ^1 >=1.4      ; 1.5.0
            ^1.2.3 ^1.3   ; 1.5.0
            * <2          ; 1.5.0
            ||            ; 5.0.0
            1.2 - 1.4     ; 1.4.0
            >1            ; 5.0.0
            <=1.2         ; 1.2.3
            ~>1.2         ; 1.2.3
            =v1.2.3       ; 1.2.3
            ^1.2.3-rc.1   ; 1.5.0
            1.2.3-rc.1    ; 1.2.3-rc.1
            """, delimiterString = ";")
    void choosesTheHighest(String range, String highest) {
        var newestFirst = Stream.of(
                        "5.0.0", "5.0.0-rc.1", "1.5.0", "1.4.0", "1.2.3", "1.2.3-rc.1", "0.9.0", "0.0.4", "0.0.3")
                .map(Version::parse)
                .toList();

        var found = VersionRange.find(range).orElseThrow().highest(newestFirst);

        assertThat(found).hasToString("Optional[" + highest + "]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ">=1.2.3 || foo",
                "1.x.3",
                "24.04",
                "V1.2.3",
                "|||",
                "%00",
                "1.2.3 -2",
                "9007199254740991",
                "1.2.3-01",
                "\u0661.2"
            })
    void refusesWhatNpmRefuses(String range) {
        assertThat(VersionRange.find(range)).isEmpty();
    }

    @Test
    void takes256CharactersAndNotOneMore() {
        assertThat(VersionRange.find("1".concat(" ".repeat(255)))).isPresent();
        assertThat(VersionRange.find("1".concat(" ".repeat(256)))).isEmpty();
    }

    /// The longest ranges of any meaningful characters are parsed without delay.
    @Test
    void isNeverSlow() {
        var newestFirst = IntStream.range(0, 2_000)
                .mapToObj(i -> Version.parse("1." + (2_000 - i) + ".0-0"))
                .toList();
        Gen.forAll(2_000, gen -> {
            var text = new StringBuilder();
            while (text.length() < 250) {
                text.append(gen.of(List.of("v", "= ", " ", ">", "~>", "^", "1", "x.", "*", "||", "1-", "+a", " - ")));
            }
            VersionRange.find(text.toString()).ifPresent(range -> range.highest(newestFirst));
        });
        for (String piece :
                List.of("v", "=", "> ", "1.", "1-", "x", "*", "||", "+", "+a", "~ ", "^", "1 ", "v= ", "-")) {
            VersionRange.find(piece.repeat(256 / piece.length())).ifPresent(range -> range.highest(newestFirst));
        }
    }
}
