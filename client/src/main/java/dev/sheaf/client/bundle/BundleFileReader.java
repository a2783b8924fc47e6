package dev.sheaf.client.bundle;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.ErrorResponses;
import dev.sheaf.client.io.YamlNode;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.Visibility;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads a `sheaf.yaml` and collects all errors with their lines.
final class BundleFileReader {
    /// All allowed members.
    static final Set<String> MEMBERS = Set.of(
            "namespace",
            "slug",
            "version",
            "name",
            "description",
            "visibility",
            "readme",
            "license",
            "keywords",
            "assets",
            "executable",
            "ignore",
            "requires");

    private static final Set<String> OF_REQUIREMENT = Set.of("bundle", "range", "optional");

    /// The limit of registries (contract 3.3), in characters. docs/sheaf.schema.json contains the same limits.
    private static final int LONGEST_NAME = 200;

    private static final int LONGEST_DESCRIPTION = 4_000;
    private static final int MOST_KEYWORDS = 50;
    private static final int LONGEST_KEYWORD = 60;

    private final @Nullable Reference reference;
    private final @Nullable Version published;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<String, Integer> lines = new HashMap<>();

    /// @param reference overrides namespace, slug and version of the file; null to use the file's values
    /// @throws SheafException.InvalidRequest if `reference` has no exact version
    BundleFileReader(@Nullable Reference reference) {
        this.reference = reference;
        this.published = reference == null ? null : exact(reference);
    }

    private static Version exact(Reference reference) {
        if (reference.selector() instanceof VersionSelector.ByVersion(Version version)) {
            return version;
        }
        throw new SheafException.InvalidRequest("a push needs an exact version: write " + reference.repository()
                + ":1.2.3 with the version to publish");
    }

    /// Returns the errors found so far.
    List<Finding> findings() {
        return List.copyOf(findings);
    }

    /// Returns the line of a member; 0 if it is missing.
    int line(String member) {
        return lines.getOrDefault(member, 0);
    }

    /// Returns the description; null if it is unusable, and then at least one finding is an error.
    @Nullable
    public BundleFile read(String text) {
        try {
            var root = YamlNode.parse(text);
            var members = root.members();
            members.forEach(this::checkKnown);
            members.forEach((name, value) -> lines.put(name, value.line()));
            var named = reference == null ? null : reference.repository();
            var namespace = named == null ? required(root, members, "namespace", Namespace::parse) : named.namespace();
            var slug = named == null ? required(root, members, "slug", BundleName::parseSlug) : named.bundle();
            var version = published == null ? required(root, members, "version", Version::parse) : published;
            var title = optional(members, "name", said -> atMost(said, LONGEST_NAME));
            var description = optional(members, "description", said -> atMost(said, LONGEST_DESCRIPTION));
            var visibility = optional(members, "visibility", Visibility::parse);
            var readme = optional(members, "readme", Function.identity());
            var license = optional(members, "license", said -> atMost(said, LONGEST_NAME));
            var ignore = optional(members, "ignore", Function.identity());
            var keywords = keywords(members);
            var assets = items(members, "assets").map(BundleFileReader::pattern);
            var executable = items(members, "executable").map(BundleFileReader::checked);
            var requires = items(members, "requires").map(BundleFileReader::requirement);
            if (namespace == null || slug == null || version == null) {
                return null;
            }
            return new BundleFile(
                    namespace,
                    slug,
                    version,
                    title,
                    description,
                    visibility,
                    readme,
                    license,
                    keywords,
                    assets,
                    executable,
                    ignore,
                    checked(requires, new RepositoryName(namespace, slug)));
        } catch (YamlNode.Wrong e) {
            findings.add(Finding.error(BundleFile.NAME, e.line(), e.getMessage()));
            return null;
        }
    }

    /// Returns the description of a folder without `sheaf.yaml`: only the reference. Null if there is no
    /// reference.
    @Nullable
    BundleFile absent() {
        if (reference == null || published == null) {
            findings.add(Finding.error(
                    BundleFile.NAME, 0, "missing; create it, or name what to push: NAMESPACE/BUNDLE:VERSION"));
            return null;
        }
        var name = reference.repository();
        return new BundleFile(
                name.namespace(),
                name.bundle(),
                published,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                List.of(),
                List.of(),
                null,
                List.of());
    }

    private void checkKnown(String name, YamlNode value) {
        if (!MEMBERS.contains(name)) {
            findings.add(Finding.error(
                    BundleFile.NAME,
                    value.line(),
                    "unknown member \"" + ErrorResponses.showable(name) + "\"; known members are "
                            + String.join(", ", new TreeSet<>(MEMBERS))));
        }
    }

    private <T> @Nullable T required(
            YamlNode root, Map<String, YamlNode> members, String name, Function<String, T> parse) {
        var value = members.get(name);
        if (value == null || value.isNull()) {
            int line = value == null ? root.line() : value.line();
            findings.add(Finding.error(BundleFile.NAME, line, "\"" + name + "\" is missing"));
            return null;
        }
        return optional(members, name, parse);
    }

