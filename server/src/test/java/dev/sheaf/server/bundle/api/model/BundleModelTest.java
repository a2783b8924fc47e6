package dev.sheaf.server.bundle.api.model;

import static dev.sheaf.server.bundle.api.model.BundleClient.members;
import static dev.sheaf.server.bundle.api.model.BundleClient.said;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Gen;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.org.OrganizationUsage;
import dev.sheaf.server.org.quota.Quota;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Random changes of some bundles over HTTP, one after the other: after each, what is answered and what everybody
/// sees is what [BundleModel] says. `-Dsheaf.seed=N` runs one case again.
class BundleModelTest extends OnEveryStack {
    private static final int STEPS = 250;
    static final List<Version> NUMBERS = Stream.of(
                    "0.9.0",
                    "1.0.0-alpha",
                    "1.0.0-alpha.2",
                    "1.0.0-rc.1",
                    "1.0.0",
                    "1.0.0+build.7",
                    "1.2.0",
                    "1.9.0",
                    "1.10.0",
                    "1.10.1-rc.1",
                    "2.0.0-beta.2",
                    "2.0.0-beta.11",
                    "2.0.0")
            .map(Version::parse)
            .toList();
    static final List<String> TAGS = List.of("stable", "next", BundleModel.LATEST);
    private static final List<String> PATHS = List.of("SKILL.md", "notes.txt", "lib/tool.py");

    @SuppressWarnings("NullAway.Init") // by the test itself
    private Gen gen;

    private List<BundleModel> models = List.of();
    private final Map<String, String> digests = new HashMap<>();

    @Test
    void everybodySeesWhatTheModelSays() {
        Gen.forAll(1, this::steps);
    }

    private void steps(Gen given) {
        gen = given;
        models = Stream.of("models/a", "models/b", "models/c")
                .map(BundleModel::new)
                .toList();
        digests.clear();
        for (int i = 0; i < STEPS; i++) {
            var model = one(models);
            pass(Duration.ofSeconds(1));
            String what = step(model, new BundleClient(app(), model.name), i);
            compare(model, "step " + i + ", " + model.name + ": " + what);
        }
        models.forEach(model -> compare(model, "at the end"));
        agree();
        end();
    }

    private <T> T one(List<T> choices) {
        return gen.of(choices);
    }

    private Map<String, String> assets() {
        var assets = new TreeMap<String, String>();
        int count = gen.number(1, 3);
        for (int i = 0; i < count; i++) {
            assets.put(one(PATHS), "text " + gen.number(0, 2));
        }
        return assets;
    }

    private List<String> someTags() {
        return gen.chance(0.66) ? List.of() : List.of(one(TAGS));
    }

    /// Does something to the service and to the model; what it was.
    private String step(BundleModel model, BundleClient client, int number) {
        var version = one(NUMBERS);
        var tag = one(TAGS);
        var text = gen.chance(0.66) ? "text " + gen.number(0, 2) : null;
        String path = one(PATHS);
        Boolean flag = gen.chance(0.5) ? null : (Boolean) gen.chance(0.5);
        return switch ((Integer) gen.number(0, number < 40 ? 49 : 99)) {
            case Integer n when n < 20 -> push(model, client, version, flag);
            case Integer n when n < 26 -> publish(model, client, version);
            case Integer n when n < 36 -> told("edit " + path, model.edit(path, text), client.edit(path, text));
            case Integer n when n < 46 -> retag(model, client, gen.chance(0.5) ? tag : version.toString());
            case Integer n when n < 50 -> show(model, client, gen.chance(0.5));
            case Integer n
            when n < 60 -> told("yank " + version, model.yank(version, true), client.verb(version, "yank", "{}"));
            case Integer n
            when n < 65 -> told("unyank " + version, model.yank(version, false), client.verb(version, "unyank", "{}"));
            case Integer n
            when n < 69 ->
                told(
                        "deprecate " + version,
                        model.deprecate(version, "old " + number),
                        client.verb(version, "deprecate", "{\"message\": \"old " + number + "\"}"));
            case Integer n
            when n < 80 -> told("tag " + tag + flag, model.tag(tag, version, flag), client.tag(tag, version, flag));
            case Integer n when n < 84 -> told("untag " + tag, model.untag(tag), client.untag(tag));
            case Integer n when n < 89 -> told("roll back " + tag, model.rollback(tag), client.rollback(tag));
            case Integer n when n < 92 -> told("delete " + version, model.delete(version), client.delete(version));
            case Integer n when n < 94 -> told("delete", model.delete(), client.delete());
            default -> told("restore", model.restore(), client.restore());
        };
    }

