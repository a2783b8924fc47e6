package dev.sheaf.client.credentials;

import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.Directories;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.Transport;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.model.key.Secret;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where the key for one registry is kept, or the session of whoever signed in. Looked up in this order
/// (specification, "Authentication"): the environment variable `SHEAF_API_KEY`; the operating system's keyring,
/// service `sheaf/<host[:port]>`, account `api-key`; the file `credentials/<host_port>/api-key` in the user's data
/// folder. A session lies in the same places as `session`; where there is a key as well, the key counts. Where
/// there is neither, what `docker login` has kept for the registry counts ([DockerCredentials]): its password or
/// token is taken for a key.
///
/// What is kept for a scheme, host and port is used for these only. Thread-safe.
public final class Credentials {
    public static final String VARIABLE = "SHEAF_API_KEY";

    private static final String KEY = "api-key";
    private static final String SESSION = "session";

    /// Where a key was found or stored.
    public enum Source {
        ENVIRONMENT,
        KEYRING,
        FILE,
        DOCKER
    }

    /// A key and where it is.
    ///
    /// @param place for people: the variable, the keyring's service or the file
    public record Found(Secret key, Source source, String place) {}

    private final @Nullable String variable;
    private final Keychain keychain;
    private final String service;
    private final CredentialFile file;
    private final CredentialFile sessionFile;
    private final KeptSession session;
    private final KeptScheme scheme;
    private final RegistryUrl registry;
    private final DockerCredentials docker;
    private final InstantSource clock;

    /// The places for `registry` of a user with this environment, keychain and these folders.
    public Credentials(
            RegistryUrl registry, Map<String, String> environment, Keychain keychain, Directories directories) {
        this(registry, environment, keychain, directories, NetworkSettings.of(environment, null));
    }

    /// The same; a session is renewed by way of `network`.
    public Credentials(
            RegistryUrl registry,
            Map<String, String> environment,
            Keychain keychain,
            Directories directories,
            NetworkSettings network) {
        this(registry, environment, keychain, directories, network, InstantSource.system());
    }

    Credentials(
            RegistryUrl registry,
            Map<String, String> environment,
            Keychain keychain,
            Directories directories,
            NetworkSettings network,
            InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
        this.docker = DockerCredentials.of(environment);
        this.variable = environment.get(VARIABLE);
        this.keychain = keychain;
        this.service = "sheaf/" + registry.authority();
        var folder = directories.data().resolve("credentials").resolve(registry.folderName());
        this.file = new CredentialFile(folder, KEY);
        this.sessionFile = new CredentialFile(folder, SESSION);
        this.scheme = new KeptScheme(folder, registry);
        this.session = new KeptSession(
                new SessionPlace(),
                folder.toAbsolutePath(),
                () -> new TokenEndpoint(Transport.anonymous(registry, network), clock),
                clock);
    }

    /// The places of the user who runs this process.
    public static Credentials ofThisUser(RegistryUrl registry) {
        return new Credentials(
                registry,
                System.getenv(),
                Keychain.ofThisUser(System.getenv(), System.getProperty("os.name", "")),
                Directories.ofThisUser());
    }

    /// The first key in the order above, else the session, else what docker has.
    ///
    /// @throws SheafException.Local where a file is open to other users, or the key cannot be one, or was kept for
    ///     the other scheme
    public Optional<Bearer> bearer() {
        return find().<Bearer>map(found -> found::key).or(this::session).or(() -> docker().map(found -> found::key));
    }

    /// The first key, else the access token of the session, as far as nothing has to be renewed for it and no other
    /// program but the keyring's asked: for what must be over soon, and may be stopped at any moment.
    ///
    /// @throws SheafException.Local as [#bearer]
    public Optional<Bearer> atHand() {
        return find().<Bearer>map(found -> found::key)
                .or(() -> new SessionPlace()
                        .find()
                        .filter(kept -> kept.isFresh(clock.instant()))
                        .map(kept -> kept::access));
    }

