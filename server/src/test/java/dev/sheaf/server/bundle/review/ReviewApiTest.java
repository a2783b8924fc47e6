package dev.sheaf.server.bundle.review;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.SignedIn;
import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.model.wire.bundle.RequiredBundle;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.ReviewRecord;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionApproval;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.event.Numbered;
import dev.sheaf.server.testing.AssetScenario;
import dev.sheaf.server.testing.OAuthScenario;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Pushes that need approval, over HTTP.
class ReviewApiTest extends AssetScenario {
    private String owner = "";
    private String reviewer = "";
    private String publisher = "";

    @Override
    public void prepare() {
        owner = app().person("owner@review.test", "default", "owner");
        reviewer = app().person("reviewer@review.test", "default", "admin");
        publisher = app().person("publisher@review.test", "default", "publisher");
    }

    private Reply policy(String place, String review) {
        return app().send("PUT", place + "/policy", app().admin(), "{\"review\": " + review + "}");
    }

    private void reviewed(String namespace) {
        app().post("/v1/organizations/default/namespaces", app().admin(), "{\"handle\": \"" + namespace + "\"}");
        var set = policy("/v1/namespaces/" + namespace, "{}");
        assertThat(set.status()).as(set.text()).isEqualTo(200);
    }

    private Reply push(String key, String repository, String version, String text) {
        return app().post(bundle(repository) + ":push", key, """
                {"name": "Kit", "visibility": "public", "version": "%s", "message": "why %s", "tags": ["stable"],
                 "manifest": [{"logicalPath": "SKILL.md", "contentText": "%s"}]}""".formatted(version, version, text));
    }

    private HeldVersion held(String key, String repository, String version, String text) {
        var reply = push(key, repository, version, text);
        assertThat(reply.status()).as(reply.text()).isEqualTo(202);
        return reply.as(HeldVersion.class);
    }

    private Reply decide(String verb, String key, HeldVersion held, String more) {
        return app().post(
                        bundle(held.namespace() + "/" + held.bundle()) + "/versions/" + held.version() + ":" + verb,
                        key,
                        "{\"digest\": \"%s\", \"round\": %d%s}"
                                .formatted(held.digest(), held.review().round(), more));
    }

    private ReviewRecord review(String key, String repository, String version) {
        var reply = app().get(bundle(repository) + "/versions/" + version + "/review", key);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.as(ReviewRecord.class);
    }

    /// It keeps what it requires, and the rule is applied again by the last approval.
    @Test
    void aHeldPushKeepsWhatItRequires() {
        app().push("lib/base", "1.0.0", "public", "base");
        reviewed("needs");
        var reply = app().post(bundle("needs/kit") + ":push", publisher, """
                {"name": "Kit", "visibility": "public", "version": "1.0.0",
                 "requires": [{"bundle": "lib/base", "range": "^1", "optional": true}],
                 "manifest": [{"logicalPath": "SKILL.md", "contentText": "x"}]}""");
        assertThat(reply.status()).as(reply.text()).isEqualTo(202);
        var held = reply.as(HeldVersion.class);
        var expected = List.of(new RequiredBundle("lib/base", "^1", true));
        assertThat(review(reviewer, "needs/kit", "1.0.0").requires()).isEqualTo(expected);
        assertThat(app().get(bundle("lib/base") + "/dependents", app().admin()).text())
                .doesNotContain("needs/kit", "\"kit\"");

        app().post(bundle("lib/base") + "/versions/1.0.0:yank", app().admin(), "{}");
        decide("approve", reviewer, held, "").assertRefused("422 requirement-not-readable");
        assertThat(review(reviewer, "needs/kit", "1.0.0").state()).isEqualTo("held");
        app().post(bundle("lib/base") + "/versions/1.0.0:unyank", app().admin(), "{}");
        decide("approve", reviewer, held, "");

        assertThat(app().get(bundle("needs/kit") + "/versions/1.0.0", null)
                        .as(VersionDetail.class)
                        .requires())
                .isEqualTo(expected);
    }

