package dev.sheaf.server.bundle.review;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import com.sun.net.httpserver.HttpServer;
import dev.sheaf.model.wire.account.RecoveryCodes;
import dev.sheaf.model.wire.account.TotpEnrolment;
import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.model.wire.bundle.ReviewRecord;
import dev.sheaf.model.wire.bundle.ScanFinding;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionRescan;
import dev.sheaf.server.event.Numbered;
import dev.sheaf.server.identity.api.TotpScenario;
import dev.sheaf.server.testing.AssetScenario;
import dev.sheaf.server.testing.Authenticator;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Scanners of others that are asked about pushes, over HTTP.
class ScannersApiTest extends AssetScenario {
    private static final int WAIT = 60; // seconds

    private final BlockingQueue<Question> questions = new LinkedBlockingQueue<>();
    private volatile Function<Question, String> verdict = question -> ""; // empty for 202
    private @Nullable HttpServer scanner;
    private String owner = "";
    private String publisher = "";

    private record Question(JsonNode body, String text, Map<String, List<String>> headers) {
        String of(String member) {
            return body.get(member).stringValue();
        }
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("webhook-http", "true", "webhook-private-addresses", "true");
    }

    @Override
    public void prepare() {
        owner = app().person("owner@scanners.test", "default", "owner");
        app().person("admin@scanners.test", "default", "admin");
        publisher = app().person("publisher@scanners.test", "default", "publisher");
    }

    @BeforeEach
    void listen() throws IOException {
        questions.clear();
        var made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        made.createContext("/", exchange -> {
            String text = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            var question = new Question(JsonMapper.shared().readTree(text), text, exchange.getRequestHeaders());
            byte[] answer = verdict.apply(question).getBytes(UTF_8);
            exchange.sendResponseHeaders(answer.length == 0 ? 202 : 200, answer.length == 0 ? -1 : answer.length);
            if (answer.length > 0) {
                exchange.getResponseBody().write(answer);
            }
            exchange.close();
            questions.add(question);
        });
        made.start();
        scanner = made;
    }

    @AfterEach
    void close() {
        requireNonNull(scanner).stop(0);
    }

    private static String answer(Question question, String verdict, String more) {
        return "{\"digest\": \"" + question.of("digest") + "\", \"verdict\": \"" + verdict + "\"" + more + "}";
    }

    private String scanned(String namespace, String onFailure) {
        app().post("/v1/organizations/default/namespaces", app().admin(), "{\"handle\": \"" + namespace + "\"}");
        var set = app().send("PUT", "/v1/namespaces/" + namespace + "/policy", app().admin(), """
                {"scan": {"scanners": [{"name": "strict", "url": "http://127.0.0.1:%d/scan", "onFailure": "%s"}]}}""".formatted(
                        requireNonNull(scanner).getAddress().getPort(), onFailure));
        assertThat(set.status()).as(set.text()).isEqualTo(200);
        return requireNonNull(requireNonNull(set.as(PolicyRecord.class).scan())
                .scanners()
                .getFirst()
                .secret());
    }

    private HeldVersion push(String repository, String version) {
        var reply = app().post(bundle(repository) + ":push", publisher, """
                {"name": "Kit", "visibility": "public", "version": "%s",
                 "manifest": [{"logicalPath": "notes.md", "contentText": "words of %s"}]}""".formatted(version, version));
        assertThat(reply.status()).as(reply.text()).isEqualTo(202);
        return reply.as(HeldVersion.class);
    }

    private ReviewRecord review(String repository, String version) {
        return app().get(bundle(repository) + "/versions/" + version + "/review", owner)
                .as(ReviewRecord.class);
    }

    private Question question() throws InterruptedException {
        return requireNonNull(questions.poll(WAIT, TimeUnit.SECONDS), "no question came");
    }

    private ReviewRecord settled(String repository, String version) {
        Eventually.within(
                Duration.ofSeconds(WAIT),
                () -> review(repository, version).scans().stream()
                        .noneMatch(scan -> scan.state().equals("waiting")));
        return review(repository, version); // the scans were read after the state
    }

