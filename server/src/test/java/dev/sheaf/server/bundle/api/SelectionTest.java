package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Gen;
import dev.sheaf.model.Section11;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionRange;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.server.bundle.api.model.BundleClient;
import dev.sheaf.server.testing.OnEveryStack;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which version is found among many, against section 11 and against the range over all of them.
class SelectionTest extends OnEveryStack {
    private static final int VERSIONS = 120;
    private static final int RANGES = 250;

    /// Versions close to each other, a few of any size, none of the same precedence as another.
    private static List<String> versions(Gen gen) {
        var versions = new TreeMap<String, String>();
        while (versions.size() < VERSIONS) {
            var version = Version.parse(gen.chance(0.15) ? Section11.text(gen) : near(gen));
            versions.putIfAbsent(version.precedence(), version.toString());
        }
        return List.copyOf(versions.values());
    }

    private static String near(Gen gen) {
        String core = gen.number(0, 3) + "." + gen.of(List.of(0, 1, 2, 9, 10, 11)) + "." + gen.of(List.of(0, 1, 9, 10));
        String pre =
                gen.of(List.of("alpha", "alpha.1", "alpha.beta", "beta", "beta.2", "beta.11", "rc.1", "-", "1", "0"));
        return core + (gen.chance(0.5) ? "-" + pre : "") + (gen.chance(0.1) ? "+build." + gen.number(0, 9) : "");
    }

    /// The texts of all versions over all pages.
    private List<String> listed(BundleClient client) {
        var texts = new ArrayList<String>();
        String cursor = "";
        while (true) {
            var page = client.get("/versions?limit=33" + cursor).page(VersionSummary.class);
            texts.addAll(page.data().stream().map(VersionSummary::version).toList());
            if (!page.meta().hasMore()) {
                return texts;
            }
            cursor = "&cursor=" + page.meta().nextCursor();
        }
    }

    private static String found(BundleClient client, String selector) {
        return BundleClient.members(client.resolve(selector), "resolvedBy", "version");
    }

    private static final Comparator<String> HIGHEST_LAST = Section11::compare;

    @Tag("slow")
    @Test
    void listsAndRangesFollowSection11() {
        Gen.forAll(1, gen -> {
            var client = new BundleClient(app(), "ranges/kit");
            var all = versions(gen);
            var active = new ArrayList<String>();
            for (String text : all) {
                var version = Version.parse(text);
                assertThat(client.push(version, Map.of("SKILL.md", "x"), List.of(), null)
                                .status())
                        .as(text)
                        .isEqualTo(201);
                if (gen.chance(0.2)) {
                    client.verb(version, "yank", "{}");
                } else {
                    active.add(text);
                }
            }

            assertThat(listed(client))
                    .isEqualTo(all.stream().sorted(HIGHEST_LAST.reversed()).toList());
            int hits = 0;
            for (int i = 0; i < RANGES; i++) {
                String range = range(gen, all);
                var best = active.stream()
                        .filter(version -> VersionRange.find(range)
                                .filter(found -> found.contains(Version.parse(version)))
                                .isPresent())
                        .max(HIGHEST_LAST);
                assertThat(found(client, range))
                        .as(range)
                        .isEqualTo(best.map(version -> "range " + version).orElse("404 version-not-found"));
                hits += best.isPresent() ? 1 : 0;
            }
            assertThat(hits).as("ranges that mean something").isGreaterThan(RANGES / 4);
        });
    }

    private static String range(Gen gen, List<String> all) {
        String one = all.get(gen.number(0, all.size() - 1)).split("\\+")[0];
        String other = near(gen).split("\\+")[0];
        String number = String.valueOf(gen.number(0, 3));
        return gen.of(List.of(
                "^" + one,
                "~" + one,
                ">=" + one,
                "<" + one,
                "<=" + one,
                ">" + one,
                "=" + one,
                ">=" + one + " <" + other,
                one + " - " + other,
                "^" + number,
                "~" + number + ".1",
                number + ".x",
                number + ".1.x",
                "*",
                "^" + one + " || ~" + other,
                "<" + number + " || >=" + other));
    }