    @Test
    void aPushWaitsUntilSomebodyElseApprovesIt() {
        reviewed("waits");

        var held = held(publisher, "waits/kit", "1.0.0", "first words");

        assertThat(held.detail()).contains("held for review", held.review().url());
        app().get(bundle("waits/kit"), app().admin()).assertRefused("404 bundle-not-found");
        app().get(bundle("waits/kit") + ":resolve?version=1.0.0", publisher).assertRefused("404 bundle-not-found");
        assertThat(review(publisher, "waits/kit", "1.0.0").message()).isEqualTo("why 1.0.0");
        assertThat(app().get("/v1/organizations/default/reviews?state=held", reviewer)
                        .text())
                .contains(held.review().id().toString());

        decide("approve", app().admin(), held, "").assertRefused("403 review-needs-person");
        decide("approve", publisher, held, "").assertRefused("403 forbidden");
        var approved =
                decide("approve", reviewer, held, ", \"reason\": \"fine\"").as(ReviewRecord.class);

        assertThat(approved.state()).isEqualTo("published");
        assertThat(approved.decisions()).singleElement().satisfies(one -> {
            assertThat(one.decision()).isEqualTo("approved");
            assertThat(one.reason()).isEqualTo("fine");
        });
        var version = app().get(bundle("waits/kit") + "/versions/1.0.0", app().admin())
                .as(VersionDetail.class);
        assertThat(version.ociDigest()).isEqualTo(held.digest());
        assertThat(version.message()).isEqualTo("why 1.0.0");
        assertThat(requireNonNull(version.publishedBy()))
                .startsWith("user:")
                .isEqualTo(review(owner, "waits/kit", "1.0.0").pushedBy());
        assertThat(version.heldAt())
                .isEqualTo(review(owner, "waits/kit", "1.0.0").pushedAt());
        var decision = approved.decisions().getFirst();
        assertThat(requireNonNull(version.approvedBy()))
                .containsExactly(new VersionApproval(decision.by(), decision.name(), decision.at()));
        assertThat(decision.name()).isNotBlank();
        var summary = app().get(bundle("waits/kit") + "/versions", app().admin())
                .list(VersionSummary.class)
                .getFirst();
        assertThat(summary.approvedBy()).isEqualTo(version.approvedBy());
        assertThat(requireNonNull(app().get(bundle("waits/kit") + "/versions/1.0.0", null)
                        .as(VersionDetail.class)
                        .approvedBy()))
                .as("people are not named to outsiders")
                .containsExactly(new VersionApproval("waits", null, decision.at()));
        assertThat(app().get(bundle("waits/kit") + ":resolve", null)
                        .as(Resolution.class)
                        .version())
                .isEqualTo("1.0.0");
        assertThat(app().get(bundle("waits/kit") + "/tags/stable", null)
                        .as(TagStatus.class)
                        .version())
                .isEqualTo("1.0.0");
        decide("approve", reviewer, held, "").assertRefused("409 conflict");
    }

    /// Decisions are about what was seen: the same files again come with other texts and tags.
    @Test
    void aPushAgainAfterAWithdrawalIsAnotherRound() {
        reviewed("again");
        var first = held(publisher, "again/kit", "1.0.0", "words");
        app().post(bundle("again/kit") + "/versions/1.0.0:withdraw", publisher, "{}");
        var second = held(publisher, "again/kit", "1.0.0", "words");

        assertThat(second.digest()).isEqualTo(first.digest());
        assertThat(second.review().round()).isEqualTo(2);
        decide("approve", owner, first, "").assertRefused("409 conflict");
    }

