package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.cli.terminal.TransferDisplay;
import dev.sheaf.client.api.Directories;
import dev.sheaf.client.api.Progress.Activity;
import dev.sheaf.client.credentials.Keychain;
import dev.sheaf.client.testing.TinyRegistry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/// What people read fits their terminal.
class WidthTest extends CommandLineFixture {
    private static final String DIGEST = "sha256:" + "a".repeat(64);

    @BeforeEach
    void look() {
        terminal = true;
        environment.put("NO_COLOR", "1");
    }

    private static Stream<String> lines(String text) {
        return text.lines().map(line -> line.replaceAll("\u001b\\[[0-9;]*m", ""));
    }

    private static void fits(String text, int columns) {
        assertThat(lines(text))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(columns));
    }

    /// All commands, as words.
    private List<String> commands(CommandLine command, String path) {
        var all = new ArrayList<String>();
        command.getSubcommands().forEach((name, below) -> {
            all.add(path + name);
            all.addAll(commands(below, path + name + " "));
        });
        return all;
    }

    /// Of a failure, too.
    @ParameterizedTest
    @CsvSource({"80, false", "200, true"})
    void aSentenceHasTheWholeDigestWhereThereIsRoom(int columns, boolean whole) {
        environment.put("COLUMNS", String.valueOf(columns));
        answer("/v1/namespaces/acme/bundles/kit/tags", 409, """
                {"type": "about:blank", "title": "t", "status": 409, "code": "version-exists",
                 "detail": "there is %s already"}""".formatted(DIGEST));

        String said = run("tags", "ls", "acme/kit").err();

        assertThat(said).contains(whole ? DIGEST : "sha256:aaaaaaaaaaaa…");
    }

    @ParameterizedTest
    @CsvSource({"80, 80", "120, 120", "200, 120"})
    void helpFits(int columns, int widest) {
        environment.put("COLUMNS", String.valueOf(columns));
        var commands = commands(CommandTree.of(Shell.ofThisProcess(), ""), "");
        commands.removeAll(List.of("serve", "config", "admin restore", "admin upgrade-check"));
        commands.add("");

        for (String command : commands) {
            fits(run((command + " --help").strip().split(" ")).out(), widest);
        }
        assertThat(lines(run("push", "--help").out()))
                .anySatisfy(line -> assertThat(line.length()).isGreaterThan(widest - 25));
    }

    /// Styles, and the red and green of what failed or changed, are seen on light and on dark. No other colour is
    /// there.
    @Test
    void helpTablesAndFailuresAreReadableOnLightAndDark() {
        environment.remove("NO_COLOR");
        keys();
        var shown = new StringBuilder(run("keys", "list").out())
                .append(run("nosuch").err());
        for (String command : commands(CommandTree.of(Shell.ofThisProcess(), ""), "")) {
            if (!Set.of("serve", "config", "admin restore", "admin upgrade-check")
                    .contains(command)) {
                shown.append(run((command + " --help").split(" ")).out());
            }
        }

        var codes = Pattern.compile("\u001b\\[([0-9;]*)m")
                .matcher(shown)
                .results()
                .flatMap(found -> Stream.of(found.group(1).split(";")))
                .collect(Collectors.toSet());

        assertThat(codes).contains("1").isSubsetOf("", "0", "1", "3", "4", "21", "22", "23", "24", "31", "32", "39");
    }

    private void keys() {
        answer("/api-keys", 200, """
                {"data": [{"id": "01900000-0000-7000-8000-0000000000ab", "organizationId": "01900000-0000-7000-8000-000000000001",
                 "name": "the key of the nightly build that publishes the kit", "scopes": ["read", "write"],
                 "hint": "shf_…0000", "state": "active", "createdAt": "2026-01-02T03:04:05Z",
                 "expiresAt": "2027-01-02T03:04:05Z"}], "meta": {"hasMore": false}}""");
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 120, 200})
    void tablesFit(int columns) {
        environment.put("COLUMNS", String.valueOf(columns));
        keys();

        String shown = run("keys", "list").out();

        fits(shown, columns);
        assertThat(shown)
                .contains(columns == 200 ? "01900000-0000-7000-8000-0000000000ab" : "0000000000ab")
                .contains(columns == 200 ? "the nightly build that publishes the kit" : "the key");
    }

    /// A narrow table shows the end of an id, and a time to the second; the commands take that end.
    @Test
    void whatANarrowTableShowsOfAnIdIsEnough() {
        environment.put("COLUMNS", "80");
        String hook = """
                {"id": "01900000-0000-7000-8000-0000000000ab", "url": "https://hooks.example.org/a/rather/long/address/of/it",
                 "eventTypes": ["version.published", "tag.moved"], "enabled": true, "namespaces": [], "bundles": [],
                 "headerNames": [], "createdAt": "2026-01-02T03:04:05Z", "createdBy": "ada",
                 "updatedAt": "2026-01-02T03:04:05Z"}""";
        String page = "{\"data\": [%s], \"meta\": {\"hasMore\": false}}";
        String delivery = """
                {"id": "01900000-0000-7000-8000-0000000000cd", "webhookId": "01900000-0000-7000-8000-0000000000ab",
                 "eventId": "01900000-0000-7000-8000-0000000000ef", "type": "version.deprecated",
                 "subject": "acme/java-kit:1.0.0", "state": "delivered", "attemptCount": 1,
                 "createdAt": "2026-01-02T03:04:05Z", "updatedAt": "2026-01-02T03:04:05Z"}""";
        registry.replace("/webhooks", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String answer = path.endsWith("/deliveries")
                    ? page.formatted(delivery)
                    : path.endsWith("ab") ? hook : page.formatted(hook);
            TinyRegistry.send(exchange, 200, answer.getBytes(StandardCharsets.UTF_8));
        });

        assertThat(run("webhooks", "list").out()).contains("…0000000000ab");
        assertThat(run("webhooks", "show", "…0000000000ab").out()).contains("01900000-0000-7000-8000-0000000000ab");
        assertThat(run("webhooks", "show", "0000000000ab").status()).isZero();
        var other = run("webhooks", "show", "0000000000cd");
        assertThat(other.status()).isEqualTo(3);
        assertThat(other.err()).contains("no webhook has an id that ends in 0000000000cd");
        String deliveries = run("webhooks", "deliveries", "0000000000ab").out();
        fits(deliveries, 80);
        assertThat(deliveries).contains("…0000000000cd", "01-02 03:04:05");
    }

    /// What a script reads is never cut.
    @Test
    void withoutATerminalNothingIsCut() {
        terminal = false;
        environment.put("COLUMNS", "80");
        keys();

        assertThat(run("keys", "list").out())
                .contains("01900000-0000-7000-8000-0000000000ab", "the nightly build that publishes the kit");
    }

    @ParameterizedTest
    @CsvSource({"80, false", "130, true", "200, true"})
    void digestsAreShortenedOnlyWhereALineIsTooShort(int columns, boolean whole) {
        environment.put("COLUMNS", String.valueOf(columns));
        registry.content.publish("acme/kit:1.0.0", Map.of("a", "x".getBytes(StandardCharsets.UTF_8)));
        answer("/versions", 200, """
                {"data": [{"id": "01900000-0000-7000-8000-000000000001", "version": "1.0.0", "state": "active",
                 "createdAt": "2026-01-02T03:04:05Z", "ociDigest": "%s"}], "meta": {"hasMore": false}}""".formatted(DIGEST));

        String table = run("versions", "acme/kit").out();
        fits(table, columns);
        assertThat(table).contains(whole ? DIGEST : "sha256:aaaaaaaaaaaa…");
        String digest = String.valueOf(lines(run("resolve", "acme/kit").out())
                .filter(line -> line.startsWith("digest"))
                .findFirst()
                .orElseThrow());
        assertThat(digest.endsWith("…")).isEqualTo(!whole);
    }

    @ParameterizedTest
    @CsvSource({"40, 40", "60, 60", "80, 80", "100, 100", "200, 120"})
    void barsFit(int columns, int widest) {
        var err = new ByteArrayOutputStream();
        var shell = new Shell(
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                true,
                Map.of("COLUMNS", String.valueOf(columns)),
                Directories.of(Map.of(), "Linux", folder),
                Keychain.NONE);
        var display = new TransferDisplay(shell, new Output(shell));
        try (var transfer = display.begin(Activity.DOWNLOAD, "acme/a-rather-long-name-of-a-bundle:1.0.0", 8L << 40);
                var part = transfer.part("skills/triage/references/every-page-of-the-manual.pdf", 4L << 40);
                var wide = transfer.part(
                        "skills/\u6587\u66f8\u306e\u5168\u30da\u30fc\u30b8" + "\u5168".repeat(50), 1L << 40)) {
            part.advance(3L << 40);
            wide.advance(1 << 20);
            display.waiting("http://127.0.0.1:1", Duration.ofSeconds(3)); // the bar shows it
        }

        String drawn = err.toString(StandardCharsets.UTF_8);
        assertThat(drawn).contains("pull acme").doesNotContain("waiting");
        var bars = Stream.of(drawn.split("[\r\n]"))
                .map(line -> line.replaceAll("\u001b\\[[0-9;]*[A-Za-z]", ""))
                .toList();
        assertThat(bars)
                .allSatisfy(line -> assertThat(TextFormat.width(line)).as(line).isLessThanOrEqualTo(widest));
        assertThat(bars).anySatisfy(line -> assertThat(TextFormat.width(line)).isGreaterThan(widest - 10));
    }

    @Test
    void aBarOfAnUsualWindowIsMoreThanAFewCharacters() {
        var err = new ByteArrayOutputStream();
        var shell = new Shell(
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                true,
                Map.of("COLUMNS", "80"),
                Directories.of(Map.of(), "Linux", folder),
                Keychain.NONE);
        try (var transfer = new TransferDisplay(shell, new Output(shell))
                .begin(Activity.DOWNLOAD, "acme/a-rather-long-name-of-a-bundle:1.0.0", 500L << 20)) {
            transfer.advance(123L << 20);
        }

        String drawn = err.toString(StandardCharsets.UTF_8).replaceAll("\u001b\\[[0-9;]*[A-Za-z]", "");
        assertThat(Pattern.compile("\\|[^|]{15,}\\||\\[[^\\]]{15,}\\]")
                        .matcher(drawn)
                        .find())
                .as(drawn)
                .isTrue();
        assertThat(drawn).contains("MiB");
    }

    @Test
    void aFailureIsRedWhereColoursAreWanted() {
        assertThat(run("resolve", "acme/none").err()).startsWith("sheaf: ");
        environment.remove("NO_COLOR");
        assertThat(run("resolve", "acme/none").err())
                .startsWith("\u001b[31msheaf: no version")
                .contains("\u001b[0m\n  ");
        assertThat(run("nosuch").err()).startsWith("\u001b[31msheaf: there is no command");
        terminal = false;
        assertThat(run("resolve", "acme/none").err()).startsWith("sheaf: ");
    }
}
