package dev.sheaf.server.bundle.api.model;

import static dev.sheaf.server.bundle.api.model.BundleClient.said;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.model.wire.org.OrganizationUsage;
import dev.sheaf.server.org.quota.Quota;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Together;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Eight clients at once on two bundles: whatever order their changes come in, what was published never changes,
/// its number is given once, tags lead to what is not yanked, and all counts agree.
class BundleStormTest extends OnEveryStack {
    private static final int CLIENTS = 8;
    private static final int STEPS = 60;
    private static final List<String> BUNDLES = List.of("storm/one", "storm/two");
    private static final Set<Integer> EXPECTED = Set.of(200, 201, 204, 404, 409, 410, 422);

    private final long seed = Long.getLong("sheaf.seed", System.nanoTime());

    /// What a client was told that it published.
    private record Fact(String bundle, Version version, String digest, String assets) {
        String number() {
            return bundle + ":" + version.precedence();
        }
    }

    private final List<Fact> facts = Collections.synchronizedList(new ArrayList<>());
    private final Set<String> deleted = ConcurrentHashMap.newKeySet();

    private BundleClient client(String bundle) {
        return new BundleClient(app(), bundle);
    }

    @Tag("slow")
    @Test
    void whateverTheOrderTheRulesHold() throws Exception {
        facts.clear();
        deleted.clear();
        Together.run(CLIENTS, i -> () -> new Stormer(new Random(seed + i), i).run());

        BUNDLES.forEach(bundle -> client(bundle).restore());
        assertThat(facts)
                .as("seed %d", seed)
                .isNotEmpty()
                .extracting(Fact::number)
                .doesNotHaveDuplicates();
        facts.forEach(this::stillThere);
        int versions = 0;
        for (String bundle : BUNDLES) {
            versions += check(bundle);
        }
        var used = app().get("/v1/organizations/default/usage", app().admin())
                .as(OrganizationUsage.class)
                .used();
        assertThat(used.versions()).as("seed %d", seed).isEqualTo(versions);
        assertThat(used.bundles()).isEqualTo(BUNDLES.size());
        assertThat(new QuotaCheck(app().database(), Quota.NONE).recount(false)).isEmpty();
    }

    private void stillThere(Fact fact) {
        var reply = client(fact.bundle()).get("/versions/" + fact.version().ociTag());
        if (deleted.contains(fact.number())) {
            assertThat(said(reply)).as("%s, seed %d", fact, seed).isEqualTo("410 version-deleted");
        } else {
            assertThat(reply.status()).as("%s, seed %d", fact, seed).isEqualTo(200);
            assertThat(content(reply)).as("%s, seed %d", fact, seed).isEqualTo(fact.digest() + fact.assets());
        }
    }

    /// The digest and the assets of a version's detail.
    private static String content(Reply reply) {
        return reply.json().get("ociDigest").stringValue() + assets(reply);
    }

    private static String assets(Reply reply) {
        return reply.json().at("/manifest/assets").toString();
    }

    /// The rules of one bundle; how many versions it has.
    private int check(String bundle) {
        var bundleNow = client(bundle).get("").as(BundleRecord.class);
        var versions = client(bundle).get("/versions?limit=100").list(VersionSummary.class).stream()
                .toList();
        var active = versions.stream().filter(BundleStormTest::isPublished).toList();
        var latest = active.stream()
                .filter(version -> !number(version).isPrerelease())
                .findFirst()
                .or(() -> active.stream().findFirst());
        String expected = latest.map(version -> number(version).toString()).orElse(null);
        assertThat(bundleNow.versionCount()).as("seed %d", seed).isEqualTo(versions.size());
        assertThat(bundleNow.latestVersion()).as("seed %d", seed).isEqualTo(expected);
        boolean isShown = bundleNow.visibility().equals("public") && expected != null;
        var hub = client(bundle).hub();
        assertThat(isShown ? hub.json().get("latestVersion").stringValue() : said(hub))
                .as("seed %d", seed)
                .isEqualTo(isShown ? expected : "404 bundle-not-found");
        for (var tag : client(bundle).get("/tags?limit=100").list(TagStatus.class)) {
            boolean kept = tag.managed();
            assertThat(active).as("%s, seed %d", tag, seed).anyMatch(version -> isBehind(tag, version));
            assertThat(!kept || tag.version().equals(expected))
                    .as("%s %s, seed %d", tag, expected, seed)
                    .isTrue();
        }
        assertThat(client(bundle).registryTags())
                .containsAll(versions.stream()
                        .map(version -> number(version).ociTag())
                        .toList());
        return versions.size();
    }

    private static boolean isBehind(TagStatus tag, VersionSummary version) {
        return tag.version().equals(version.version()) && tag.digest().equals(version.ociDigest());
    }

    private static boolean isPublished(VersionSummary version) {
        return version.state().equals("published");
    }

    private static Version number(VersionSummary version) {
        return Version.parse(version.version());
    }

    /// One client.
    private final class Stormer {
        private final Random random;
        private final int number;

        Stormer(Random random, int number) {
            this.random = random;
            this.number = number;
        }

