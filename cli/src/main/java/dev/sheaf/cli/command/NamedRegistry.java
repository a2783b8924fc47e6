package dev.sheaf.cli.command;

import dev.sheaf.client.api.OciReference;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Problem;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The registry that the references of a command line name, if they do: `bundles.example.com/acme/kit:1.0.0` as
/// `resolve` prints it, or with `https://` in front as a browser shows it.
public final class NamedRegistry {
    private static final Pattern ADDRESS = Pattern.compile("(https?://)([^/]+)/(.+)");

    private @Nullable String named;
    private @Nullable String other;

    /// The reference without its registry, which is noted.
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

    /// Its address: that of `usual` where that is the host, else as [RegistryUrl#parse] takes it.
    ///
    /// @param usual where a command goes that names none
    /// @throws dev.sheaf.model.ProblemException validation-failed where two were named
    Optional<RegistryUrl> url(RegistryUrl usual) {
        if (other != null) {
            throw Problem.invalid(
                    "format",
                    named + " and " + other + " are two registries; a command is about one: type it once for each");
        }
        return Optional.ofNullable(named).map(text -> isHost(text, usual) ? usual : RegistryUrl.parse(text));
    }

    /// Whether a text is the host of this registry, with its port where it is not the scheme's own.
    static boolean isHost(String text, RegistryUrl registry) {
        return text.equalsIgnoreCase(registry.authority())
                || text.equalsIgnoreCase(registry.host() + ":" + registry.port());
    }

    boolean isNamed() {
        return named != null;
    }
}
