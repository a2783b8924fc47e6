package dev.sheaf.server.secrets;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.webhook.Receiver;
import java.util.List;

/// The part of [SecretsScenario] with scanners: what questions are signed with, and what they are answered with.
final class SecretsOfScanners {
    private static final String POLICY = "/v1/namespaces/scanned-secrets/policy";

    private final Requests requests;
    private final String admin;
    private final List<String> answers;

    SecretsOfScanners(Requests requests, String admin, List<String> answers) {
        this.requests = requests;
        this.admin = admin;
        this.answers = answers;
    }

    record Both(String secret, String token) {}

    Both run() {
        try (var receiver = new Receiver()) {
            requests.post("/v1/organizations/default/namespaces", admin, "{\"handle\": \"scanned-secrets\"}");
            var set = requests.send("PUT", POLICY, admin, """
                    {"review": {"notBy": "nobody"},
                     "scan": {"scanners": [{"name": "strict", "url": "%s"}]}}""".formatted(receiver.url()));
            assertThat(set.status()).as(set.text()).isEqualTo(200);
            String secret =
                    requireNonNull(requireNonNull(set.as(PolicyRecord.class).scan())
                            .scanners()
                            .getFirst()
                            .secret());
            receiver.next(202);
            var held = requests.post("/v1/namespaces/scanned-secrets/bundles/kit:push", admin, """
                    {"name": "Kit", "visibility": "public", "version": "1.0.0",
                     "manifest": [{"logicalPath": "a.md", "contentText": "words"}]}""");
            assertThat(held.status()).as(held.text()).isEqualTo(202);
            var question = receiver.await(1).getFirst().json();
            String token = question.get("token").stringValue();
            String scan = "/v1/scans/" + question.get("scanId").stringValue();
            String answer = "{\"digest\": \"" + question.get("digest").stringValue() + "\", \"verdict\": \"%s\"}";
            answers.add(requests.post(scan, token, answer.formatted("perhaps")).text());
            answers.add(requests.post(scan, token, answer.formatted("review")).text());
            answers.add(requests.post(scan, token, answer.formatted("allow")).text());
            answers.add(requests.get(POLICY, admin).text());
            return new Both(secret, token);
        }
    }
}