        int run() {
            for (int i = 0; i < STEPS; i++) {
                String bundle = BUNDLES.get(random.nextInt(BUNDLES.size()));
                step(bundle, client(bundle), "text " + number + " " + i);
            }
            return STEPS;
        }

        private <T> T one(List<T> choices) {
            return choices.get(random.nextInt(choices.size()));
        }

        private void step(String bundle, BundleClient client, String text) {
            var version = random.nextBoolean()
                    ? one(BundleModelTest.NUMBERS)
                    : Version.parse("3." + number + "." + random.nextInt(9));
            String tag = one(BundleModelTest.TAGS);
            String said = switch ((Integer) random.nextInt(24)) {
                case Integer n
                when n < 6 ->
                    published(bundle, version, client.push(version, Map.of("SKILL.md", text), tags(tag), null));
                case Integer n when n < 9 -> client.edit("notes-" + number + ".txt", n < 8 ? text : null);
                case Integer n when n < 11 -> published(bundle, version, client.publish(version, tags(tag)));
                case Integer n when n < 13 -> retag(bundle, client, n < 12 ? tag : version.toString());
                case Integer n when n < 15 -> client.verb(version, "yank", "{}");
                case 15 -> client.verb(version, "unyank", "{}");
                case 16 -> client.verb(version, "deprecate", "{\"message\": \"old\"}");
                case 17 -> client.tag(tag, version, random.nextInt(6) == 0 ? Boolean.TRUE : Boolean.FALSE);
                case 18 -> client.untag(tag);
                case 19 -> client.rollback(tag);
                case 20 -> deleted(bundle, version, client.delete(version));
                case 21 -> client.delete();
                case 22 -> client.show(random.nextBoolean());
                default -> client.restore();
            };
            assertThat(EXPECTED).as("%s, seed %d", said, seed).contains(Integer.parseInt(said.substring(0, 3)));
            client.restore();
            look(client, tag);
        }

        private List<String> tags(String tag) {
            return random.nextBoolean() ? List.of(tag) : List.of();
        }

        private String published(String bundle, Version version, Reply reply) {
            if (reply.status() == 201) {
                facts.add(
                        new Fact(bundle, version, reply.json().get("ociDigest").stringValue(), assets(reply)));
            }
            return said(reply);
        }

        private String deleted(String bundle, Version version, String said) {
            if (said.equals("204")) {
                deleted.add(bundle + ":" + version.precedence());
            }
            return said;
        }

        private String retag(String bundle, BundleClient client, String reference) {
            var fact = facts.isEmpty() ? null : facts.get(random.nextInt(facts.size()));
            if (fact == null || !fact.bundle().equals(bundle)) {
                return "404";
            }
            var manifest = app().get("/v2/" + bundle + "/manifests/" + fact.digest(), app().admin());
            return manifest.status() == 200
                    ? client.putManifest(reference, manifest.response().body()).status() + ""
                    : manifest.status() + "";
        }

        /// A tag leads to what is published, in the middle of it all; and what is published is as it was.
        private void look(BundleClient client, String tag) {
            var resolved = client.resolve(tag);
            assertThat(resolved.status() == 200 ? resolved.json().get("state").stringValue() : "published")
                    .as("%s, seed %d", resolved.text(), seed)
                    .isEqualTo("published");
            var fact = facts.isEmpty() ? null : facts.get(random.nextInt(facts.size()));
            if (fact != null) {
                var found =
                        client(fact.bundle()).get("/versions/" + fact.version().ociTag());
                assertThat(found.status() == 200 ? content(found) : said(found))
                        .as("%s, seed %d", fact, seed)
                        .isIn(fact.digest() + fact.assets(), "404 bundle-not-found", "410 version-deleted");
            }
        }
    }

    @Test
    void ofConcurrentPublishesOfAVersionOneWins() throws Exception {
        var kit = new BundleClient(app(), "race/kit", app().secondOrganization("race"));
        kit.push(Version.parse("0.0.1"), Map.of("SKILL.md", "first"), List.of(), null);
        kit.edit("SKILL.md", "edited");
        for (int i = 0; i < 6; i++) {
            var version = Version.parse("1.0." + i);
            boolean isSame = i % 2 == 0;
            var first = new AtomicReference<String>("");

            var replies = Together.run(
                    CLIENTS,
                    k -> () -> !isSame && k % 2 == 0
                            ? kit.publish(version, List.of())
                            : kit.push(version, Map.of("a.md", isSame ? "a" : "a" + k), List.of("stable"), null));

            replies.stream().filter(reply -> reply.status() == 201).forEach(reply -> first.set(content(reply)));
            assertThat(replies).extracting(Reply::status).containsOnlyOnce(201);
            assertThat(replies)
                    .allMatch(reply -> reply.status() < 300
                            ? content(reply).equals(first.get())
                            : said(reply).equals("409 version-exists"));
            assertThat(replies).filteredOn(reply -> reply.status() == 409).hasSizeGreaterThanOrEqualTo(isSame ? 0 : 4);
            assertThat(content(kit.get("/versions/" + version))).isEqualTo(first.get());
        }
    }
}