    /// A digest, else an exact version, else a tag, else a range: what a text can be first, that it is.
    @Test
    void whatATextCanBeFirstThatItIs() {
        var client = new BundleClient(app(), "order/kit");
        for (String text : List.of("1.0.0", "1.1.0-rc.1", "1.1.0+b.7", "2.0.0")) {
            var pushed = client.push(Version.parse(text), Map.of("SKILL.md", text), List.of(), null);
            assertThat(pushed.status()).isEqualTo(201);
        }
        String digest = client.resolve("1.0.0").json().get("ociDigest").stringValue();
        String other = client.resolve("2.0.0").json().get("ociDigest").stringValue();
        assertThat(client.tag("stable", Version.parse("1.0.0"), null)).isEqualTo("201");

        assertThat(found(client, digest)).isEqualTo("digest 1.0.0");
        assertThat(found(client, "1.0.0")).isEqualTo("version 1.0.0");
        assertThat(found(client, "1.1.0-rc.1")).isEqualTo("version 1.1.0-rc.1");
        assertThat(found(client, "1.1.0+b.7")).isEqualTo("version 1.1.0+b.7");
        assertThat(found(client, "1.1.0_b.7")).isEqualTo("version 1.1.0+b.7"); // as an OCI tag spells it
        assertThat(found(client, "1.1.0")).isEqualTo("version 1.1.0+b.7");
        assertThat(found(client, "1.1.0+b.8")).isEqualTo("404 version-not-found");
        for (String any : List.of("x", "X", "*", "x.x", "X.x.X", "~x", "^x", "=x", "vx", "9 || x")) {
            assertThat(found(client, any)).as(any).isEqualTo("range 2.0.0"); // none of which a tag can be called
        }
        assertThat(found(client, "stable")).isEqualTo("tag 1.0.0");
        assertThat(found(client, "")).isEqualTo("default 2.0.0");
        assertThat(found(client, "=1.0.0")).isEqualTo("range 1.0.0");
        assertThat(found(client, "v1.0.0")).isEqualTo("range 1.0.0");
        assertThat(found(client, "1")).isEqualTo("range 1.1.0+b.7");
        assertThat(BundleClient.members(client.get(":resolve?digest=" + digest), "resolvedBy", "version"))
                .isEqualTo("digest 1.0.0");
        assertThat(BundleClient.members(client.get(":resolve?version=1.0.0&digest=" + digest), "resolvedBy", "version"))
                .isEqualTo("version 1.0.0");
        assertThat(BundleClient.members(client.get(":resolve?version=1.0.0&digest=" + other), "resolvedBy", "version"))
                .isEqualTo("404 version-not-found");
    }

    /// A plus is a space where a form would have written one; elsewhere it begins build metadata.
    @Test
    void aRangeIsReadAsFormsSpellIt() {
        var client = new BundleClient(app(), "forms/kit");
        client.push(Version.parse("1.1.0+b.7"), Map.of("SKILL.md", "x"), List.of(), null);
        client.push(Version.parse("2.0.0"), Map.of("SKILL.md", "x"), List.of(), null);

        for (String range : List.of(">=1.0+<2", ">=1.0%20<2", "1.0+-+1.9", "~1.1+||+~1.0", "1.0.0%2B7%20-%201.9")) {
            assertThat(BundleClient.members(
                            client.get(":resolve?version="
                                    + range.replace("<", "%3C")
                                            .replace(">", "%3E")
                                            .replace("|", "%7C")),
                            "resolvedBy",
                            "version"))
                    .as(range)
                    .isEqualTo("range 1.1.0+b.7");
        }
    }

    /// Full versions are no tags, and what reads as a range is one only where it means what the range means.
    @Test
    void noTagCanHideAVersion() {
        var client = new BundleClient(app(), "hide/kit");
        client.push(Version.parse("1.0.0"), Map.of("SKILL.md", "x"), List.of(), null);
        client.push(Version.parse("1.2.0"), Map.of("SKILL.md", "y"), List.of(), null);

        Gen.forAll(40, gen -> {
            boolean isVersion = gen.chance(0.5);
            String tag = isVersion
                    ? Version.parse(Section11.text(gen)).ociTag()
                    : gen.of(List.of("v", ""))
                            + gen.of(List.of("x", "X", "0", "1", "12"))
                            + gen.of(List.of("", ".x", ".2", ".2.x", ".X"));
            if (tag.length() > 128) {
                return;
            }
            var put = client.tag(tag, Version.parse("1.0.0"), null);
            boolean fits = !isVersion
                    && VersionRange.find(tag)
                            .map(range -> range.contains(Version.parse("1.0.0")))
                            .orElse(true);
            assertThat(put).as(tag).startsWith(fits ? "20" : "422");
        });
    }
}
