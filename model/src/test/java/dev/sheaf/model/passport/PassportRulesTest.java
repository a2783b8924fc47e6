package dev.sheaf.model.passport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each rule finds its examples, ignores its counterexamples, and takes time proportional to hostile input.
class PassportRulesTest {
    private static final int PIECE = 2_400; // characters, a little more than the scan reads together
    private static final int STEPS = 600; // characters read for each character of the input, at most

    static Stream<PassportRule> rules() {
        return PassportRules.all().stream().filter(rule -> rule.pattern() != null);
    }

    @Test
    void everyRuleHasAnIdAndWordsOfItsOwn() {
        assertThat(PassportRules.all()).extracting(PassportRule::id).doesNotHaveDuplicates();
        assertThat(PassportRules.all()).allSatisfy(rule -> {
            assertThat(rule.id()).matches("[a-z]+(?:-[a-z]+)*");
            assertThat(List.of(rule.one(), rule.many(), rule.text(), rule.advice()))
                    .as(rule.id())
                    .doesNotContain("");
        });
        assertThat(rules()).allSatisfy(rule -> {
            assertThat(rule.words()).as(rule.id()).isNotEmpty();
            assertThat(rule.matches()).as(rule.id()).isNotEmpty();
            assertThat(rule.ignores()).as(rule.id()).isNotEmpty();
        });
    }

    @ParameterizedTest
    @MethodSource("rules")
    void itsExamplesAreFound(PassportRule rule) {
        assertThat(rule.matches())
                .allSatisfy(example -> assertThat(found(rule, example))
                        .as(rule.id() + " in " + example)
                        .isNotEmpty());
    }

    @ParameterizedTest
    @MethodSource("rules")
    void itsCounterexamplesAreNot(PassportRule rule) {
        assertThat(rule.ignores())
                .allSatisfy(example -> assertThat(found(rule, example))
                        .as(rule.id() + " in " + example)
                        .isEmpty());
    }

    private static List<Passport.Entry> found(PassportRule rule, String example) {
        String text = rule.scope() == PassportRule.Scope.COMMENT ? "a\n<!-- " + example + " -->\n" : example + "\n";
        return new Scanned().file("notes.md", text).entries(rule.id());
    }

    @ParameterizedTest
    @MethodSource("rules")
    void hostileTextsTakeFewSteps(PassportRule rule) {
        var pattern = Objects.requireNonNull(rule.pattern());
        for (String text : hostile(rule)) {
            var counted = new Counted(text);
            var matcher = pattern.matcher(counted);
            int left = 20;
            while (left-- > 0 && matcher.find()) {}
            assertThat(counted.steps())
                    .as("%s on %s…", rule.id(), text.substring(0, 40))
                    .isLessThan((long) STEPS * PIECE);
        }
    }

    /// Returns texts that make a pattern try again and again: its words and the beginnings of its examples, repeated.
    private static List<String> hostile(PassportRule rule) {
        var seeds = new ArrayList<>(
                List.of("a", " ", "\t ", "/", "a.", ".a/", "\"", "- ", "=", "$(", "<a ", "[a", "A_", "://"));
        seeds.addAll(rule.words());
        rule.words().forEach(word -> seeds.add(word + " "));
        for (String example : rule.matches()) {
            for (int length = 1; length <= example.length(); length += 3) {
                seeds.add(example.substring(0, length));
            }
            String[] words = example.split(" ", -1);
            for (String word : words) {
                seeds.add(word + " ");
                seeds.add(words[0] + " " + word + " ");
            }
        }
        var texts = new ArrayList<String>();
        for (String seed : seeds) {
            if (!seed.isEmpty()) {
                texts.add(seed.repeat(PIECE / seed.length() + 1).substring(0, PIECE));
                texts.add((rule.matches().getFirst().split(" ", 2)[0] + " " + seed.repeat(PIECE / seed.length() + 1))
                        .substring(0, PIECE));
            }
        }
        return texts;
    }

    /// A text that counts how often a character of it is read, so that the test needs no clock.
    private static final class Counted implements CharSequence {
        private final String text;
        private long steps;

        Counted(String text) {
            this.text = text;
        }

        long steps() {
            return steps;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            steps++;
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