    /// What docker has for the registry.
    ///
    /// @throws SheafException.Local where that cannot be used
    Optional<Found> docker() {
        return docker.find(registry)
                .map(login -> new Found(login.secret(), Source.DOCKER, "docker (" + login.place() + ")"))
                .map(Credentials::checked);
    }

    /// The session that is kept.
    public Optional<KeptSession> session() {
        return lookUp(SESSION, sessionFile).map(found -> session);
    }

    /// The first key in the order above.
    ///
    /// @throws SheafException.Local where the file is open to other users, or the key cannot be one
    public Optional<Found> find() {
        return environment().or(() -> lookUp(KEY, file)).map(Credentials::checked);
    }

    private Optional<Found> lookUp(String account, CredentialFile other) {
        return inKeyring(account).or(() -> inFile(other));
    }

    private Optional<Found> inKeyring(String account) {
        return keychain.find(service, account).map(scheme::checked).map(this::inKeyring);
    }

    private Optional<Found> inFile(CredentialFile other) {
        return other.find().map(scheme::checked).map(secret -> inFile(secret, other));
    }

    private Found inKeyring(Secret secret) {
        return new Found(secret, Source.KEYRING, "the keyring (" + service + ")");
    }

    private static Found inFile(Secret secret, CredentialFile file) {
        return new Found(secret, Source.FILE, file.path().toString());
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
        return store(KEY, file, key);
    }

    private Found store(String account, CredentialFile other, Secret secret) {
        scheme.note();
        if (keychain.store(service, account, secret)) {
            other.remove(); // an older one there would come to light again after a logout
            return inKeyring(secret);
        }
        other.store(secret);
        return inFile(secret, other);
    }

    /// Keeps a session in the same way, and forgets the keys, which would go before it. Returns where it is now.
    public Found store(Session begun) {
        session.begin(begun);
        forget();
        return lookUp(SESSION, sessionFile)
                .orElseThrow(() -> new SheafException.Local("the session was stored and is gone again", null));
    }

    /// Forgets the stored keys; the environment is not this program's to change. Returns where there was one.
    public List<Source> forget() {
        return forget(KEY, file);
    }

    private List<Source> forget(String account, CredentialFile other) {
        var removed = new ArrayList<Source>();
        if (keychain.remove(service, account)) {
            removed.add(Source.KEYRING);
        }
        if (other.remove()) {
            removed.add(Source.FILE);
        }
        return removed;
    }

    /// Ends the session that is kept, if there is one, at the registry as well; it is forgotten in any case.
    ///
    /// @return whether there was one
    /// @throws SheafException where the registry could not be told
    public boolean endSession() {
        return session.end();
    }

    /// The operating system's keyring.
    public Keychain keychain() {
        return keychain;
    }

    /// What docker keeps, whether it is used or not.
    public DockerCredentials dockers() {
        return docker;
    }

    /// Each place, in the order above, and what is there. Asks all of them; the first that is used is what
    /// [#bearer] gives.
    public List<CredentialPlace> survey() {
        var survey = new CredentialPlace.Survey();
        survey.add(VARIABLE, () -> environment().map(Credentials::checked));
        survey.add("the keyring", () -> inKeyring(KEY).map(Credentials::checked));
        survey.add("the file", () -> inFile(file).map(Credentials::checked));
        survey.add("the session", () -> lookUp(SESSION, sessionFile));
        survey.add("docker's login", this::docker);
        return survey.places();
    }

    private final class SessionPlace implements KeptSession.Place {
        @Override
        public Optional<Session> find() {
            return lookUp(SESSION, sessionFile).map(found -> Session.read(found.key(), found.place()));
        }

        @Override
        public void store(Session begun) {
            Credentials.this.store(SESSION, sessionFile, begun.text());
        }

        @Override
        public void forget() {
            Credentials.this.forget(SESSION, sessionFile);
        }
    }
}
