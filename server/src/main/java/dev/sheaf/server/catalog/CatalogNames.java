package dev.sheaf.server.catalog;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.hub.Hub;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Names and addresses of this registry's content in catalogs: URNs below its domain (ARD, appendix C).
///
/// @param host the domain of the registry, without a port
/// @param base the address of the registry
public record CatalogNames(String host, String base) {
    /// The path of the search; its name is reserved, so no namespace has it.
    public static final String PLACE = "/ard";
    /// The path of the parts of the catalog.
    public static final String PARTS = PLACE + "/catalog";

    private static final String URN = "urn:air:";
    private static final Pattern SITE = Pattern.compile("https?://([^/:]+)(?::[0-9]+)?(?:/.*)?");
    private static final Pattern DOMAIN = Pattern.compile(
            "(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?"); // no IPv4 address

    /// Returns the names below an address; empty if its host is not a domain name with a dot.
    public static Optional<CatalogNames> of(String publicUrl) {
        Matcher site = SITE.matcher(publicUrl);
        if (!site.matches()) {
            return Optional.empty();
        }
        String host = site.group(1).toLowerCase(Locale.ROOT);
        return DOMAIN.matcher(host).matches() ? Optional.of(new CatalogNames(host, publicUrl)) : Optional.empty();
    }

    /// Returns the parts of an identifier below this registry; empty if it belongs to another.
    public Optional<List<String>> parts(String identifier) {
        String own = URN + host + ":";
        return identifier.startsWith(own)
                ? Optional.of(List.of(identifier.substring(own.length()).split(":", -1)))
                : Optional.empty();
    }

    public CatalogEntry registry() {
        return entry(PLACE.substring(1), host, EntryType.REGISTRY, base + PLACE);
    }

    public CatalogEntry namespace(Namespace name, String displayName) {
        return entry(name.value(), displayName, EntryType.CATALOG, base + PARTS + "/" + name);
    }

    /// Returns a part of the list of namespaces. Its name begins as no namespace does.
    CatalogEntry page(String first) {
        return entry("_from_" + first, "From " + first, EntryType.CATALOG, base + PARTS + "?from=" + first);
    }

    /// Returns a part of a namespace's catalog. Its name begins as no bundle does.
    CatalogEntry page(Namespace name, String first) {
        String url = base + PARTS + "/" + name + "?from=" + URLEncoder.encode(first, StandardCharsets.UTF_8);
        return entry(name + ":_from_" + first, name + ", from " + first, EntryType.CATALOG, url);
    }

    private CatalogEntry entry(String below, String displayName, EntryType type, String url) {
        return new CatalogEntry(
                URN + host + ":" + below,
                displayName,
                type.mediaType(),
                type.mediaType(),
                url,
                null,
                List.of(),
                null,
                null,
                null,
                null);
    }

    CatalogEntry plugin(Hub.Entry bundle, String version, Instant at) {
        return content(bundle, EntryType.PLUGIN, "", bundle.name(), bundle.summary(), version, at);
    }

    /// @param description null if it is not known
    public CatalogEntry skill(
            Hub.Entry bundle, String skill, @Nullable String description, String version, Instant at) {
        return content(bundle, EntryType.SKILL, skill, skill, description, version, at);
    }

    private CatalogEntry content(
            Hub.Entry bundle,
            EntryType type,
            String skill,
            String displayName,
            @Nullable String description,
            String version,
            Instant at) {
        String file = skill.isEmpty() ? "/plugin.zip" : "/.well-known/agent-skills/" + skill + ".zip";
        return new CatalogEntry(
                identifier(bundle.ref()) + (skill.isEmpty() ? "" : ":" + skill),
                displayName,
                type.mediaType(),
                type.mediaType(),
                base + "/" + bundle.ref() + "@" + version.replace("+", "%2B") + file,
                description == null || description.isBlank() ? null : description,
                bundle.keywords().lines().toList(),
                version,
                at,
                null,
                null);
    }

    private String identifier(RepositoryName name) {
        return URN + host + ":" + name.namespace() + ":" + name.bundle();
    }
}
