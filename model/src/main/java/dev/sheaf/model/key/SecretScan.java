package dev.sheaf.model.key;

import dev.sheaf.model.text.LineNumbers;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/// Finds forgotten secrets by the formats that their issuers defined for this purpose. Reports the kind, the
/// place and only the first characters of each secret.
public final class SecretScan {
    private static final int SHOWN = 4;
    private static final int MAX_FOUND = 10;
    private static final int MIN_VARIETY = 8; // with fewer different characters it is a placeholder

    private static final IntPredicate ALNUM = c -> isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    private static final IntPredicate WORD = c -> ALNUM.test(c) || c == '_';
    private static final IntPredicate URL_SAFE = c -> WORD.test(c) || c == '-';
    private static final IntPredicate BASE32 = c -> (c >= 'A' && c <= 'Z') || (c >= '2' && c <= '7');
    private static final IntPredicate PATH = c -> ALNUM.test(c) || c == '/';

    /// A format: a prefix, then `min` to `max` characters of one kind.
    private record Format(String what, String prefix, IntPredicate body, int min, int max, Predicate<String> also) {
        Format(String what, String prefix, IntPredicate body, int min, int max) {
            this(what, prefix, body, min, max, token -> true);
        }
    }

    private static final List<Format> FORMATS = List.of(
            new Format("an AWS access key id", "AKIA", BASE32, 16, 16, token -> !token.endsWith("EXAMPLE")),
            new Format("an AWS access key id", "ASIA", BASE32, 16, 16, token -> !token.endsWith("EXAMPLE")),
            new Format("a GitHub personal access token", "ghp_", ALNUM, 36, 251),
            new Format("a GitHub OAuth token", "gho_", ALNUM, 36, 251),
            new Format("a GitHub user token", "ghu_", ALNUM, 36, 251),
            new Format("a GitHub server token", "ghs_", ALNUM, 36, 251),
            new Format("a GitHub refresh token", "ghr_", ALNUM, 36, 251),
            new Format("a GitHub fine-grained token", "github_pat_", WORD, 82, 244),
            new Format("a GitLab personal access token", "glpat-", URL_SAFE, 20, 300),
            new Format("a GitLab deploy token", "gldt-", URL_SAFE, 20, 300),
            new Format("a GitLab runner token", "glrt-", URL_SAFE, 20, 300),
            new Format("a Slack bot token", "xoxb-", URL_SAFE, 24, 300, SecretScan::isSlack),
            new Format("a Slack user token", "xoxp-", URL_SAFE, 24, 300, SecretScan::isSlack),
            new Format("a Slack app token", "xapp-", URL_SAFE, 24, 300, SecretScan::isSlack),
            new Format("a Slack webhook", "https://hooks.slack.com/services/T", PATH, 40, 80),
            new Format("a Stripe secret key", "sk_live_", ALNUM, 24, 247),
            new Format("a Stripe restricted key", "rk_live_", ALNUM, 24, 247),
            new Format("a Google API key", "AIza", URL_SAFE, 35, 35),
            new Format("a Google OAuth client secret", "GOCSPX-", URL_SAFE, 28, 28),
            new Format("an npm token", "npm_", ALNUM, 36, 36),
            new Format("a PyPI token", "pypi-AgEIcHlwaS5vcmc", URL_SAFE, 50, 1_000),
            new Format("an Anthropic API key", "sk-ant-", URL_SAFE, 80, 200),
            new Format("an OpenAI API key", "sk-proj-", URL_SAFE, 40, 300),
            new Format("a Hugging Face token", "hf_", ALNUM, 34, 40),
            new Format("a Sheaf API key", KeyFormat.PREFIX, ALNUM, 36, 36, KeyFormat::isWellFormed));

    private static final String KEY_BEGIN = "-----BEGIN ";
    private static final String KEY_MARK = "-----END ";
    private static final String KEY_END = "PRIVATE KEY";
    private static final int KEY_KIND = 40;
    private static final int MAX_KEY = 16 << 10;
    private static final int KEY_LINE = 16;