    private <T> @Nullable T optional(Map<String, YamlNode> members, String name, Function<String, T> parse) {
        var value = members.get(name);
        if (value == null || value.isNull()) {
            return null;
        }
        try {
            return parse.apply(value.text());
        } catch (ProblemException e) {
            findings.add(Finding.error(BundleFile.NAME, value.line(), name + ": " + e.getMessage()));
        } catch (YamlNode.Wrong e) {
            findings.add(Finding.error(BundleFile.NAME, e.line(), name + ": " + e.getMessage()));
        }
        return null;
    }

    private Items items(Map<String, YamlNode> members, String name) {
        var value = members.get(name);
        return new Items(value == null || value.isNull() ? List.of() : value.items());
    }

    /// Reads the items of a list. Reports invalid items and leaves them out.
    private final class Items {
        private final List<YamlNode> nodes;

        Items(List<YamlNode> nodes) {
            this.nodes = nodes;
        }

        <T> List<T> map(Function<YamlNode, T> read) {
            var values = new ArrayList<T>();
            for (YamlNode node : nodes) {
                try {
                    values.add(read.apply(node));
                } catch (YamlNode.Wrong e) {
                    findings.add(Finding.error(BundleFile.NAME, e.line(), e.getMessage()));
                }
            }
            return values;
        }
    }

    private List<String> keywords(Map<String, YamlNode> members) {
        var keywords = items(members, "keywords").map(BundleFileReader::keyword);
        if (keywords.size() > MOST_KEYWORDS) {
            findings.add(Finding.error(
                    BundleFile.NAME,
                    line("keywords"),
                    "keywords: " + keywords.size() + " keywords; at most " + MOST_KEYWORDS));
        }
        return keywords;
    }

    private List<Requirement> checked(List<Requirement> requires, RepositoryName name) {
        Requirement.check(requires, name)
                .forEach(error ->
                        findings.add(Finding.error(BundleFile.NAME, line("requires"), "requires: " + error.detail())));
        return requires;
    }

    /// Parses `{bundle: …, range: …, optional: …}`.
    private static Requirement requirement(YamlNode node) {
        for (String name : node.members().keySet()) {
            if (!OF_REQUIREMENT.contains(name)) {
                throw node.wrong("requires: an entry has the members bundle, range and optional, not \""
                        + ErrorResponses.showable(name) + "\"");
            }
        }
        var optional = node.members().get("optional");
        String isOptional = optional == null ? "false" : optional.text();
        if (!isOptional.equals("true") && !isOptional.equals("false")) {
            throw node.wrong("requires: optional must be true or false");
        }
        try {
            return new Requirement(
                    RepositoryName.parse(node.member("bundle").text()),
                    node.member("range").text(),
                    isOptional.equals("true"));
        } catch (ProblemException e) {
            throw node.wrong("requires: " + e.getMessage());
        }
    }

    private static String atMost(String text, int most) {
        int length = text.codePointCount(0, text.length());
        if (text.isBlank() || length > most) {
            throw Problem.invalid("range", length + " characters; write 1 to " + most);
        }
        return text;
    }

    private static String keyword(YamlNode node) {
        String word = node.text();
        if (word.isBlank() || word.length() > LONGEST_KEYWORD || word.chars().anyMatch(Character::isISOControl)) {
            throw node.wrong("keywords: a keyword is a line of 1 to " + LONGEST_KEYWORD + " characters");
        }
        return word;
    }

    /// Parses a string, or `{path: …, type: …}`.
    private static BundleFile.Pattern pattern(YamlNode node) {
        if (!(node.node() instanceof org.snakeyaml.engine.v2.nodes.MappingNode)) {
            return new BundleFile.Pattern(checked(node), null, node.line());
        }
        var type = node.members().get("type");
        if (type != null && !AssetType.isKnown(type.text())) {
            throw type.wrong("type: write skill, agent_spec, toolset, prompt, config, plugin, mcp or other");
        }
        for (String name : node.members().keySet()) {
            if (!name.equals("path") && !name.equals("type")) {
                throw node.wrong(
                        "an asset has the members path and type, not \"" + ErrorResponses.showable(name) + "\"");
            }
        }
        return new BundleFile.Pattern(
                checked(node.member("path")), type == null ? null : AssetType.ofInput(type.text()), node.line());
    }

    private static String checked(YamlNode node) {
        String path = node.text();
        if (path.isBlank() || path.contains("..") || path.contains("\\") || path.startsWith("!")) {
            throw node.wrong("an asset is a pattern of paths below this folder, with \"/\", such as \"skills/**\"");
        }
        try {
            Glob.of(path);
        } catch (ProblemException e) {
            throw node.wrong(String.valueOf(e.getMessage()));
        }
        return path;
    }
}
