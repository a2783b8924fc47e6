package dev.sheaf.server.mcp;

import dev.sheaf.engine.http.RequestTarget;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.text.Quoted;
import java.nio.charset.StandardCharsets;

/// A URI of the form `skill://{namespace}/{bundle}@{version}/{path}`, for a skill or for a folder or file in
/// it. The path begins with the name of the skill. The version is exact, so the content behind a URI never
/// changes.
///
/// @param path without a slash at either end; empty for all skills of the version
record SkillUri(RepositoryName bundle, Version version, String path) {
    private static final String SCHEME = "skill://";
    private static final int LONGEST = 4_096;
    private static final String KEPT = "-._~!$&'()*+,;=:@/"; // RFC 3986, section 3.3

    /// @throws RpcError if it is not such a URI
    static SkillUri parse(String uri) {
        String text = uri.length() <= LONGEST && uri.startsWith(SCHEME)
                ? RequestTarget.decode(uri.substring(SCHEME.length()))
                : null;
        if (text == null) {
            throw wrong(uri);
        }
        int slash = text.indexOf('/');
        int at = text.indexOf('@', slash + 1);
        int end = text.indexOf('/', slash + 1);
        String whole = text.substring(0, end < 0 ? text.length() : end);
        if (slash < 0 || at < 0 || at >= whole.length()) {
            throw wrong(uri);
        }
        try {
            return new SkillUri(
                    new RepositoryName(
                            Namespace.parse(whole.substring(0, slash)),
                            BundleName.parseBundle(whole.substring(slash + 1, at))),
                    Version.parse(whole.substring(at + 1)),
                    end < 0 ? "" : text.substring(end + 1));
        } catch (ProblemException e) {
            throw wrong(uri);
        }
    }

    private static RpcError wrong(String uri) {
        return RpcError.params(Quoted.of(uri) + " is not the URI of a skill; it must be"
                + " skill://{namespace}/{bundle}@{version}/{skill}/SKILL.md with an exact version; skills/list lists"
                + " the URIs");
    }

    /// Returns the name of the skill.
    String skill() {
        int slash = path.indexOf('/');
        return slash < 0 ? path : path.substring(0, slash);
    }

    /// Returns the path within the skill; empty for the skill itself.
    String inside() {
        int slash = path.indexOf('/');
        return slash < 0 ? "" : path.substring(slash + 1);
    }

    /// Returns the URI of all skills of a version, to which [#path] is appended.
    static String root(RepositoryName bundle, Version version) {
        return SCHEME + bundle + "@" + version;
    }

    /// Returns the encoded path with a slash before it, to append to a URI.
    static String added(String path) {
        var encoded = new StringBuilder("/");
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (plain || KEPT.indexOf(c) >= 0) {
                encoded.append(c);
            } else {
                encoded.append('%').append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
                encoded.append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            }
        }
        return encoded.toString();
    }

    @Override
    public String toString() {
        return root(bundle, version) + (path.isEmpty() ? "" : added(path));
    }
}
