package dev.sheaf.client.install;

import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.Wish;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ByHand;
import dev.sheaf.client.io.Json;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// What a project wants: `sheaf-install.json`, which people may edit. Immutable.
///
/// @param wishes by bundle
record WishFile(SortedMap<String, Wish> wishes) {
    static final String NAME = "sheaf-install.json";
    static final WishFile EMPTY = new WishFile(new TreeMap<>());
    static final int MOST = 1_000;
    private static final int SCHEMA = 1;
    private static final int LONGEST = 4 << 20;
    private static final Set<String> MEMBERS = Set.of("ref", "registry", "range", "skills", "agents", "mode");

    static WishFile of(Collection<Wish> wishes) {
        var sorted = new TreeMap<String, Wish>();
        wishes.forEach(wish -> sorted.put(wish.bundle().toString(), wish));
        return new WishFile(sorted);
    }

    Optional<Wish> find(RepositoryName bundle) {
        return Optional.ofNullable(wishes.get(bundle.toString()));
    }

    WishFile with(Wish wish) {
        var other = new TreeMap<>(wishes);
        other.put(wish.bundle().toString(), wish);
        return new WishFile(other);
    }

    WishFile without(RepositoryName bundle) {
        var other = new TreeMap<>(wishes);
        other.remove(bundle.toString());
        return new WishFile(other);
    }

    /// [#EMPTY] where there is no such file.
    ///
    /// @throws SheafException.Local where it is not as it must be
    static WishFile read(Path file) {
        var text = StateFile.read(file, LONGEST);
        if (text.isEmpty()) {
            return EMPTY;
        }
        try {
            return parse(text.get());
        } catch (ProblemException | SheafException.Server | IllegalArgumentException e) {
            throw new SheafException.Local(file + " cannot be used: " + e.getMessage(), e);
        }
    }

    static WishFile parse(String text) {
        var document = Json.tree(text.getBytes(StandardCharsets.UTF_8));
        if (document == null || !document.isObject()) {
            throw new IllegalArgumentException("it is no JSON object; look for a comma too many or too few");
        }
        if (ByHand.number(document, "version") != SCHEMA) {
            throw new IllegalArgumentException("it has version " + document.path("version")
                    + ", and this program understands version " + SCHEMA + "; update sheaf");
        }
        var wishes = ByHand.list(document, "bundles", WishFile::wish);
        var all = wishes == null ? List.<Wish>of() : wishes;
        var names = new LinkedHashSet<String>();
        for (Wish wish : all) {
            if (!names.add(wish.bundle().toString())) {
                throw new IllegalArgumentException(wish.bundle() + " is there twice; keep one of the two");
            }
        }
        if (all.size() > MOST) {
            throw new IllegalArgumentException("it has " + all.size() + " bundles; at most " + MOST);
        }
        return of(all);
    }

    private static Wish wish(JsonNode node) {
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            if (!MEMBERS.contains(member.getKey())) {
                throw new IllegalArgumentException("a bundle has the member \"" + member.getKey()
                        + "\", which is none of " + String.join(", ", new TreeSet<>(MEMBERS)));
            }
        }
        var bundle = RepositoryName.parse(text(node, "ref"));
        var agents = ByHand.list(
                node, "agents", agent -> Agents.named(agent.asString("")).id());
        if (agents == null || agents.isEmpty()) {
            throw new IllegalArgumentException(bundle + " names no agents");
        }
        var things = ByHand.list(node, "skills", thing -> ThingName.parse(thing.asString("")));
        return new Wish(
                RegistryUrl.parse(text(node, "registry")),
                bundle,
                Wish.range(text(node, "range")),
                things == null ? new TreeSet<>() : new TreeSet<>(things),
                new TreeSet<>(agents),
                isLink(text(node, "mode")));
    }

    private static boolean isLink(String mode) {
        return switch (mode) {
            case "link" -> true;
            case "copy" -> false;
            default -> throw new IllegalArgumentException("\"mode\" is copy or link");
        };
    }

    private static String text(JsonNode node, String member) {
        String text = ByHand.text(node, member);
        if (text == null) {
            throw new IllegalArgumentException("a bundle lacks \"" + member + "\"");
        }
        return text;
    }

    /// The document: each member and each item on a line of its own, so that version control merges it.
    String text() {
        String bundles = wishes.values().stream()
                .sorted(Comparator.comparing(wish -> wish.bundle().toString()))
                .map(WishFile::text)
                .collect(Collectors.joining(",\n"));
        return "{\n  \"version\": " + SCHEMA + ",\n  \"bundles\": ["
                + (bundles.isEmpty() ? "" : "\n" + bundles + "\n  ") + "]\n}\n";
    }

    private static String text(Wish wish) {
        var text = new StringBuilder("    {\n");
        member(text, "ref", wish.bundle());
        member(text, "registry", wish.registry());
        member(text, "range", wish.range());
        if (!wish.things().isEmpty()) {
            list(text, "skills", wish.things());
        }
        list(text, "agents", wish.agents());
        return text.append("      \"mode\": \"")
                .append(wish.link() ? "link" : "copy")
                .append("\"\n    }")
                .toString();
    }

    private static void member(StringBuilder text, String name, Object value) {
        text.append("      \"")
                .append(name)
                .append("\": ")
                .append(Json.text(value.toString()))
                .append(",\n");
    }

    private static void list(StringBuilder text, String name, Collection<?> values) {
        text.append("      \"").append(name).append("\": [\n");
        text.append(values.stream()
                .map(value -> "        " + Json.text(value.toString()))
                .collect(Collectors.joining(",\n")));
        text.append("\n      ],\n");
    }
}
