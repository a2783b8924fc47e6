package dev.sheaf.client;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads `sheaf.yaml` and notes all that is wrong with it, each with its line.
final class BundleFileReader {
    /// Every member that there is.
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
            "ignore");

    private final List<Finding> findings = new ArrayList<>();

    /// What was found so far.
    List<Finding> findings() {
        return List.copyOf(findings);
    }

    /// The description, or null where it cannot be one; then at least one finding is an error.
    @Nullable
    BundleFile read(String text) {
        try {
            var root = YamlNode.parse(text);
            var members = root.members();
            members.forEach(this::checkKnown);
            var namespace = required(root, members, "namespace", Namespace::parse);
            var slug = required(root, members, "slug", BundleName::parse);
            var version = required(root, members, "version", Version::parse);
            var title = optional(members, "name", Function.identity());
            var description = optional(members, "description", Function.identity());
            var visibility = optional(members, "visibility", Visibility::parse);
            var readme = optional(members, "readme", Function.identity());
            var license = optional(members, "license", Function.identity());
            var ignore = optional(members, "ignore", Function.identity());
            var keywords = items(members, "keywords").map(YamlNode::text);
            var assets = items(members, "assets").map(BundleFileReader::pattern);
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
                    ignore);
        } catch (YamlNode.Wrong e) {
            findings.add(Finding.error(BundleFile.NAME, e.line(), e.getMessage()));
            return null;
        }
    }

    private void checkKnown(String name, YamlNode value) {
        if (!MEMBERS.contains(name)) {
            findings.add(Finding.error(
                    BundleFile.NAME,
                    value.line(),
                    "there is no member \"" + Failures.showable(name) + "\"; those that are: "
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

    /// The items of a list; one that is wrong is noted and left out.
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

    /// A text, or `{path: …, type: …}`.
    private static BundleFile.Pattern pattern(YamlNode node) {
        if (!(node.node() instanceof org.snakeyaml.engine.v2.nodes.MappingNode)) {
            return new BundleFile.Pattern(checked(node), null, node.line());
        }
        var type = node.members().get("type");
        if (type != null && !AssetType.isKnown(type.text())) {
            throw type.wrong("type: write skill, agent_spec, toolset, prompt, config or other");
        }
        for (String name : node.members().keySet()) {
            if (!name.equals("path") && !name.equals("type")) {
                throw node.wrong("an asset has a path and a type, and no \"" + Failures.showable(name) + "\"");
            }
        }
        return new BundleFile.Pattern(
                checked(node.member("path")), type == null ? null : AssetType.ofInput(type.text()), node.line());
    }

    private static String checked(YamlNode node) {
        String path = node.text();
        if (path.isBlank() || path.contains("..") || path.contains("\\") || path.startsWith("!")) {
            throw node.wrong("an asset is a pattern such as \"skills/**\" of paths below this folder, with \"/\"");
        }
        return path;
    }
}
