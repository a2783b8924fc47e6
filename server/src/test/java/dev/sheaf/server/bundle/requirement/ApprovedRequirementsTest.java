package dev.sheaf.server.bundle.requirement;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.ReviewRecord;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Policies by which versions may require only approved ones, over HTTP.
class ApprovedRequirementsTest extends OnEveryStack {
    private String reviewer = "";

    @Override
    public void prepare() {
        reviewer = app().person("reviewer@requires.test", "default", "admin");
        app().person("owner@requires.test", "default", "owner");
    }

    private Reply policy(String place, String json) {
        return app().send("PUT", place + "/policy", app().admin(), json);
    }

    private void namespace(String name) {
        app().post("/v1/organizations/default/namespaces", app().admin(), "{\"handle\": \"" + name + "\"}");
    }

    private Reply push(String repository, String version, String requires) {
        return app().post(bundle(repository) + ":push", app().admin(), """
                {"name": "Kit", "version": "%s", "visibility": "public", "requires": %s,
                 "manifest": [{"logicalPath": "SKILL.md", "contentText": "%s"}]}""".formatted(version, requires, version));
    }

    private void approved(String repository, String version, String requires) {
        var held = push(repository, version, requires).as(HeldVersion.class);
        var done = app().post(
                        bundle(repository) + "/versions/" + version + ":approve",
                        reviewer,
                        "{\"digest\": \"%s\", \"round\": 1}".formatted(held.digest()));
        assertThat(done.as(ReviewRecord.class).state()).isEqualTo("published");
    }

    private List<String> closure(String repository) {
        return requireNonNull(app().get(bundle(repository) + ":resolve?closure=true", app().admin())
                        .as(Resolution.class)
                        .closure())
                .stream()
                .map(one -> one.ref() + ":" + one.version())
                .toList();
    }

    /// Makes a library of which only 1.1.0 was approved.
    private void library(String namespace) {
        namespace(namespace);
        push(namespace + "/base", "1.0.0", "[]");
        policy("/v1/namespaces/" + namespace, "{\"review\": {}}");
        approved(namespace + "/base", "1.1.0", "[]");
    }

    @Test
    void aVersionMayRequireOnlyWhatWasApproved() {
        library("reqlib");
        namespace("reqapp");
        var set = policy("/v1/namespaces/reqapp", "{\"requires\": \"approved\"}");
        assertThat(set.as(PolicyRecord.class).requires()).isEqualTo("approved");

        var refused = push("reqapp/kit", "1.0.0", "[{\"bundle\": \"reqlib/base\", \"range\": \"1.0.0\"}]");
        var taken = push("reqapp/kit", "1.0.0", "[{\"bundle\": \"reqlib/base\", \"range\": \"^1\"}]");

        refused.assertRefused("422 requirement-not-readable");
        assertThat(refused.problem().detail()).contains("reqlib/base", "1.0.0", "approved by review");
        assertThat(taken.status()).as(taken.text()).isEqualTo(201);
        assertThat(closure("reqapp/kit")).containsExactly("reqlib/base:1.1.0");
    }

    /// Also what others require in it, and only for the bundle whose policy asks for it.
    @Test
    void aClosureChoosesOnlyApprovedVersions() {
        namespace("deep");
        push("deep/low", "1.0.0", "[]");
        policy(bundle("deep/low"), "{\"review\": {}}");
        approved("deep/low", "1.1.0", "[]");
        policy(bundle("deep/low"), "{\"scan\": null}");
        push("deep/mid", "1.0.0", "[]");
        policy(bundle("deep/mid"), "{\"review\": {}}");
        approved("deep/mid", "1.1.0", "[{\"bundle\": \"deep/low\", \"range\": \"1.0.0 || 1.1.0\"}]");
        push("deep/top", "1.0.0", "[{\"bundle\": \"deep/mid\", \"range\": \"^1\"}]");
        push("deep/strict", "1.0.0", "[{\"bundle\": \"deep/low\", \"range\": \"1.0.0\"}]");
        assertThat(closure("deep/top")).containsExactly("deep/mid:1.1.0", "deep/low:1.1.0");
        assertThat(closure("deep/strict")).containsExactly("deep/low:1.0.0");

        policy(bundle("deep/strict"), "{\"requires\": \"approved\"}");

        app().get(bundle("deep/strict") + ":resolve?closure=true", app().admin())
                .assertRefused("409 unsatisfiable");
        assertThat(closure("deep/top")).hasSize(2);
    }

    @Test
    void askingIsStricterAndNoLongerAskingIsLooser() {
        namespace("reqloose");
        String place = "/v1/namespaces/reqloose";
        policy(place, "{\"requires\": \"approved\"}");

        var kept = policy(place, "{\"scan\": {\"block\": \"high\"}}").as(PolicyRecord.class);
        var loose = policy(place, "{\"requires\": null}").as(PolicyRecord.class);

        assertThat(kept.requires()).isEqualTo("approved");
        assertThat(kept.pending()).isNull();
        assertThat(loose.requires()).isEqualTo("approved");
        assertThat(requireNonNull(loose.pending()).requires()).isNull();
        policy(place, "{\"requires\": \"all\"}").assertRefused("422 validation-failed");
        push("reqloose/kit", "1.0.0", "[]");
        assertThat(requireNonNull(app().get(bundle("reqloose/kit") + "/policy?effective=true", app().admin())
                                .as(PolicyRecord.class))
                        .requires())
                .isEqualTo("approved");
    }

    /// It holds no content: an OCI client pushes and tags as ever.
    @Test
    void nothingElseIsChecked() {
        namespace("reqonly");
        policy("/v1/namespaces/reqonly", "{\"requires\": \"approved\"}");
        assertThat(push("reqonly/kit", "1.0.0", "[]").status()).isEqualTo(201);
        String manifest =
                app().get("/v2/reqonly/kit/manifests/1.0.0", app().admin()).text();

        var tagged = app().send(app().request("PUT", "/v2/reqonly/kit/manifests/edge", app().admin(), manifest + "\n")
                .setHeader("Content-Type", "application/vnd.oci.image.manifest.v1+json"));

        assertThat(tagged.status()).as(tagged.text()).isEqualTo(201);
        assertThat(app().get("/v2/reqonly/kit/manifests/edge", null).status()).isEqualTo(200);
    }
}