    /// What is pushed with a subject is no way around: neither as a version, nor as an index or a copy of what is held.
    @Test
    void aSubjectOpensNothingThatIsHeld() {
        reviewed("subjects");
        var open = held(publisher, "subjects/kit", "1.0.0", "open words");
        decide("approve", owner, open, "");
        var held = held(publisher, "subjects/kit", "2.0.0", "held words");
        String manifests = "/v2/subjects/kit/manifests/";
        String type = "application/vnd.oci.image.manifest.v1+json";
        var openBytes = app().get(manifests + open.digest(), publisher).text();
        String subject = "\"subject\":{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}"
                .formatted(type, open.digest(), openBytes.length());
        var heldBytes = app().get(manifests + held.digest(), publisher).text();
        String copy = heldBytes.replaceFirst("}$", "," + subject + "}");
        String index = """
                {"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[
                 {"mediaType":"%s","digest":"%s","size":%d}],%s}""".formatted(type, held.digest(), heldBytes.length(), subject);

        for (String bytes : List.of(copy, index, copy.replace("vnd.sheaf.bundle.v1", "vnd.example.sbom"))) {
            String digest = dev.sheaf.model.Digest.sha256(bytes.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                    .toString();
            assertThat(putManifest(manifests + digest, bytes).status()).isEqualTo(201);
            assertThat(app().get(manifests + digest, null).status()).as(bytes).isEqualTo(404);
        }
        assertThat(putManifest(manifests + "7.0.0", copy).status()).isEqualTo(201);
        assertThat(putManifest(manifests + "stable", openBytes).status()).isEqualTo(201);

        assertThat(app().get(manifests + "7.0.0", null).status()).isEqualTo(404);
        assertThat(app().get(manifests + held.digest(), null).status()).isEqualTo(404);
        assertThat(app().get("/v2/subjects/kit/blobs/" + layer("held words"), null)
                        .status())
                .isEqualTo(404);
        assertThat(app().get("/v2/subjects/kit/referrers/" + open.digest(), null)
                        .json()
                        .get("manifests"))
                .isEmpty();
    }

    private Reply putManifest(String path, String manifest) {
        String type = manifest.contains("image.index") ? "index" : "manifest";
        return app().send(app().request("PUT", path, publisher, manifest)
                .setHeader("Content-Type", "application/vnd.oci.image." + type + ".v1+json"));
    }

    /// A stolen admin key could add one otherwise.
    @Test
    void whomAKeyHasJustAddedDoesNotDecide() {
        reviewed("accomplice");
        var held = held(app().key("stolen", "admin"), "accomplice/kit", "1.0.0", "words");
        String invitation = app().post("/v1/organizations/default/invitations", app().admin(), """
                {"email": "accomplice@review.test", "role": "owner"}""")
                .json()
                .path("token")
                .asString("");
        if (invitation.isEmpty()) { // only owners invite owners, where there is one
            invitation = app().post("/v1/organizations/default/invitations", app().admin(), """
                    {"email": "accomplice@review.test", "role": "admin"}""")
                    .json()
                    .get("token")
                    .stringValue();
        }
        assertThat(app().post("/v1/invitations:accept", null, """
                {"token": "%s", "password": "%s"}""".formatted(invitation, TestApp.PASSWORD))
                        .status())
                .isEqualTo(200);
        String accomplice = app().signIn("accomplice@review.test", TestApp.PASSWORD)
                .as(SignedIn.class)
                .accessToken();

        var refused = decide("approve", accomplice, held, "");

        refused.assertRefused("403 forbidden");
        assertThat(refused.problem().detail()).contains("an API key gave you your role less than a day ago");
        String second = app().post("/v1/organizations/default/invitations", accomplice, """
                {"email": "hop@review.test", "role": "admin"}""")
                .json()
                .get("token")
                .stringValue();
        app().post("/v1/invitations:accept", null, """
                {"token": "%s", "password": "%s"}""".formatted(second, TestApp.PASSWORD));
        var hop = decide(
                "approve",
                app().signIn("hop@review.test", TestApp.PASSWORD)
                        .as(SignedIn.class)
                        .accessToken(),
                held,
                "");
        hop.assertRefused("403 forbidden");
        assertThat(hop.problem().detail()).as("it hands this on").contains("less than a day ago");
        app().settle("accomplice@review.test");
        assertThat(decide("approve", accomplice, held, "")
                        .as(ReviewRecord.class)
                        .state())
                .isEqualTo("published");
    }

    @Test
    void aTokenThatWasExchangedIsNoPerson() {
        reviewed("exchanged");
        var held = held(publisher, "exchanged/kit", "1.0.0", "words");
        String token = OAuthScenario.exchange(app(), reviewer, "scope", "write")
                .json()
                .get("access_token")
                .stringValue();

        decide("approve", token, held, "").assertRefused("403 review-needs-person");
        decide("reject", token, held, ", \"reason\": \"no\"").assertRefused("403 review-needs-person");
    }

    @Test
    void nobodyApprovesWhatTheirKeyPushed() {
        reviewed("chain");
        String key = requireNonNull(app().post("/v1/organizations/default/api-keys", reviewer, """
                {"name": "of a reviewer", "scopes": ["write"]}""")
                .as(ApiKey.class)
                .key());
        var held = held(key, "chain/kit", "1.0.0", "words");

        decide("approve", reviewer, held, "").assertRefused("403 forbidden");
        assertThat(decide("approve", owner, held, "").as(ReviewRecord.class).state())
                .isEqualTo("published");
    }

    @Test
    void otherContentBeginsANewRoundAndVoidsEarlierDecisions() {
        reviewed("rounds");
        policy("/v1/namespaces/rounds", "{\"approvals\": 2}");
        app().person("third@review.test", "default", "owner");
        var first = held(publisher, "rounds/kit", "1.0.0", "one");
        assertThat(decide("approve", reviewer, first, "").as(ReviewRecord.class).state())
                .isEqualTo("held");
        assertThat(decide("approve", reviewer, first, "").as(ReviewRecord.class).decisions())
                .hasSize(1);

        assertThat(held(publisher, "rounds/kit", "1.0.0", "one").review().round())
                .isEqualTo(1);
        push(app().key("another", "write"), "rounds/kit", "1.0.0", "two").assertRefused("409 held");
        var second = held(publisher, "rounds/kit", "1.0.0", "two");

        assertThat(second.review().round()).isEqualTo(2);
        decide("approve", owner, first, "").assertRefused("409 conflict");
        assertThat(decide("approve", owner, second, "").as(ReviewRecord.class).state())
                .isEqualTo("held");
        assertThat(decide("approve", reviewer, second, "")
                        .as(ReviewRecord.class)
                        .state())
                .isEqualTo("published");
        assertThat(app().get(bundle("rounds/kit") + "/assets/SKILL.md?version=1.0.0", null)
                        .text())
                .contains("two");
    }

    @Test
    void aRejectedNumberIsFreeAgain() {
        reviewed("reject");
        var held = held(publisher, "reject/kit", "1.0.0", "bad");

        decide("reject", owner, held, "").assertRefused("422 validation-failed");
        var rejected =
                decide("reject", owner, held, ", \"reason\": \"sends keys\"").as(ReviewRecord.class);
        assertThat(rejected.state()).isEqualTo("rejected");
        assertThat(rejected.decisions())
                .singleElement()
                .satisfies(one -> assertThat(one.reason()).isEqualTo("sends keys"));

        var again = held(publisher, "reject/kit", "1.0.0", "good");
        assertThat(again.review().id()).isNotEqualTo(held.review().id());
        assertThat(app().post(bundle("reject/kit") + "/versions/1.0.0:withdraw", app().key("stranger", "write"), "{}")
                        .status())
                .isEqualTo(403);
        assertThat(app().post(bundle("reject/kit") + "/versions/1.0.0:withdraw", publisher, "{}")
                        .as(ReviewRecord.class)
                        .state())
                .isEqualTo("withdrawn");
        assertThat(app().get("/v1/reviews?mine=true", publisher).list(ReviewRecord.class))
                .extracting(ReviewRecord::state)
                .contains("rejected", "withdrawn");
    }

    @Test
    void readersOfTheRegistryDoNotGetHeldBytesAndWritersDo() {
        reviewed("bytes");
        var old = held(publisher, "bytes/kit", "1.0.0", "shared words");
        decide("approve", owner, old, "");
        var held = held(publisher, "bytes/kit", "1.1.0", "secret words");
        String reader = app().key("bytes-reader", "read");
        String manifest = "/v2/bytes/kit/manifests/";
        String blob = "/v2/bytes/kit/blobs/" + layer("secret words");

        for (String key : new String[] {null, reader}) {
            assertThat(app().get(manifest + held.digest(), key).status()).isEqualTo(404);
            assertThat(app().get(manifest + "1.1.0", key).status()).isEqualTo(404);
            assertThat(app().get(blob, key).status()).isEqualTo(404);
            assertThat(app().get("/v2/bytes/kit/blobs/" + layer("shared words"), key)
                            .text())
                    .isEqualTo("shared words");
        }
        for (String reference : List.of("1.1.0", held.digest())) {
            var read = app().get(manifest + reference, publisher);
            assertThat(read.status()).as(reference).isEqualTo(200);
            assertThat(read.header("Cache-Control")).isEqualTo("private, no-store");
        }
        assertThat(app().get(blob, publisher).text()).isEqualTo("secret words");
        decide("approve", owner, held, "");
        assertThat(app().get(manifest + "1.1.0", null).status()).isEqualTo(200);
        assertThat(app().get(blob, null).text()).isEqualTo("secret words");
    }

    private static String layer(String text) {
        return dev.sheaf.model.Digest.sha256(text.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .toString();
    }

    @Test
    void whatAPushChangesIsShownBeforeItIsPublished() {
        reviewed("diff");
        var first = held(publisher, "diff/kit", "1.0.0", "one\\n");
        var nothing = app().get(bundle("diff/kit") + "/versions/1.0.0/review:diff", owner)
                .as(VersionDiff.class);
        assertThat(nothing.from()).isNull();
        assertThat(nothing.added()).isEqualTo(1);
        decide("approve", owner, first, "");
        held(publisher, "diff/kit", "1.1.0", "two\\n");

        var diff = app().get(bundle("diff/kit") + "/versions/1.1.0/review:diff", owner)
                .as(VersionDiff.class);

        assertThat(requireNonNull(diff.from()).version()).isEqualTo("1.0.0");
        assertThat(diff.changes())
                .singleElement()
                .satisfies(change -> assertThat(change.diff()).contains("-one", "+two"));
        app().get(bundle("diff/kit") + "/versions/1.1.0/review:diff", app().key("diff-reader", "read"))
                .assertRefused("404 bundle-not-found");
    }

    @Test
    void aTagThatMovedMeanwhileStays() {
        reviewed("moved");
        decide("approve", owner, held(publisher, "moved/kit", "1.0.0", "one"), "");
        var second = held(publisher, "moved/kit", "1.1.0", "two");
        var third = held(publisher, "moved/kit", "1.2.0", "three");
        decide("approve", owner, third, "");

        var late = decide("approve", owner, second, "").as(ReviewRecord.class);

        assertThat(late.warnings())
                .singleElement()
                .satisfies(one -> assertThat(one).contains("stable"));
        assertThat(app().get(bundle("moved/kit") + "/tags/stable", null)
                        .as(TagStatus.class)
                        .version())
                .isEqualTo("1.2.0");
    }

    @Test
    void aLooserPolicyWaitsForADayOrForASecondOwner() {
        reviewed("loose");
        String place = "/v1/namespaces/loose";
        assertThat(app().send("PUT", place + "/policy", owner, "{\"review\": {\"approvals\": 2}}")
                        .status())
                .isEqualTo(200);
        var asked = app().send("PUT", place + "/policy", owner, "{\"review\": null}")
                .as(PolicyRecord.class);

        assertThat(requireNonNull(asked.review()).approvals()).isEqualTo(2);
        assertThat(requireNonNull(asked.pending()).review()).isNull();
        assertThat(push(publisher, "loose/kit", "1.0.0", "words").status()).isEqualTo(202);
        app().post(place + "/policy:confirm", owner, "{}").assertRefused("403 forbidden");
        app().post(place + "/policy:confirm", reviewer, "{}").assertRefused("403 forbidden");
        String own = requireNonNull(app().post("/v1/organizations/default/api-keys", owner, """
                {"name": "of the owner", "scopes": ["admin"]}""")
                .as(ApiKey.class)
                .key());
        app().send("PUT", place + "/policy", own, "{\"review\": null}");
        app().post(place + "/policy:confirm", owner, "{}").assertRefused("403 forbidden");
        String second = app().person("second@review.test", "default", "owner");
        var confirmed = app().post(place + "/policy:confirm", second, "{}").as(PolicyRecord.class);

        assertThat(confirmed.review()).isNull();
        assertThat(push(publisher, "loose/kit", "2.0.0", "words").status()).isEqualTo(201);
        app().post(place + "/policy:confirm", second, "{}").assertRefused("409 conflict");
    }

    @Test
    void anOrganizationOfOnePersonIsToldAtOnce() {
        app().secondOrganization("lonely");
        String alone = app().person("alone@lonely.test", "lonely", "owner");
        app().post("/v1/organizations/lonely/namespaces", alone, "{\"handle\": \"lonely-ns\"}");

        var refused = app().send("PUT", "/v1/namespaces/lonely-ns/policy", alone, "{\"review\": {}}");

        refused.assertRefused("422 review-impossible");
        assertThat(refused.problem().detail()).contains("one person");
        assertThat(app().send("PUT", "/v1/namespaces/lonely-ns/policy", alone, "{\"review\": {\"notBy\": \"nobody\"}}")
                        .status())
                .isEqualTo(200);
        app().send("PUT", "/v1/namespaces/lonely-ns/policy", owner, "{\"review\": {}}")
                .assertRefused("404 not-found");
        app().send("PUT", "/v1/namespaces/lonely-ns/policy", alone, "{\"reviews\": {}}")
                .assertRefused("422 validation-failed");
    }

    @Test
    void eventsAndAuditTellWhatHappened() {
        reviewed("told");
        var held = held(publisher, "told/kit", "1.0.0", "words");
        decide("approve", owner, held, "");
        Numbered.all(app().database());

        String events = app().get("/v1/organizations/default/events?subject=told/kit:1.0.0", app().admin())
                .text();
        assertThat(events).contains("version.held", "version.approved", "version.published");
        assertThat(app().get(
                                "/v1/organizations/default/events?subject=told/kit:1.0.0",
                                app().key("told-reader", "read"))
                        .text())
                .contains("version.published")
                .doesNotContain("version.held", "version.approved");
        assertThat(app().get("/v1/organizations/default/events?subject=told/kit:1.0.0", publisher)
                        .text())
                .contains("version.held", "version.approved", "version.published");
        String elsewhere = app().secret("""
                {"name": "elsewhere", "scopes": ["write"], "restrictions": {"bundles": ["other/kit"]}}""");
        assertThat(app().get("/v1/organizations/default/events", elsewhere).text())
                .doesNotContain("told/kit");
    }

    @Test
    void aPolicyOfABundleIsAddedToThatOfItsNamespace() {
        app().push("both/kit", "1.0.0", "public", "words");
        policy("/v1/namespaces/both", "{\"by\": [\"owner\", \"admin\"]}");
        policy(bundle("both/kit"), "{\"by\": [\"publisher\"]}").assertRefused("422 validation-failed");
        assertThat(policy(bundle("both/kit"), "{\"approvals\": 2, \"by\": [\"admin\", \"owner\", \"publisher\"]}")
                        .status())
                .isEqualTo(200);

        var effective = app().get(bundle("both/kit") + "/policy?effective=true", app().admin())
                .as(PolicyRecord.class);

        assertThat(requireNonNull(effective.review()).approvals()).isEqualTo(2);
        assertThat(requireNonNull(effective.review()).by()).containsExactly("admin", "owner");
    }
}
