package dev.sheaf.server.bundle;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The members of a request that set the profile of a bundle.
public final class ProfileFields {
    public static final int MAX_NAME = 200;
    private static final int MAX_DESCRIPTION = 4_000;
    private static final int MAX_URL = 2_000;
    private static final int MAX_KEYWORDS = 50;
    private static final int MAX_KEYWORD = 60;

    private ProfileFields() {}

    /// Reads the profile from a request that publishes a version. The default name is the slug.
    ///
    /// @param maxReadme the maximum size of the README in bytes
    public static BundleProfile ofVersion(RequestFields fields, BundleName slug, int maxReadme) {
        String name = fields.optional("name", MAX_NAME);
        return BundleProfile.of(
                name == null || name.isBlank() ? slug.value() : name,
                fields.optional("description", MAX_DESCRIPTION),
                readme(fields, maxReadme),
                fields.optional("readmeFormat", MAX_NAME));
    }

    /// Reads a merge patch (RFC 7396): absent members stay as they are, null removes a value. Apply the result
    /// only after [RequestFields#finish] has found no error.
    ///
    /// @param maxReadme the maximum size of the README in bytes
    public static UnaryOperator<BundleProfile> patch(RequestFields fields, int maxReadme) {
        String name = fields.sent("name") ? fields.required("name", MAX_NAME) : null;
        String description = fields.optional("description", MAX_DESCRIPTION);
        String readme = readme(fields, maxReadme);
        String format = fields.optional("readmeFormat", MAX_NAME);
        String license = fields.optional("license", MAX_NAME);
        String repositoryUrl = url(fields, "repositoryUrl");
        String homepageUrl = url(fields, "homepageUrl");
        var keywords = keywords(fields);
        return before -> new BundleProfile(
                name == null ? before.name() : name,
                chosen(fields, "description", description, before.description()),
                chosen(fields, "readmeContent", readme, before.readmeContent()),
                chosen(fields, "readmeFormat", format, before.readmeFormat()),
                chosen(fields, "license", license, before.license()),
                chosen(fields, "repositoryUrl", repositoryUrl, before.repositoryUrl()),
                chosen(fields, "homepageUrl", homepageUrl, before.homepageUrl()),
                fields.sent("keywords") ? keywords : before.keywords());
    }

    /// @param max the maximum size in bytes
    private static @Nullable String readme(RequestFields fields, int max) {
        String readme = fields.optional("readmeContent", Integer.MAX_VALUE);
        if (readme != null) {
            fields.utf8("readmeContent", max);
        }
        return readme;
    }

    private static @Nullable String chosen(
            RequestFields fields, String name, @Nullable String sent, @Nullable String before) {
        return fields.sent(name) ? sent : before;
    }

    /// Reads an address; null if it is absent.
    static @Nullable String url(RequestFields fields, String name) {
        return fields.has(name) && fields.optional(name, MAX_URL) != null
                ? fields.parsed(name, ProfileFields::web, "")
                : null;
    }

    /// Returns the address; refuses all schemes except https and http.
    private static String web(String text) {
        try {
            var uri = new URI(text);
            boolean web = "https".equalsIgnoreCase(uri.getScheme()) || "http".equalsIgnoreCase(uri.getScheme());
            if (web && uri.getHost() != null) {
                return text;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        throw Problem.invalid("format", "must be an address that begins with https:// or http://");
    }

    /// Returns the keywords, one per line; null if there are none.
    private static @Nullable String keywords(RequestFields fields) {
        var words = fields.texts("keywords");
        if (words == null || words.isEmpty()) {
            return null;
        }
        if (words.size() > MAX_KEYWORDS) {
            fields.error("keywords", "range", "has " + words.size() + " entries; at most " + MAX_KEYWORDS);
        }
        for (int i = 0; i < Math.min(words.size(), MAX_KEYWORDS); i++) {
            String word = words.get(i);
            if (word.isBlank() || word.length() > MAX_KEYWORD || word.chars().anyMatch(Character::isISOControl)) {
                fields.error(
                        "keywords/" + i,
                        "format",
                        "has " + Quoted.of(word) + "; a keyword is a line of 1 to " + MAX_KEYWORD + " characters");
            }
        }
        return words.stream().distinct().collect(Collectors.joining("\n"));
    }
}
