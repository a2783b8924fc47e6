package dev.sheaf.client.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An artifact in any OCI registry: `host[:port]/repository[:tag][@digest]`. A digest takes precedence over a tag.
/// Valid by construction.
///
/// @param repository a name in the grammar of the distribution-spec 1.1
/// @param tag `latest` if there is neither tag nor digest; null if there is only a digest
public record OciReference(
        RegistryUrl registry,
        String repository,
        @Nullable String tag,
        @Nullable Digest digest) {
    private static final int LONGEST_REPOSITORY = 255;
    private static final Pattern REPOSITORY =
            Pattern.compile("[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*)*");
    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");

    public OciReference {
        if (repository.length() > LONGEST_REPOSITORY
                || !REPOSITORY.matcher(repository).matches()) {
            throw Problem.invalid(
                    "format", Quoted.of(repository) + " is not a valid repository name for an OCI registry");
        }
        if (tag != null && !TAG.matcher(tag).matches()) {
            throw Problem.invalid("format", Quoted.of(tag) + " is not a valid tag for an OCI registry");
        }
        if (tag == null && digest == null) {
            throw Problem.invalid("format", "an OCI reference needs a tag or a digest");
        }
    }

    /// Returns whether the text begins with a host, by docker's rule: the part before the first slash contains a
    /// dot or a port, or is `localhost` with two more parts after it. Namespaces contain neither dots nor colons.
    public static boolean isOne(String text) {
        int slash = text.indexOf('/');
        String first = slash < 0 ? "" : text.substring(0, slash);
        return first.contains(".")
                || first.contains(":")
                || (first.equals("localhost") && text.indexOf('/', slash + 1) > 0);
    }

    /// Parses a reference. The scheme is `https`, or `http` for a registry on this machine.
    ///
    /// @param known a registry; a reference to the same host and port uses its scheme
    /// @param plain whether to use `http` for all other registries too
    /// @throws dev.sheaf.model.ProblemException validation-failed, naming the part that breaks its grammar
    public static OciReference parse(String text, RegistryUrl known, boolean plain) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw Problem.invalid("format", Quoted.of(text) + " does not name a repository; write host/repository:tag");
        }
        var registry = registry(text.substring(0, slash).toLowerCase(Locale.ROOT), known, plain);
        String rest = text.substring(slash + 1);
        int at = rest.indexOf('@');
        Digest digest = at < 0 ? null : Digest.parse(rest.substring(at + 1));
        String named = at < 0 ? rest : rest.substring(0, at);
        int colon = named.indexOf(':');
        String tag = colon >= 0 ? named.substring(colon + 1) : digest == null ? "latest" : null;
        return new OciReference(registry, colon < 0 ? named : named.substring(0, colon), tag, digest);
    }

    private static RegistryUrl registry(String host, RegistryUrl known, boolean plain) {
        var same = RegistryUrl.parse(known.scheme() + "://" + host);
        if (same.equals(known)) {
            return known;
        }
        boolean http = plain || RegistryUrl.LOOPBACK.matcher(host).matches();
        return RegistryUrl.parse((http ? "http://" : "https://") + host);
    }

    /// Returns `host[:port]/repository`, without the default port of the scheme.
    public String name() {
        return registry.toString().substring(registry.scheme().length() + "://".length()) + "/" + repository;
    }

    /// Returns the digest, or the tag if there is no digest.
    public String selector() {
        return Optional.ofNullable(digest).map(Digest::toString).orElseGet(() -> String.valueOf(tag));
    }

    @Override
    public String toString() {
        return name() + (tag == null ? "" : ":" + tag) + (digest == null ? "" : "@" + digest);
    }
}
