package dev.sheaf.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.model.wire.webhook.Delivery;
import dev.sheaf.model.wire.webhook.Webhook;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.browser.Chromium;
import dev.sheaf.server.testing.browser.Window;
import dev.sheaf.server.webhook.Receiver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// Pages that refresh themselves leave what the reader does as it is.
@EnabledIf(value = "dev.sheaf.server.testing.browser.Chromium#isThere", disabledReason = Chromium.MISSING)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("programs")
class LivePagesTest {
    private static final String ORG = "/organizations/default";
    private static final String API = "/v1" + ORG;
    private static final double PATIENCE = 30_000; // ms
    private static final int A_REFRESH = 6_000; // ms

    private TestApp app;
    private Window window;

    @BeforeAll
    void start(@TempDir Path folder) {
        app = TestApp.start(folder, Map.of("webhook-http", "true", "webhook-private-addresses", "true"));
        app.push("acme/first", "1.0.0", "public", "x");
        app.person("live@acme.test", "default", "owner");
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE);
    }

    @BeforeEach
    void open() {
        if (window != null) {
            window.close();
        }
        window = new Window();
        window.signIn(app.url(), "live@acme.test", TestApp.PASSWORD);
        window.page().mouse().move(1, 1);
    }

    @AfterAll
    void stop() {
        window.close();
        app.close();
    }

    private void queue(String slug) {
        app.post(API + "/queues", app.admin(), """
                {"name": "%s", "slug": "%s", "maxAttempts": 1}""".formatted(slug, slug)).as(Queue.class);
    }

    private String job(String slug) {
        return app.post(API + "/queues/" + slug + "/jobs", app.admin(), "{\"inputData\": {\"a\": 1}}")
                .as(Job.class)
                .id()
                .toString();
    }

    private Locator at(String selector) {
        return window.page().locator(selector);
    }

    private Locator row(String job) {
        return at("#job-" + job);
    }

    @Test
    void newEventsComeByThemselvesWhereNobodyReads() {
        window.open(app.url() + ORG + "/events?subject=acme/alone:*");
        assertThat(at("#feed")).containsText("No events here");

        app.push("acme/alone", "1.0.0", "public", "x");
        assertThat(at("#feed")).containsText("acme/alone:1.0.0");
        app.push("acme/alone", "1.1.0", "public", "x");

        assertThat(at("#feed tbody tr").first()).containsText("acme/alone:1.1.0");
        assertThat(at("[data-live-said]")).hasText(Pattern.compile("[0-9]+ new events?"));
        assertThat(at("[data-live-show]")).isHidden();
    }

    @Test
    void newEventsWaitWhileSomebodyReads() {
        app.push("acme/read", "1.0.0", "public", "x");
        window.open(app.url() + ORG + "/events?subject=acme/read:*&types=version.*");
        assertThat(at("#feed tbody tr")).hasCount(1);
        var summary = at("#feed tbody tr summary").first();
        summary.focus();
        window.page().keyboard().press("Enter");

        app.push("acme/read", "1.1.0", "public", "x");

        assertThat(at("[data-live-show]")).hasText("1 new event – show");
        assertThat(at("[data-live-said]")).hasText("1 new event");
        assertThat(at("#feed tbody tr")).hasCount(1);
        assertThat(summary).isFocused();
        assertThat(at("#feed tbody details[open]")).hasCount(1);

        at("[data-live-show]").focus();
        window.page().keyboard().press("Enter");

        assertThat(at("#feed tbody tr")).hasCount(2);
        assertThat(at("#feed tbody tr").first()).containsText("acme/read:1.1.0");
        assertThat(at("#feed tbody tr").nth(1).locator("details[open]")).hasCount(1);
        assertThat(at("#feed tbody tr").first().locator("summary")).isFocused();
        assertThat(at("[data-live-show]")).isHidden();
    }

    @Test
    void jobsChangeUnderTheEyesOfTheReader() {
        queue("watched");
        String one = job("watched");
        String two = job("watched");
        window.open(app.url() + ORG + "/queues/watched");
        row(two).locator("input").check();
        row(one).locator("a").first().focus();
        assertThat(at("[data-marked]")).hasText("1 marked:");

        app.post(API + "/jobs/" + one + ":cancel", app.admin(), "{}");
        String three = job("watched");

        assertThat(row(one)).containsText("Cancelled");
        assertThat(row(one).locator("a").first()).isFocused();
        assertThat(row(two).locator("input")).isChecked();
        assertThat(at("[data-live-show]")).hasText("1 new job – show");
        assertThat(row(three)).hasCount(0);
        assertThat(at("#counts a").nth(8)).containsText("1");

        at("[data-live-show]").click();

        assertThat(at("tr[id^='job-']").first()).hasAttribute("id", "job-" + three);
        assertThat(row(two).locator("input")).isChecked();
    }

    @Test
    void whatNoLongerMatchesStaysUntilSomebodyLooks() {
        queue("leaving");
        String one = job("leaving");
        String two = job("leaving");
        window.open(app.url() + ORG + "/queues/leaving?status=queued");
        row(two).locator("input").check();

        app.post(API + "/jobs/" + one + ":cancel", app.admin(), "{}");

        assertThat(at("[data-live-show]")).hasText("1 gone – show");
        assertThat(row(one)).hasAttribute("data-gone", "");
        at("[data-live-show]").click();
        assertThat(row(one)).hasCount(0);
        assertThat(row(two)).hasCount(1);
    }

    @Test
    void selectedTextStaysSelected() {
        queue("selected");
        String one = job("selected");
        window.open(app.url() + ORG + "/queues/selected");
        row(one).evaluate("row => getSelection().selectAllChildren(row.querySelector('code').parentElement)");
        String selected = (String) window.page().evaluate("() => getSelection().toString()");

        app.post(API + "/jobs/" + one + ":cancel", app.admin(), "{}");

        assertThat(row(one)).containsText("Cancelled");
        assertThat(window.page().evaluate("() => getSelection().toString()")).isEqualTo(selected);
    }

    @Test
    void nothingIsAskedWhilePausedOrHidden() {
        queue("paused");
        var asked = new AtomicInteger();
        window.page().clock().install();
        window.open(app.url() + ORG + "/queues/paused");
        window.page().onRequest(request -> asked.incrementAndGet());

        at("[data-live-pause]").click();
        window.page().clock().runFor(10 * A_REFRESH);
        assertThat(at("[data-live-word]")).hasText(Pattern.compile("Paused, .*"));
        assertThat(at(".live a")).isVisible();
        assertThat(asked).hasValue(0);

        at("[data-live-pause]").click();
        window.page()
                .waitForResponse("**/queues/paused", () -> window.page().clock().runFor(A_REFRESH));
        assertThat(asked).hasPositiveValue();

        window.page().evaluate("""
                () => {
                  Object.defineProperty(document, "hidden", { value: true, configurable: true });
                  document.dispatchEvent(new Event("visibilitychange"));
                }""");
        int before = asked.get();
        window.page().clock().runFor(10 * A_REFRESH);
        assertThat(asked).hasValue(before);
        window.page().waitForResponse("**/queues/paused", () -> window.page().evaluate("""
                () => {
                  Object.defineProperty(document, "hidden", { value: false });
                  document.dispatchEvent(new Event("visibilitychange"));
                  setTimeout(() => {}, 0);
                }"""));
    }

    /// A session that ended, or a server that does not answer.
    @Test
    void aPageThatIsNotReachedSaysHowOldItIs() {
        queue("lost");
        String one = job("lost");
        window.open(app.url() + ORG + "/queues/lost");
        window.page().context().clearCookies();

        assertThat(at("[data-live-word]")).hasText(Pattern.compile("Not reached, .*"));
        assertThat(row(one)).hasCount(1);
    }

    private void report(String job, String message) {
        app.post("/v1/runner/jobs/" + job + ":progress", app.admin(), """
                {"message": "%s"}""".formatted(message));
    }

    @Test
    void aLogIsFollowedUnlessTheReaderScrolledUpAndUntilTheJobEnds() {
        queue("followed");
        String job = job("followed");
        String queue = app.get(API + "/queues/followed", app.admin())
                .as(Queue.class)
                .id()
                .toString();
        app.post("/v1/runner/jobs:claim", app.admin(), "{\"queueId\": \"" + queue + "\"}");
        report(job, "a line\\n".repeat(60));
        window.open(app.url() + ORG + "/jobs/" + job);
        String atEnd = "e => e.scrollHeight - e.scrollTop - e.clientHeight < 4";
        assertThat(at("#log-lines").evaluate(atEnd)).isEqualTo(true);

        report(job, "the second report");
        assertThat(at("#log-lines")).containsText("the second report");
        assertThat(at("#log-lines").evaluate(atEnd)).isEqualTo(true);

        at("#log-lines").evaluate("e => { e.scrollTop = 0; }");
        app.post("/v1/runner/jobs/" + job + ":complete", app.admin(), "{}");
        assertThat(at("#log-lines")).containsText("completed");
        assertThat(at("#log-lines").evaluate("e => e.scrollTop")).isEqualTo(0);
        assertThat(at("#state")).containsText("Completed");
        assertThat(at("#acts button")).hasCount(0);
    }

    private void claim(String slug) {
        String queue = app.get(API + "/queues/" + slug, app.admin())
                .as(Queue.class)
                .id()
                .toString();
        assertThat(app.post("/v1/runner/jobs:claim", app.admin(), "{\"queueId\": \"" + queue + "\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aJobThatEndsShowsItsResultAndNothingOfBefore() {
        queue("ended");
        String job = job("ended");
        claim("ended");
        app.post("/v1/runner/jobs/" + job + ":fail", app.admin(), """
                {"errorCode": "exit_1", "errorMessage": "broke", "shouldRetry": true}""");
        app.post(API + "/jobs/" + job + ":retry", app.admin(), "{}");
        window.open(app.url() + ORG + "/jobs/" + job);
        assertThat(at("#failure")).containsText("Why an earlier attempt failed");
        at("#cancel button").focus();

        claim("ended");
        assertThat(at("#state")).hasText("Claimed");
        assertThat(at("#cancel button")).isFocused();
        app.post("/v1/runner/jobs/" + job + ":complete", app.admin(), "{\"outputData\": {\"made\": 7}}");

        assertThat(at("#state")).hasText("Completed");
        assertThat(at("#text-output")).containsText("\"made\"");
        assertThat(at("#failure")).hasCount(0);
        assertThat(at("#facts")).containsText("Ended");
        assertThat(at("#acts button")).hasCount(0);
        assertThat(at("#acts")).isFocused();
        assertThat(at("[data-live-word]")).hasText(Pattern.compile("Updates ended, .*"));
        assertThat(at("[data-live-pause]")).isHidden();
    }

    @Test
    void theNumbersOfAQueueFollowItsJobs() {
        queue("hourly");
        window.open(app.url() + ORG + "/queues/hourly");
        assertThat(at("#hour")).containsText("0 came in");

        job("hourly");

        assertThat(at("#hour")).containsText("1 came in");
        assertThat(at("#counts a").nth(1)).containsText("1");
        assertThat(at("#bulk-all")).containsText("Cancel all 1");
    }

    @Test
    void aNoticeGoesWhenTheStateIsAnother() {
        queue("noticed");
        String job = job("noticed");
        app.post(API + "/jobs/" + job + ":cancel", app.admin(), "{}");
        window.open(app.url() + ORG + "/jobs/" + job);
        at("#retry button").click();
        assertThat(at("#notices")).containsText("is tried again.");

        claim("noticed");

        assertThat(at("#state")).hasText("Claimed");
        assertThat(at("#notices")).hasCount(0);
    }

    @Test
    void aWholePageWaitsForSelectedTextThatWouldChange() {
        queue("held");
        String job = job("held");
        window.open(app.url() + ORG + "/jobs/" + job);
        at("#state").evaluate("state => getSelection().selectAllChildren(state)");

        app.post(API + "/jobs/" + job + ":cancel", app.admin(), "{}");

        assertThat(at("[data-live-word]")).hasText(Pattern.compile("Waits while text is selected, .*"));
        assertThat(at("#state")).hasText("Queued");
        assertThat(at("#log-lines")).not().containsText("cancelled");
        assertThat(at("#cancel button")).hasCount(1);

        window.page().evaluate("() => getSelection().removeAllRanges()");

        assertThat(at("#state")).hasText("Cancelled");
        assertThat(at("#log-lines")).containsText("cancelled");
    }

    @Test
    void aLogThatGrowsKeepsWhatIsSelectedInIt() {
        queue("growing");
        String job = job("growing");
        claim("growing");
        window.open(app.url() + ORG + "/jobs/" + job);
        at("#log-lines").evaluate("log => getSelection().setBaseAndExtent(log.firstChild, 0, log.firstChild, 20)");
        String selected = (String) window.page().evaluate("() => getSelection().toString()");

        report(job, "one more line");

        assertThat(at("#log-lines")).containsText("one more line");
        assertThat(window.page().evaluate("() => getSelection().toString()")).isEqualTo(selected);
    }

    @Test
    void aDeliveryThatIsSentAgainShowsWhatCameOfIt() throws Exception {
        var answers = new CountDownLatch(1);
        try (var receiver = new Receiver()) {
            receiver.next(exchange -> Receiver.respond(exchange, 500, "no"));
            receiver.next(exchange -> {
                await(answers);
                Receiver.respond(exchange, 200, "yes");
            });
            String webhook = app.post(API + "/webhooks", app.admin(), """
                            {"url": "%s", "eventTypes": ["tag.moved"]}""".formatted(receiver.url()))
                    .as(Webhook.class)
                    .id()
                    .toString();
            String delivery = app.post(API + "/webhooks/" + webhook + ":test", app.admin(), "{}")
                    .as(Delivery.class)
                    .id()
                    .toString();
            String path = "/webhooks/" + webhook + "/deliveries/" + delivery;
            Eventually.within(
                    Duration.ofSeconds(30),
                    () -> app.get(API + path, app.admin()).as(Delivery.class).attemptCount() == 1);
            window.open(app.url() + ORG + path);
            assertThat(at("#state")).hasText("Failed");
            at("form[action$=redeliver] button").click();
            assertThat(at("#state")).hasText("Pending");
            assertThat(at("#notices")).containsText("It is sent again.");
            assertThat(at("#facts")).containsText("Next try");

            answers.countDown();

            assertThat(at("#state")).hasText("Delivered");
            assertThat(at("#attempts")).containsText("2 attempts");
            assertThat(at("#exchange")).containsText("HTTP 200");
            assertThat(at("#facts")).not().containsText("Next try");
            assertThat(at("#notices")).hasCount(0);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void allRowsAreMarkedAndCancelledTogether() {
        queue("together");
        String one = job("together");
        String two = job("together");
        window.open(app.url() + ORG + "/queues/together");

        at("[data-mark-all]").check();
        assertThat(at("[data-marked]")).hasText("2 marked:");
        at("button[formaction]").click();

        assertThat(at("[role=status] .note").first()).containsText("2 jobs are cancelled.");
        assertThat(row(one)).containsText("Cancelled");
        assertThat(row(two)).containsText("Cancelled");
    }
}
