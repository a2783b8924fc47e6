package dev.sheaf.client.install;

import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.ContentKind;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ByHand;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.VersionSelector;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads `skills-lock.json`, in which the npm program `skills` records the source URL of each skill. Skills
/// from one Sheaf registry become wishes. The file is untrusted.
final class SkillsLock {
    static final String NAME = "skills-lock.json";
    private static final int LONGEST = 4 << 20;
    private static final Pattern PATH = Pattern.compile("/([^/@]+/[^/@]+?)(\\.git)?/?(?:@([^@]+))?(?:@([^@]+))?/?");

    private final RegistryUrl registry;
    private final Path root;
    private final Consumer<String> notices;

    /// @param notices receives a notice for each skill that is left out
    SkillsLock(RegistryUrl registry, Path root, Consumer<String> notices) {
        this.registry = registry;
        this.root = root;
        this.notices = notices;
    }

    /// A skill and its source.
    private record Source(RepositoryName bundle, VersionSelector range, ThingName skill) {}

    /// @param programs the ids of the programs that are used in the project
    /// @throws SheafException.Local if the file does not exist or is unusable
    List<WantedBundle> wishes(Path file, SortedSet<String> programs) {
        String text = StateFile.read(file, LONGEST)
                .orElseThrow(() -> new SheafException.Local(
                        file + " does not exist; the npm program skills creates it in a project", null));
        var sources = new ArrayList<Source>();
        try {
            var document = WireJson.strict(text.getBytes(StandardCharsets.UTF_8));
            document.path("skills")
                    .properties()
                    .forEach(skill -> source(skill.getKey(), skill.getValue()).ifPresent(sources::add));
        } catch (IllegalArgumentException e) {
            throw new SheafException.Local(file + " cannot be used: " + e.getMessage(), e);
        }
        var byBundle = new LinkedHashMap<RepositoryName, List<Source>>();
        sources.forEach(source -> byBundle.computeIfAbsent(source.bundle(), one -> new ArrayList<>())
                .add(source));
        var wishes = new ArrayList<WantedBundle>();
        byBundle.forEach((bundle, all) -> wishes.add(wish(bundle, all, programs)));
        return wishes;
    }

    private Optional<Source> source(String name, JsonNode entry) {
        try {
            String address = ByHand.text(entry, "sourceUrl");
            if (address == null && "well-known".equals(ByHand.text(entry, "sourceType"))) {
                notices.accept(name + " is left out: " + NAME + " has no URL for it, because versions of skills before"
                        + " 1.7 do not write one; install it from its bundle");
                return Optional.empty();
            }
            var uri = address == null ? null : URI.create(address);
            if (uri == null || !registry.isOriginOf(uri)) {
                notices.accept(name + " is left out: it is not from " + registry + " but from "
                        + entry.path("source").asString("elsewhere"));
                return Optional.empty();
            }
            var match = PATH.matcher(URLDecoder.decode(uri.getRawPath().replace("+", "%2B"), StandardCharsets.UTF_8));
            if (!match.matches()) {
                notices.accept(name + " is left out: " + address + " is not the URL of a bundle");
                return Optional.empty();
            }
            var skill = new ThingName(ContentKind.SKILL, name);
            String range = match.group(2) == null ? match.group(3) : ByHand.text(entry, "ref");
            boolean isSkill = match.group(4) == null && name.equals(range);
            return Optional.of(new Source(RepositoryName.parse(match.group(1)), range(isSkill ? null : range), skill));
        } catch (ProblemException | IllegalArgumentException e) {
            notices.accept(name + " is left out: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static VersionSelector range(@Nullable String text) {
        return text == null || text.equals("main") || text.equals("HEAD")
                ? new VersionSelector.Default()
                : WantedBundle.range(text);
    }

    /// Selects one version of a bundle: the source of most of its skills.
    private WantedBundle wish(RepositoryName bundle, List<Source> sources, SortedSet<String> programs) {
        Map<VersionSelector, Integer> count = new HashMap<>();
        sources.forEach(source -> count.merge(source.range(), 1, Integer::sum));
        var range = count.entrySet().stream()
                .max(Map.Entry.<VersionSelector, Integer>comparingByValue()
                        .thenComparing(entry -> entry.getKey().toString(), Comparator.reverseOrder()))
                .orElseThrow()
                .getKey();
        var things = new TreeSet<ThingName>();
        for (Source source : sources) {
            if (source.range().equals(range)) {
                things.add(source.skill());
            } else {
                notices.accept(source.skill() + " is left out: it is from " + bundle + " " + source.range()
                        + ", but the others are from " + range + "; a project can only have one version of a bundle");
            }
        }
        var agents = new TreeSet<>(programs);
        boolean link = false;
        for (ThingName thing : things) {
            link |= findInstalled(thing, agents);
        }
        return new WantedBundle(registry, bundle, range, things, agents, link);
    }

    /// Adds a program for each place that already contains the skill. Returns whether any of these places is a
    /// link.
    private boolean findInstalled(ThingName thing, SortedSet<String> agents) {
        boolean link = false;
        var places = new TreeMap<String, String>();
        Agents.all()
                .forEach(agent -> agent.place(InstallLevel.PROJECT, thing)
                        .ifPresent(place -> places.putIfAbsent(place, agent.id())));
        for (var place : places.entrySet()) {
            Path at = root.resolve(place.getKey());
            if (Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
                link |= Files.isSymbolicLink(at);
                if (!Agents.places(agents, InstallLevel.PROJECT, thing).contains(place.getKey())) {
                    agents.add(place.getValue());
                }
            }
        }
        return link;
    }
}