    private String told(String what, String expected, String actual) {
        assertThat(actual).as(what).isEqualTo(expected);
        return what + " " + actual;
    }

    private String push(BundleModel model, BundleClient client, Version version, @Nullable Boolean isPrivate) {
        var assets = assets();
        var tags = someTags();
        var reply = client.push(version, assets, tags, isPrivate);
        return published(
                "push " + version + tags + isPrivate,
                model.push(version, assets, tags, isPrivate),
                reply,
                BundleModel.packed(version, assets),
                model);
    }

    private String publish(BundleModel model, BundleClient client, Version version) {
        var assets = new TreeMap<>(model.edited());
        var tags = someTags();
        var reply = client.publish(version, tags);
        return published(
                "publish " + version + tags,
                model.publish(version, tags),
                reply,
                BundleModel.packed(version, assets),
                model);
    }

    /// What is equal has one digest, and what is not has another.
    private String published(String what, String expected, Reply reply, String content, BundleModel model) {
        told(what, expected, said(reply));
        if (reply.status() < 300) {
            String digest = reply.json().get("ociDigest").stringValue();
            String known = digests.put(model.name + " " + content, digest);
            assertThat(known == null || known.equals(digest)).as(what).isTrue();
            assertThat(digests.values()).as(what).doesNotHaveDuplicates();
        }
        return what + " " + said(reply);
    }

    private String retag(BundleModel model, BundleClient client, String reference) {
        if (model.releases.isEmpty() || model.isDeleted) {
            return "nothing to retag";
        }
        var source = one(List.copyOf(model.releases.values()));
        if (model.isOfRegistry(source, reference)) {
            return "a tag of the registry alone, see TagRulesTest";
        }
        byte[] manifest = client.manifest(digest(model, source.content));
        String what = "retag " + source.version + " as " + reference;
        var reply = client.putManifest(reference, manifest);
        assertThat(String.valueOf(reply.status())).as(what + reply.text()).isEqualTo(model.retag(source, reference));
        return what + " " + reply.status();
    }

    private String show(BundleModel model, BundleClient client, boolean show) {
        return told("show " + show, model.show(show), client.show(show));
    }

    private String digest(BundleModel model, String content) {
        return Objects.requireNonNull(digests.get(model.name + " " + content));
    }

    // --- what everybody sees ---

    private void compare(BundleModel model, String as) {
        var client = new BundleClient(app(), model.name);
        if (!model.isThere()) {
            for (String rest : List.of("", "/versions", "/tags", ":resolve", "/assets", "/versions/1.0.0")) {
                assertThat(said(client.get(rest))).as(as + rest).isEqualTo("404 bundle-not-found");
            }
            assertThat(client.registryTags()).as(as).containsExactly("404");
            assertThat(client.hub().status()).as(as).isEqualTo(404);
            return;
        }
        var latest = model.latest();
        assertThat(members(client.get(""), "visibility", "latestVersion", "versionCount", "assetCount"))
                .as(as)
                .isEqualTo("%s %s %d %d"
                        .formatted(
                                model.isPublic ? "public" : "private",
                                latest.map(release -> release.version.toString())
                                        .orElse("null"),
                                model.releases.size(),
                                latest.map(release -> release.assets.size()).orElse(0)));
        assertThat(client.list("/versions?limit=100", "version", "state", "ociDigest"))
                .as(as)
                .isEqualTo(model.releases.values().stream()
                        .map(release -> release.version
                                + (release.isYanked ? " yanked " : " published ")
                                + digest(model, release.content))
                        .toList());
        compareTags(model, client, as);
        compareAssets(model, client, as);
        compareResolved(model, client, as);
        compareHub(model, client, as);
    }

