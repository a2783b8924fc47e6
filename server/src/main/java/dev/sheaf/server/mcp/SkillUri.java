package dev.sheaf.server.mcp;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.http.server.RequestTarget;
import java.nio.charset.StandardCharsets;

/// `skill://{namespace}/{bundle}@{version}/{path}`: a skill, a folder in it or a file of it; the path begins with the
/// name of the skill. The version is exact, so what a URI names never changes.
///
/// @param path without a slash at its ends; empty: all skills of the version
record SkillUri(RepositoryName bundle, Version version, String path) {
    private static final String SCHEME = "skill://";
    private static final int LONGEST = 4_096;
    private static final String KEPT = "-._~!$&'()*+,;=:@/"; // RFC 3986, section 3.3

    /// @throws RpcError where it is none
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
                            BundleName.parse(whole.substring(slash + 1, at))),
                    Version.parse(whole.substring(at + 1)),
                    end < 0 ? "" : text.substring(end + 1));
        } catch (ProblemException e) {
            throw wrong(uri);
        }
    }

    private static RpcError wrong(String uri) {
        return RpcError.params(Quoted.of(uri) + " is no URI of a skill; those are"
                + " skill://{namespace}/{bundle}@{version}/{skill}/SKILL.md with an exact version, and skills/list has"
                + " them");
    }

    /// The name of the skill.
    String skill() {
        int slash = path.indexOf('/');
        return slash < 0 ? path : path.substring(0, slash);
    }

    /// What is meant in the skill; empty: all of it.
    String inside() {
        int slash = path.indexOf('/');
        return slash < 0 ? "" : path.substring(slash + 1);
    }

    /// The URI of all skills of a version, to which [#path] is added.
    static String root(RepositoryName bundle, Version version) {
        return SCHEME + bundle + "@" + version;
    }

    /// A path as it is added to a URI, with a slash before it.
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
