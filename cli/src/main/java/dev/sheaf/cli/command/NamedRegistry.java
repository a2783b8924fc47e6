package dev.sheaf.cli.command;

import dev.sheaf.client.api.OciReference;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Problem;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The registry in the references of a command line, if any: `bundles.example.com/acme/kit:1.0.0` as `resolve`
/// prints it, or with `https://` as a browser shows it.
public final class NamedRegistry {
    private static final Pattern ADDRESS = Pattern.compile("(https?://)([^/]+)/(.+)");

    private @Nullable String named;
    private @Nullable String other;

    /// Returns the reference without its registry, and remembers the registry.
    public String without(String reference) {
        var address = ADDRESS.matcher(reference);
        if (address.matches()) {
            note(address.group(1) + address.group(2));
            return address.group(3);
        }
        if (!OciReference.isOne(reference)) {
            return reference;
        }
        int slash = reference.indexOf('/');
        note(reference.substring(0, slash));
        return reference.substring(slash + 1);
    }

    private void note(String registry) {
        if (named == null) {
            named = registry;
        } else if (!named.equals(registry)) {
            other = registry;
        }
    }

    /// Returns the address of the named registry: `usual` if it has the same host, else as [RegistryUrl#parse]
    /// reads it. Empty if no registry was named.
    ///
    /// @param usual the registry of commands that do not name one
    /// @throws dev.sheaf.model.ProblemException validation-failed if two were named
    Optional<RegistryUrl> url(RegistryUrl usual) {
        if (other != null) {
            throw Problem.invalid(
                    "format", named + " and " + other + " are different registries; run the command once for each");
        }
        return Optional.ofNullable(named).map(text -> isHost(text, usual) ? usual : RegistryUrl.parse(text));
    }

    /// Returns whether a text is the host of this registry, with the port unless it is the scheme's default.
    static boolean isHost(String text, RegistryUrl registry) {
        return text.equalsIgnoreCase(registry.authority())
                || text.equalsIgnoreCase(registry.host() + ":" + registry.port());
    }

    boolean isNamed() {
        return named != null;
    }
}