    private Reply send(String scan, String token, String body) {
        return app().post("/v1/scans/" + scan, token, body);
    }

    /// The path may be as secret as a password.
    @Test
    void onlyAdminsSeeTheWholeAddressOfAScanner() {
        scanned("discreet", "hold");
        int port = requireNonNull(scanner).getAddress().getPort();

        assertThat(app().get("/v1/namespaces/discreet/policy", app().admin()).text())
                .contains("127.0.0.1:" + port + "/scan");
        assertThat(app().get("/v1/namespaces/discreet/policy", publisher).text())
                .contains("http://127.0.0.1:" + port + "/\"")
                .doesNotContain("/scan\"");
    }

    /// A rescan finds something in what readers have: they keep it, and people are asked.
    @Test
    void aRescanHidesNothing() throws Exception {
        verdict = question -> answer(question, "allow", "");
        scanned("again", "hold");
        push("again/kit", "1.0.0");
        question();
        assertThat(settled("again/kit", "1.0.0").state()).isEqualTo("published");

        rescan("again/kit", "1.0.0");
        question();
        var quiet = settled("again/kit", "1.0.0");
        verdict = question -> answer(
                question,
                "block",
                ", \"findings\": [{\"rule\": \"worm\", \"severity\": \"high\", \"text\": \"A worm\"}]");
        rescan("again/kit", "1.0.0");
        question();
        var asked = settled("again/kit", "1.0.0");

        assertThat(quiet.ofPublished()).isTrue();
        assertThat(quiet.state()).isEqualTo("published");
        assertThat(asked.ofPublished()).isTrue();
        assertThat(asked.state()).isEqualTo("held");
        assertThat(asked.approvals()).isEqualTo(1);
        assertThat(asked.findings()).extracting(ScanFinding::rule).containsExactly("worm");
        var version = app().get(bundle("again/kit") + "/versions/1.0.0", null).as(VersionDetail.class);
        assertThat(version.state()).isEqualTo("published");
        assertThat(version.approvedBy()).as("no person approved it").isNull();
        Numbered.all(app().database());
        assertThat(app().get("/v1/organizations/default/events?types=version.scanned", app().key("rescan", "read"))
                        .text())
                .contains("again/kit:1.0.0", "\"worst\":\"high\"");
        app().post(bundle("again/kit") + "/versions/1.0.0:rescan", app().key("rescan-reader", "read"), "{}")
                .assertRefused("403");
    }

    @Test
    void aTaskAsksAboutAllVersionsOnceADay() throws Exception {
        verdict = question -> answer(question, "allow", "");
        scanned("everything", "hold");
        push("everything/kit", "1.0.0");
        question();
        settled("everything/kit", "1.0.0");
        app().push("unscanned/kit", "1.0.0", "public", "words");

        String dry = rescanAll("true");
        String first = rescanAll("false");
        var question = question();
        settled("everything/kit", "1.0.0");
        String second = rescanAll("false");

        assertThat(dry).contains("\"versionsForScanners\":", "\"succeeded\"");
        assertThat(first).contains("\"versionsForScanners\":", "\"succeeded\"");
        assertThat(question.of("namespace")).isEqualTo("everything");
        assertThat(second).contains("\"versionsForScanners\":0", "\"succeeded\"");
        assertThat(questions).isEmpty();
    }

    private String rescanAll(String dry) {
        var run = app().post("/v1/admin/tasks", app().admin(), "{\"task\": \"rescan\", \"dryRun\": " + dry + "}");
        assertThat(run.status()).as(run.text()).isEqualTo(201);
        return app().ended(run.json().get("id").stringValue()).text();
    }

