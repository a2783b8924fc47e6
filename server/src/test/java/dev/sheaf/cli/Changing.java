package dev.sheaf.cli;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Puts fixed texts of the same width for what is another one in each run: ids, times, secrets, the address,
/// folders. Digests of content stay, since the same content has the same digest.
final class Changing {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern TIME = Pattern.compile("20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    private static final Pattern SECRET = Pattern.compile("\\b(sh[a-z])_[A-Za-z0-9_-]{20,}");
    private static final Pattern HINT = Pattern.compile("\\b(sh[a-z])_…[A-Za-z0-9]{4}");
    private static final Pattern CHAIN = Pattern.compile("\\b\\d+:[0-9a-f]{64}\\b");

    private final Map<String, Map<String, String>> ids = new HashMap<>();
    private final String url;
    private final Path work;

    Changing(String url, Path work) {
        this.url = url;
        this.work = work;
    }

    /// @param file where it stands, in which ids are counted from 1: so a new step changes that file alone
    String fixed(String file, String text) {
        var known = ids.computeIfAbsent(file, name -> new HashMap<>());
        String fixed = text.replace(url, "http://127.0.0.1:8080")
                .replace(url.substring("http://".length()), "127.0.0.1:8080")
                .replace(work.toString(), "/work")
                .replace(String.valueOf(work.getParent()), "/var/sheaf");
        fixed = replace(
                ID,
                fixed,
                match -> known.computeIfAbsent(
                        match.group(), id -> "01900000-0000-7000-8000-%012d".formatted(known.size() + 1)));
        fixed = replace(TIME, fixed, match -> "2026-01-02T03:04:05Z");
        fixed = replace(SECRET, fixed, match -> match.group(1) + "_secret");
        fixed = fixed.replaceAll("\\b[A-Z2-7]{32}\\b", "A".repeat(32)); // of an authenticator
        fixed = fixed.replaceAll(
                "\\b(?:[a-z0-9]{4}-){6}[a-z0-9]{4}\\b", "aaaa-bbbb-cccc-dddd-eeee-ffff-gggg"); // recovery codes
        fixed = replace(HINT, fixed, match -> match.group(1) + "_…0000");
        fixed = fixed.replaceAll("(?m)^! [a-z-]+: [0-9,]+( of [0-9,]+)? [a-z]+\n", "") // how far a task is
                .replaceAll("(?m)^! waiting for http://[^ ]+, \\d+ s\n", "") // on a busy machine
                .replaceAll("20\\d\\d-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d+Z", "2026-01-02T03-04-05.678Z")
                .replaceAll("127\\.0\\.0\\.1_\\d+", "127.0.0.1_8080")
                .replaceAll("http://127\\.0\\.0\\.1:\\d+/hook", "https://hooks.example.org/hook")
                .replaceAll("whsec_[A-Za-z0-9+/]{43}=", "whsec_secret")
                .replaceAll("(\"about\" : \")[^\"]* are free", "$160 GiB of 100 GiB are free")
                .replaceAll("a read takes [^;\"]* ms", "a read takes less than 1 ms")
                .replaceAll("\\b\\d+ ms\\b", "7 ms")
                .replaceAll("(\"milliseconds\" : )\\d+", "$17")
                .replaceAll("(?m)^(2026-01-02T03:04:05Z) +\\d+ (?= *(?:\\d{3}|-) )", "$1   7 ")
                .replaceAll("(\"webhook-signature\" : )\"[^\"]*\"", "$1\"v1,signature\"")
                .replaceAll("(\"webhook-timestamp\" : )\"\\d+\"", "$1\"1767323045\"")
                .replaceAll("(\"(?:durationMs|p50|p95)\" : )\\d+", "$17")
                .replaceAll("(?m)^( *TRY  .*OUTCOME) +MS", "$1  MS")
                .replaceAll("(?m)^( *\\d+  2026-01-02T03:04:05Z  [a-z-]+) +\\d+ ", "$1     7 ")
                .replaceAll("(?m)^AT +MS  STATUS", "AT                    MS  STATUS")
                .replaceAll("answered in \\d+ ms", "answered in 7 ms")
                .replaceAll("Java [0-9][^\", \n]*", "Java 25")
                .replaceAll("\\b(sheaf|registry) (dev|development|\\d+\\.\\d+\\.\\d+)\\b", "$1 0.1.0")
                .replaceAll("(\"(?:server|client)Version\" : )\"[^\"]*\"", "$1\"0.1.0\"")
                .replaceAll("(entries verified|rows) +\\d+", "$1 7")
                .replaceAll(",\n *\"lastUsed(At|From)\" : \"[^\"]*\"", "") // which is written seconds after the use
                .replaceAll("(\"(?:entriesVerified|rows|done|total)\" : )\\d+", "$17");
        fixed = fixed.replaceAll("…[0-9a-f]{12}\\b", "…000000000001"); // the end of an id
        fixed = fixed.replaceAll("(request id: |\"requestId\":\")[0-9a-f]{32}", "$1" + "0".repeat(32));
        return replace(CHAIN, fixed, match -> "7:" + "0".repeat(64));
    }

    private static String replace(Pattern pattern, String text, Function<MatchResult, String> by) {
        return pattern.matcher(text).replaceAll(match -> java.util.regex.Matcher.quoteReplacement(by.apply(match)));
    }
}