    private void compareTags(BundleModel model, BundleClient client, String as) {
        var expected = new ArrayList<String>();
        model.tags.forEach((tag, pointer) -> expected.add("%s %s %s %s %s"
                .formatted(
                        tag,
                        model.behind(pointer.content()).orElseThrow().version,
                        digest(model, pointer.content()),
                        pointer.isProtected(),
                        pointer.isManaged())));
        assertThat(client.list("/tags?limit=100", "name", "version", "digest", "protected", "managed"))
                .as(as)
                .isEqualTo(expected);
        assertThat(model.tags.values())
                .as(as)
                .noneMatch(pointer -> model.behind(pointer.content()).orElseThrow().isYanked);
        assertThat(client.registryTags())
                .as(as)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                model.tags.keySet().stream(),
                                model.releases.values().stream().map(release -> release.version.ociTag()))
                        .toList());
    }

    private static List<String> texts(Map<String, String> assets) {
        return new TreeMap<>(assets)
                .entrySet().stream()
                        .map(asset -> asset.getKey() + " "
                                + Digest.sha256(asset.getValue().getBytes(StandardCharsets.UTF_8))
                                        .hex())
                        .toList();
    }

    private void compareAssets(BundleModel model, BundleClient client, String as) {
        assertThat(client.list("/assets?limit=100", "logicalPath", "contentSha256"))
                .as(as)
                .isEqualTo(texts(model.edited()));
        model.releases.values().stream()
                .skip(gen.number(0, model.releases.size()))
                .findFirst()
                .ifPresent(release -> assertThat(client.list(
                                "/assets?limit=100&version=" + release.version.ociTag(),
                                "logicalPath",
                                "contentSha256"))
                        .as(as)
                        .isEqualTo(texts(release.assets)));
    }

    private void compareResolved(BundleModel model, BundleClient client, String as) {
        for (String tag : TAGS) {
            var pointer = model.tags.get(tag);
            String absent = tag.equals(BundleModel.LATEST) ? "404 no-active-version" : "404 version-not-found";
            assertThat(members(client.resolve(tag), "version", "state", "ociDigest"))
                    .as(as + tag)
                    .isEqualTo(
                            pointer == null
                                    ? absent
                                    : model.behind(pointer.content()).orElseThrow().version + " published "
                                            + digest(model, pointer.content()));
        }
        var version = one(NUMBERS);
        var release = model.exact(version);
        var found = client.resolve(version.toString());
        if (release.isPresent()) {
            assertThat(members(found, "version", "state", "ociDigest"))
                    .as(as)
                    .isEqualTo(release.get().version
                            + (release.get().isYanked ? " yanked " : " published ")
                            + digest(model, release.get().content));
            assertThat(found.json().path("deprecation").path("message").asString(null))
                    .as(as)
                    .isEqualTo(release.get().deprecation);
        } else {
            assertThat(said(found))
                    .as(as + version)
                    .isEqualTo(
                            model.deadNumbers.contains(version.toString()) || isDead(model, version)
                                    ? "410 version-deleted"
                                    : "404 version-not-found");
        }
        var highest = model.releases.values().stream()
                .filter(one -> !one.isYanked
                        && !one.version.isPrerelease()
                        && one.version.major().equals("1"))
                .findFirst();
        assertThat(members(client.resolve("^1"), "version"))
                .as(as)
                .isEqualTo(highest.map(one -> one.version.toString()).orElse("404 version-not-found"));
    }

    private static boolean isDead(BundleModel model, Version version) {
        return version.build().isEmpty()
                && model.deadNumbers.stream()
                        .anyMatch(number -> Version.parse(number).precedence().equals(version.precedence()));
    }

    private void compareHub(BundleModel model, BundleClient client, String as) {
        var latest = model.latest().filter(release -> model.isPublic);
        assertThat(members(client.hub(), "latestVersion"))
                .as(as)
                .isEqualTo(latest.map(release -> release.version.toString()).orElse("404 bundle-not-found"));
    }

    /// What is counted of the organization is what there is, and what was recorded of it.
    private void agree() {
        var used = app().get("/v1/organizations/default/usage", app().admin())
                .as(OrganizationUsage.class)
                .used();
        assertThat(used.versions())
                .isEqualTo(
                        models.stream().mapToInt(model -> model.releases.size()).sum());
        assertThat(used.bundles())
                .isEqualTo((int) models.stream().filter(model -> model.exists).count());
        assertThat(new QuotaCheck(app().database(), Quota.NONE).recount(false)).isEmpty();
    }

    /// What nobody may restore any more counts for nothing.
    private void end() {
        models.forEach(model -> new BundleClient(app(), model.name).delete());
        pass(Duration.ofDays(31));
        app().purgeDue();

        assertThat(app().get("/v1/organizations/default/usage", app().admin())
                        .json()
                        .get("used")
                        .toString())
                .isEqualTo("{\"bytes\":0,\"bundles\":0,\"versions\":0}");
        assertThat(new QuotaCheck(app().database(), Quota.NONE).recount(false)).isEmpty();
        models.forEach(model -> assertThat(new BundleClient(app(), model.name).restore())
                .isEqualTo(model.exists ? "409 conflict" : "404 bundle-not-found"));
    }
}
