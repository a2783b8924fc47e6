package dev.sheaf.client.credentials;

import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.Directories;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.model.key.Secret;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The stored key or session for one registry. The places of a key are, in the order of the search
/// (specification, "Authentication"): the environment variable `SHEAF_API_KEY`; the operating system's keyring,
/// service `sheaf/<host[:port]>`, account `api-key`; the file `credentials/<host_port>/api-key` in the user's
/// data folder. A session is stored in the keyring or a file named `session`; a key takes precedence over it.
/// If there is neither a key nor a session, the password or token of `docker login` for the registry is used as
/// a key ([DockerCredentials]).
///
/// A credential is only used for the scheme, host and port for which it was stored. Thread-safe.
public final class Credentials {
    /// The variable with a key.
    public static final String VARIABLE = "SHEAF_API_KEY";

    private static final String KEY = "api-key";
    private static final String SESSION = "session";

    /// The kind of place where a key was found or stored.
    public enum Source {
        ENVIRONMENT,
        KEYRING,
        FILE,
        DOCKER
    }

    /// A key and its place.
    ///
    /// @param place a text for people: the variable, the keyring's service or the file
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

    /// Creates the credentials for `registry` of a user with this environment, this keychain and these folders.
    public Credentials(
            RegistryUrl registry, Map<String, String> environment, Keychain keychain, Directories directories) {
        this(registry, environment, keychain, directories, NetworkSettings.of(environment, null));
    }

    /// Creates the credentials. A session is renewed over `network`.
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
                () -> new TokenEndpoint(RegistryTransport.anonymous(registry, network), clock),
                clock);
    }

    /// Returns the credentials of the user who runs this process.
    public static Credentials ofThisUser(RegistryUrl registry) {
        return new Credentials(
                registry,
                System.getenv(),
                Keychain.ofThisUser(System.getenv(), System.getProperty("os.name", "")),
                Directories.ofThisUser());
    }

    /// Returns the first key in the order above, else the session, else docker's credential.
    ///
    /// @throws SheafException.Local if a file can be accessed by other users, or the key is malformed or was
    /// stored for the other scheme
    public Optional<Bearer> bearer() {
        return find().<Bearer>map(found -> found::key).or(this::session).or(() -> docker().map(found -> found::key));
    }

    /// Returns the first key, else the session's access token if it need not be renewed. Runs no program except
    /// the keyring's. This is for operations that must be fast and may be killed at any moment.
    ///
    /// @throws SheafException.Local in the same cases as [#bearer]
    public Optional<Bearer> atHand() {
        return find().<Bearer>map(found -> found::key)
                .or(() -> new SessionPlace()
                        .find()
                        .filter(kept -> kept.isFresh(clock.instant()))
                        .map(kept -> kept::access));
    }

    /// Returns docker's credential for the registry.
    ///
    /// @throws SheafException.Local if it is unusable
    Optional<Found> docker() {
        return docker.find(registry)
                .map(login -> new Found(login.secret(), Source.DOCKER, "docker (" + login.place() + ")"))
                .map(Credentials::checked);
    }

    /// Returns the stored session.
    public Optional<KeptSession> session() {
        return lookUp(SESSION, sessionFile).map(found -> session);
    }

    /// Returns the first key in the order above.
    ///
    /// @throws SheafException.Local if the file can be accessed by other users, or the key is malformed
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

    /// Checks a key for white space and control characters, which a header cannot contain. The message does not
    /// contain the key.
    private static Found checked(Found found) {
        if (!isSendable(found.key())) {
            throw new SheafException.Local(
                    "the key in " + found.place()
                            + " contains white space or other characters that a key cannot have; store it again",
                    null);
        }
        return found;
    }

    /// Returns whether this has the form of a key or token: printable ASCII without spaces.
    public static boolean isSendable(Secret key) {
        String text = key.expose();
        return !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }

    /// Stores a key in the keyring, or in the file if the keyring does not accept it. Returns its place.
    public Found store(Secret key) {
        return store(KEY, file, key);
    }

    private Found store(String account, CredentialFile other, Secret secret) {
        scheme.note();
        if (keychain.store(service, account, secret)) {
            other.remove(); // otherwise an older secret would be found after a logout
            return inKeyring(secret);
        }
        other.store(secret);
        return inFile(secret, other);
    }

    /// Stores a session in the same way. Removes stored keys, which would take precedence. Returns its place.
    public Found store(Session begun) {
        session.begin(begun);
        forget();
        return lookUp(SESSION, sessionFile)
                .orElseThrow(() -> new SheafException.Local("the session was stored, but is missing now", null));
    }

    /// Removes stored keys; the environment cannot be changed. Returns the places that had keys.
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

    /// Removes the stored session, and ends it at the registry.
    ///
    /// @return whether there was a session
    /// @throws SheafException if the registry could not be reached
    public boolean endSession() {
        return session.end();
    }

    /// Returns the operating system's keyring.
    public Keychain keychain() {
        return keychain;
    }

    /// Returns docker's credentials, even if they are not used.
    public DockerCredentials dockers() {
        return docker;
    }

    /// Examines all places in the order above. [#bearer] returns the credential of the first used place.
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
