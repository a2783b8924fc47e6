package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.client.testing.TinyRegistry;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The registry complains about members of JSON and about names that do not exist; people read what they typed.
class TypedNamesTest extends CommandLineFixture {
    @BeforeEach
    void key() {
        environment.put("SHEAF_API_KEY", "shf_key");
    }

    private void refuse(String path, String pointer, String detail) {
        answer(path, 422, """
                {"type": "about:blank", "title": "t", "status": 422, "code": "validation-failed",
                 "detail": "%1$s: %2$s", "errors": [{"pointer": "%1$s", "code": "x", "detail": "%2$s"}]}""".formatted(pointer, detail));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            queue create x --timeout 0s         | /timeoutSeconds     | --timeout 0s
            queue create x --keep 0d            | /retentionDays      | --keep 0d
            queue create x --env JOB_A=b        | /executionDefaults/environment/JOB_A | --env JOB_A=b
            queue create Checks                 | /slug               | SLUG Checks
            queue edit x --name y               | /name               | --name y
            queue habitat add Lab               | /slug               | HABITAT Lab
            queue schedule add x y 61           | /cron               | CRON 61
            queue schedule add x y 61 --zone Z  | /timeZone           | --zone Z
            jobs add x 1 --type review          | /jobType            | --type review
            jobs add x 1 --dedupe k             | /dedupeKey          | --dedupe k
            jobs add x 1                        | /inputData          | INPUT 1
            webhooks create ftp://x --type a    | /url                | URL ftp://x
            webhooks create ftp://x --type a --type b | /eventTypes/1 | --type b
            keys create ci --namespace A        | /restrictions/namespaces/0 | --namespace A
            keys create ci --expires-in 1d      | /expiresIn          | --expires-in 1d
            publishers add --github a --bundle a/b | /repository      | --github a
            org create Acme                     | /handle             | HANDLE Acme
            """)
    void anErrorNamesTheParameterWithItsValue(String command, String pointer, String place) {
        refuse("/v1/", pointer, "is wrong");

        var ran = run(command.split(" "));

        assertThat(ran.status()).as(ran.err()).isEqualTo(ExitCode.USAGE.status());
        assertThat(ran.err()).startsWith("sheaf: " + place + ": is wrong\n");
    }

    @Test
    void limitsOfPeriodsHaveUnits() {
        refuse("/v1/", "/timeoutSeconds", "must be a whole number from 1 to 604800");

        assertThat(run("queue", "create", "x", "--timeout", "0s").err())
                .startsWith("sheaf: --timeout 0s: must be a period from 1 second to 7 days\n");
    }

    /// `--url` is the registry that is asked, not the address that a webhook sends to.
    @Test
    void theOptionsOfTheConnectionAreNeverNamed() {
        refuse("/v1/", "/url", "must begin with https://");

        assertThat(run("webhooks", "create", "ftp://x", "--url", registry.url().toString())
                        .err())
                .startsWith("sheaf: URL ftp://x: must begin with https://\n");
    }

    @Test
    void severalErrorsNameTheirParameters() {
        answer("/v1/", 422, """
                {"type": "about:blank", "title": "t", "status": 422, "code": "validation-failed", "detail": "d",
                 "errors": [{"pointer": "/slug", "code": "x", "detail": "\\"slug\\" must be shorter"},
                            {"pointer": "/other/0", "code": "x", "detail": "is wrong"}]}""");

        assertThat(run("queue", "create", "x").err())
                .contains("  - SLUG x: must be shorter\n  - \"/other/0\": is wrong\n");
    }

    @Test
    void aMisspeltQueueIsSuggested() {
        String list = "{\"data\": [" + queue() + "], \"meta\": {\"hasMore\": false}}";
        String missing = "{\"status\": 404, \"code\": \"not-found\", \"detail\": \"it does not exist\"}";
        registry.replace("/queues", exchange -> {
            boolean all = exchange.getRequestURI().getPath().endsWith("/queues");
            TinyRegistry.send(exchange, all ? 200 : 404, (all ? list : missing).getBytes(StandardCharsets.UTF_8));
        });

        assertThat(run("queue", "show", "chekcs").err()).contains("\n  did you mean checks?\n");
        assertThat(run("queue", "show", "nosuch").err()).contains("\n  see which queues there are: sheaf queue list\n");
        assertThat(run("queue", "show", "checks").err()).doesNotContain("did you mean", "see which");
    }

    private static String queue() {
        return """
                {"id": "01900000-0000-7000-8000-0000000000ab", "organizationId": "01900000-0000-7000-8000-000000000001",
                 "habitatId": "01900000-0000-7000-8000-0000000000ac", "slug": "checks", "name": "checks",
                 "status": "active", "events": [], "counts": {}, "createdAt": "2026-01-02T03:04:05Z"}""";
    }

    @Test
    void aScheduleThatWasDisabledSaysWhy() {
        answer("/schedules", 200, """
                {"data": [{"id": "01900000-0000-7000-8000-0000000000ab", "queueId": "01900000-0000-7000-8000-0000000000ac",
                 "name": "nightly", "cron": "30 2 * * *", "timeZone": "UTC", "enabled": false,
                 "disabledReason": "author-gone", "createdAt": "2026-01-02T03:04:05Z", "createdBy": "key:1"}],
                 "meta": {"hasMore": false}}""");

        assertThat(run("queue", "schedule", "list", "checks").out()).contains("disabled: author-gone");
    }

    @Test
    void aPipeGetsTheWholeInputAndOutputOfAJob() {
        String text = "x".repeat(2_000);
        answer("/queues/", 404, "{\"status\": 404, \"code\": \"not-found\", \"detail\": \"d\"}");
        answer("/jobs/", 200, """
                {"id": "01900000-0000-7000-8000-0000000000ab", "queueId": "01900000-0000-7000-8000-0000000000ac",
                 "status": "failed", "jobType": "default", "priority": "normal", "inputData": "%1$s", "outputData": "%1$s",
                 "errorCode": "e", "errorMessage": "first\\nlast", "attemptNumber": 1, "maxAttempts": 1,
                 "createdAt": "2026-01-02T03:04:05Z", "updatedAt": "2026-01-02T03:04:05Z"}""".formatted(text));
        String[] show = {"jobs", "show", "01900000-0000-7000-8000-0000000000ab"};

        assertThat(run(show).out().split(text, -1)).hasSize(3);
        terminal = true;
        assertThat(run(show).out()).doesNotContain(text).contains("…");
    }
}