    private SecretScan() {}

    /// A probable secret.
    ///
    /// @param what the kind of secret, such as `a GitHub OAuth token`
    /// @param line the line number, from 1
    /// @param beginning the first characters of the secret
    /// @param from the offset of its first character
    /// @param to the offset after its last character
    public record Found(String what, int line, String beginning, int from, int to) {
        @Override
        public String toString() {
            return what + " (" + beginning + "…)";
        }
    }

    /// Finds at most ten secrets of each format, in time proportional to the text.
    public static void find(String text, Consumer<Found> findings) {
        find(text, MAX_FOUND, findings);
    }

    /// Finds all secrets, for example to mask them, in time proportional to the text.
    public static void findAll(String text, Consumer<Found> findings) {
        find(text, Integer.MAX_VALUE, findings);
    }

    private static void find(String text, int most, Consumer<Found> findings) {
        var lines = new LineNumbers(text);
        for (var format : FORMATS) {
            tokens(text, format, most, lines, findings);
        }
        privateKeys(text, most, lines, findings);
    }

    private static void tokens(String text, Format format, int most, LineNumbers lines, Consumer<Found> findings) {
        String prefix = format.prefix();
        int found = 0;
        lines.rewind();
        int at = text.indexOf(prefix);
        while (at >= 0 && found < most) {
            int from = at + prefix.length();
            int end = run(text, from, format.body(), format.max() + 1);
            int length = end - from;
            boolean alone = at == 0 || !WORD.test(text.charAt(at - 1));
            if (alone && length >= format.min() && length <= format.max() && isReal(text, at, from, end, format)) {
                found++;
                findings.accept(new Found(format.what(), lines.of(at), text.substring(at, from + SHOWN), at, end));
            }
            at = text.indexOf(prefix, Math.max(end, from));
        }
    }

    private static boolean isReal(String text, int at, int from, int end, Format format) {
        long variety = text.substring(from, end).chars().distinct().count();
        return variety >= MIN_VARIETY && format.also().test(text.substring(at, end));
    }

    private static int run(String text, int from, IntPredicate body, int max) {
        int end = from;
        while (end < text.length() && end - from < max && body.test(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isSlack(String token) {
        return token.chars().filter(SecretScan::isDigit).count() >= 10;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /// Finds PEM and PGP blocks: a line that begins a block, followed by base64.
    private static void privateKeys(String text, int most, LineNumbers lines, Consumer<Found> findings) {
        lines.rewind();
        int found = 0;
        int end = 0; // end of the last block
        int at = text.indexOf(KEY_BEGIN);
        while (at >= 0 && found < most) {
            int limit = Math.min(text.length(), at + KEY_BEGIN.length() + KEY_KIND);
            String begin = text.substring(at, limit);
            int kind = begin.indexOf(KEY_END);
            int line = begin.indexOf('\n');
            if (kind >= 0 && (line < 0 || line > kind) && hasContent(text, at + kind)) {
                found++;
                String head = begin.substring(0, kind + KEY_END.length());
                if (end <= at) {
                    int mark = text.indexOf(KEY_MARK, at + KEY_BEGIN.length());
                    end = Math.min(mark < 0 ? text.length() : mark, at + MAX_KEY);
                }
                findings.accept(new Found("a private key", lines.of(at), head, at, end));
            }
            at = text.indexOf(KEY_BEGIN, at + KEY_BEGIN.length());
        }
    }

    /// Returns whether base64 follows within 300 characters. Headers of the block may come before it. Escaped
    /// line ends count as line ends, since keys are often stored in JSON.
    private static boolean hasContent(String text, int from) {
        int limit = Math.min(text.length(), from + 300);
        int length = 0;
        for (int i = text.indexOf("-----", from) + 5; i > 4 && i < limit; i++) {
            char c = text.charAt(i);
            length = ALNUM.test(c) || c == '+' || c == '/' ? length + 1 : 0;
            if (length == KEY_LINE) {
                return true;
            }
        }
        return false;
    }
}
