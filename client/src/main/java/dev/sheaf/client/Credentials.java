package dev.sheaf.client;

import dev.sheaf.model.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where the key for one registry is kept. Looked up in this order (specification, "Authentication"): the
/// environment variable `SHEAF_API_KEY`; the operating system's keyring, service `sheaf/<host[:port]>`, account
/// `api-key`; the file `credentials/<host_port>/api-key` in the user's data folder.
public final class Credentials {
    public static final String VARIABLE = "SHEAF_API_KEY";

    private static final String ACCOUNT = "api-key";

    /// Where a key was found or stored.
    public enum Source {
        ENVIRONMENT,
        KEYRING,
        FILE
    }

    /// A key and where it is.
    ///
    /// @param place for people: the variable, the keyring's service or the file
    public record Found(Secret key, Source source, String place) {}

    private final @Nullable String variable;
    private final Keychain keychain;
    private final String service;
    private final CredentialFile file;

    /// The places for `registry` of a user with this environment, keychain and these folders.
    public Credentials(
            RegistryUrl registry, Map<String, String> environment, Keychain keychain, Directories directories) {
        this.variable = environment.get(VARIABLE);
        this.keychain = keychain;
        this.service = "sheaf/" + registry.authority();
        this.file = new CredentialFile(directories.data().resolve("credentials").resolve(registry.folderName()));
    }

    /// The places of the user who runs this process.
    public static Credentials ofThisUser(RegistryUrl registry) {
        return new Credentials(
                registry,
                System.getenv(),
                Keychain.ofThisUser(System.getenv(), System.getProperty("os.name", "")),
                Directories.ofThisUser());
    }

    /// The first key in the order above.
    ///
    /// @throws SheafException.Local where the file is open to other users, or the key cannot be one
    public Optional<Found> find() {
        return environment()
                .or(() -> keychain.find(service, ACCOUNT)
                        .map(key -> new Found(key, Source.KEYRING, "the keyring (" + service + ")")))
                .or(() -> file.find()
                        .map(key -> new Found(key, Source.FILE, file.path().toString())))
                .map(Credentials::checked);
    }

    private Optional<Found> environment() {
        return variable == null || variable.isBlank()
                ? Optional.empty()
                : Optional.of(new Found(Secret.of(variable.strip()), Source.ENVIRONMENT, VARIABLE));
    }

    /// A key goes into a header, where white space and control characters have no place. The key itself is not
    /// shown.
    private static Found checked(Found found) {
        if (!isSendable(found.key())) {
            throw new SheafException.Local(
                    "the key in " + found.place() + " holds white space or other characters that no key has; store it"
                            + " again",
                    null);
        }
        return found;
    }

    /// Whether this could be a key or token at all: printable ASCII without spaces.
    public static boolean isSendable(Secret key) {
        String text = key.expose();
        return !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }

    /// Keeps a key: in the keyring, or in the file where the keyring does not take it. Returns where it is now.
    public Found store(Secret key) {
        if (keychain.store(service, ACCOUNT, key)) {
            file.remove(); // an older key there would come to light again after a logout
            return new Found(key, Source.KEYRING, "the keyring (" + service + ")");
        }
        file.store(key);
        return new Found(key, Source.FILE, file.path().toString());
    }

    /// Forgets the stored keys; the environment is not this program's to change. Returns where there was one.
    public List<Source> forget() {
        var removed = new ArrayList<Source>();
        if (keychain.remove(service, ACCOUNT)) {
            removed.add(Source.KEYRING);
        }
        if (file.remove()) {
            removed.add(Source.FILE);
        }
        return removed;
    }
}