    private void rescan(String repository, String version) {
        var reply = app().post(bundle(repository) + "/versions/" + version + ":rescan", publisher, "{}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(202);
        assertThat(reply.as(VersionRescan.class).scanners()).containsExactly("strict");
    }

    @Test
    void whatTheScannerAllowsIsPublished() throws Exception {
        verdict = question -> answer(question, "allow", "");
        String secret = scanned("allowed", "hold");

        var held = push("allowed/kit", "1.0.0");
        var question = question();
        var review = settled("allowed/kit", "1.0.0");

        assertThat(held.detail()).contains("scanners");
        assertThat(review.state()).isEqualTo("published");
        assertThat(review.scans()).extracting(ReviewRecord.Scan::state).containsExactly("allow");
        assertThat(question.of("digest")).isEqualTo(held.digest());
        assertThat(question.of("pull")).endsWith("/v1/scans/" + question.of("scanId"));
        new Webhook(secret).verify(question.text(), java.net.http.HttpHeaders.of(question.headers(), (a, b) -> true));
        assertThat(app().get(bundle("allowed/kit") + ":resolve?version=1.0.0", null)
                        .status())
                .isEqualTo(200);
        assertThat(app().get("/v1/namespaces/allowed/policy", app().admin()).text())
                .contains("strict")
                .doesNotContain("whsec_");
        assertThat(review.decisions()).isEmpty();
    }

    @Test
    void aTokenReadsOnePushAndAnswersOnce() throws Exception {
        verdict = question -> "";
        scanned("tokens", "hold");
        var held = push("tokens/kit", "1.0.0");
        push("tokens/kit", "1.1.0");
        var first = question();
        var second = question();
        var mine = first.of("digest").equals(held.digest()) ? first : second;
        var other = mine == first ? second : first;
        String scan = mine.of("scanId");
        String token = mine.of("token");

        var manifest = app().get("/v1/scans/" + scan + "/manifest", token);
        assertThat(manifest.status()).isEqualTo(200);
        String layer = manifest.json().get("layers").get(0).get("digest").stringValue();
        assertThat(app().get("/v1/scans/" + scan + "/blobs/" + layer, token).text())
                .isEqualTo("words of 1.0.0");
        String strange = app().get("/v1/scans/" + other.of("scanId") + "/manifest", other.of("token"))
                .json()
                .get("layers")
                .get(0)
                .get("digest")
                .stringValue();
        assertThat(app().get("/v1/scans/" + scan + "/blobs/" + strange, token).status())
                .isEqualTo(404);
        for (String wrong : List.of(other.of("token"), app().admin(), "sheaf_scan_x")) {
            assertThat(app().get("/v1/scans/" + scan + "/manifest", wrong).status())
                    .isEqualTo(401);
            assertThat(send(scan, wrong, answer(mine, "allow", "")).status()).isEqualTo(401);
        }
        assertThat(app().get("/v1/scans/" + scan + "/manifest", null).status()).isEqualTo(401);
        assertThat(app().get(bundle("tokens/kit"), token).status()).isEqualTo(401);
        send(scan, token, answer(other, "allow", "")).assertRefused("409 conflict");
        send(scan, token, "{\"digest\": \"x\", \"verdict\": \"allow\"}").assertRefused("422 validation-failed");
        send(scan, token, answer(mine, "perhaps", "")).assertRefused("422 validation-failed");
        assertThat(review("tokens/kit", "1.0.0").state()).isEqualTo("held");
        assertThat(send(scan, token, answer(mine, "allow", "")).status()).isEqualTo(204);
        assertThat(review("tokens/kit", "1.0.0").state()).isEqualTo("published");
        send(scan, token, answer(mine, "block", "")).assertRefused("409 conflict");
        app().get("/v1/scans/" + scan + "/manifest", token).assertRefused("409 conflict");
        assertThat(review("tokens/kit", "1.1.0").state()).isEqualTo("held");
        assertThat(app().database()
                        .<Long>read(tx ->
                                tx.number("SELECT count(*) FROM review_scan WHERE token_hash LIKE '%sheaf_scan_%'")))
                .isZero();
    }

    @Test
    void reviewHasPeopleDecideAndHostileTextsAreCleaned() throws Exception {
        verdict = question -> answer(question, "review", """
                , "sarif": {"runs": [{"results": [{"ruleId": "x\\u202Ey", "level": "error",
                  "message": {"text": "<script>%s"},
                  "locations": [{"physicalLocation": {"artifactLocation": {"uri": "notes.md"}, "region": {"startLine": 3}}}]}]}]}""".formatted("a".repeat(5_000)));
        scanned("people", "hold");
        push("people/kit", "1.0.0");

        var review = settled("people/kit", "1.0.0");

        assertThat(review.state()).isEqualTo("held");
        assertThat(review.approvals()).isEqualTo(1);
        assertThat(review.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.scanner()).isEqualTo("strict");
            assertThat(finding.severity()).isEqualTo("high");
            assertThat(finding.rule()).isEqualTo("x\\u{202e}y");
            assertThat(finding.text()).hasSizeLessThanOrEqualTo(600);
            assertThat(finding.place()).isEqualTo("notes.md:3");
        });
        var approved = app().post(
                        bundle("people/kit") + "/versions/1.0.0:approve",
                        owner,
                        "{\"digest\": \"%s\", \"round\": 1}".formatted(review.digest()));
        assertThat(approved.as(ReviewRecord.class).state()).isEqualTo("published");
    }

    @Test
    void blockEndsThePushAndNobodyApprovesBeforeTheAnswer() throws Exception {
        verdict = question -> "";
        scanned("ended", "hold");
        var held = push("ended/kit", "1.0.0");
        var question = question();
        var early = app().post(
                        bundle("ended/kit") + "/versions/1.0.0:approve",
                        owner,
                        "{\"digest\": \"%s\", \"round\": 1}".formatted(held.digest()))
                .as(ReviewRecord.class);

        send(
                question.of("scanId"),
                question.of("token"),
                answer(question, "block", ", \"findings\": [{\"rule\": \"bad\"}]"));

        assertThat(early.state()).isEqualTo("held");
        assertThat(early.warnings()).containsExactly("it waits for the scanner strict");
        var review = review("ended/kit", "1.0.0");
        assertThat(review.state()).isEqualTo("rejected");
        assertThat(review.findings()).extracting(ScanFinding::rule).containsExactly("bad");
    }

    @Test
    void aScannerThatDoesNotAnswerHoldsOrPasses() throws Exception {
        verdict = question -> "";
        scanned("silent-hold", "hold");
        scanned("silent-pass", "pass");
        push("silent-hold/kit", "1.0.0");
        push("silent-pass/kit", "1.0.0");
        question();
        question();
        app().database().write(tx -> tx.change("UPDATE review_scan SET due_at = 0 WHERE state = 'waiting'"));
        app().database()
                .write(tx -> tx.change(
                        "UPDATE review_scan SET token_hash = NULL, token_until = NULL WHERE state = 'waiting'"));

        var held = settled("silent-hold/kit", "1.0.0");
        var passed = settled("silent-pass/kit", "1.0.0");

        assertThat(held.state()).isEqualTo("held");
        assertThat(held.approvals()).isEqualTo(1);
        assertThat(held.findings()).extracting(ScanFinding::rule).containsExactly("no-answer");
        assertThat(passed.state()).isEqualTo("published");
    }

    @Test
    void takingAScannerAwayWaitsAndOtherMembersKeepIt() {
        scanned("kept", "hold");
        String place = "/v1/namespaces/kept/policy";

        var more = app().send("PUT", place, app().admin(), "{\"scan\": {\"block\": \"high\"}}")
                .as(PolicyRecord.class);
        var less = app().send("PUT", place, app().admin(), "{\"scan\": {\"block\": \"high\", \"scanners\": []}}")
                .as(PolicyRecord.class);

        assertThat(requireNonNull(more.scan()).scanners())
                .singleElement()
                .satisfies(one -> assertThat(one.secret()).isNull());
        assertThat(more.pending()).isNull();
        assertThat(requireNonNull(less.scan()).scanners()).hasSize(1);
        assertThat(requireNonNull(requireNonNull(less.pending()).scan()).scanners())
                .isEmpty();
        app().send(
                        "PUT",
                        place,
                        app().admin(),
                        "{\"scan\": {\"scanners\": [{\"name\": \"A b\", \"url\": \"ftp://x\"}]}}")
                .assertRefused("422 validation-failed");
    }

    private ReviewRecord approve(String token, HeldVersion held, String more) {
        var reply = app().post(
                        bundle(held.namespace() + "/" + held.bundle()) + "/versions/" + held.version() + ":approve",
                        token,
                        "{\"digest\": \"%s\", \"round\": 1%s}".formatted(held.digest(), more));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.as(ReviewRecord.class);
    }

    private void ruled(String namespace, String auto) {
        var set = app().send(
                        "PUT",
                        "/v1/namespaces/" + namespace + "/policy",
                        app().admin(),
                        "{\"review\": {\"auto\": " + auto + "}}");
        assertThat(set.status()).as(set.text()).isEqualTo(200);
    }

    /// A rule stands for people alone, and is judged again when the scanner has answered.
    @Test
    void aRuleWaitsForTheScannerToo() throws Exception {
        verdict = question -> answer(question, "allow", "");
        for (String namespace : List.of("rulescan", "rulegone")) {
            scanned(namespace, "hold");
            ruled(namespace, "[{}]");
            var first = push(namespace + "/kit", "1.0.0");
            settled(namespace + "/kit", "1.0.0");
            approve(owner, first, "");
        }

        push("rulescan/kit", "1.1.0");
        var allowed = settled("rulescan/kit", "1.1.0");
        verdict = question -> "";
        questions.clear();
        push("rulegone/kit", "1.1.0");
        var question = question();
        var waits = review("rulegone/kit", "1.1.0");
        ruled("rulegone", "[]");
        send(question.of("scanId"), question.of("token"), answer(question, "allow", ""));
        var held = settled("rulegone/kit", "1.1.0");

        assertThat(allowed.state()).isEqualTo("published");
        assertThat(allowed.decisions())
                .extracting(ReviewRecord.Decision::decision)
                .containsExactly("rule:1");
        assertThat(waits.approvals()).isZero();
        assertThat(held.state()).isEqualTo("held");
        assertThat(held.approvals()).isEqualTo(1);
    }

    /// An override stands for people alone: what the scanner then says still counts.
    @Test
    void anOverrideWaitsForTheScanner() throws Exception {
        verdict = question -> "";
        scanned("overscan", "hold");
        ruled("overscan", "[]");
        String breaker = app().person("breaker@scanners.test", "default", "owner");
        var authenticator = new Authenticator(app().post(TotpScenario.TOTP, breaker, TotpScenario.BODY)
                .as(TotpEnrolment.class)
                .secret());
        var codes = app().post(
                        TotpScenario.TOTP + ":confirm",
                        breaker,
                        "{\"code\": \"" + authenticator.code(instant()) + "\"}")
                .as(RecoveryCodes.class)
                .recoveryCodes();
        var allowed = push("overscan/kit", "1.0.0");
        var ofAllowed = question();
        var blocked = push("overscan/kit", "1.1.0");
        var ofBlocked = question();
        String override = ", \"override\": true, \"reason\": \"It burns\", \"code\": \"%s\"";

        var waits = approve(breaker, allowed, override.formatted(codes.get(0)));
        approve(breaker, blocked, override.formatted(codes.get(1)));
        send(ofAllowed.of("scanId"), ofAllowed.of("token"), answer(ofAllowed, "review", ""));
        send(ofBlocked.of("scanId"), ofBlocked.of("token"), answer(ofBlocked, "block", ""));

        assertThat(waits.state()).isEqualTo("held");
        assertThat(waits.warnings()).containsExactly("it waits for the scanner strict");
        assertThat(review("overscan/kit", "1.0.0").state()).isEqualTo("published");
        assertThat(review("overscan/kit", "1.1.0").state()).isEqualTo("rejected");
    }
}
