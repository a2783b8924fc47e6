package dev.sheaf.client;

import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.Directories;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.http.Retries;
import dev.sheaf.client.http.Transport;
import dev.sheaf.client.io.Threads;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.client.oci.OciAccess;
import dev.sheaf.model.key.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a client is made of. Not thread-safe.
public final class ClientBuilder {
    private static final Duration LONG_PAUSE = Duration.ofSeconds(2);

    final RegistryUrl registry;

    @Nullable
    Bearer bearer;

    @Nullable
    Path cache;

    Progress progress = Progress.NONE;
    NetworkSettings network = NetworkSettings.ofThisUser();
    Consumer<Duration> pause = Threads::sleep;
    Duration silence = Transport.SILENCE;
    InstantSource clock = InstantSource.system();
    OciAccess.@Nullable Login login;

    ClientBuilder(RegistryUrl registry) {
        this.registry = registry;
    }

    /// The API key or access token to send; null means anonymous. See
    /// [Credentials][dev.sheaf.client.credentials.Credentials] for where keys are kept.
    public ClientBuilder key(@Nullable Secret other) {
        bearer = other == null ? null : () -> other;
        return this;
    }

    /// What to send with each request, asked for anew each time; null means anonymous.
    public ClientBuilder bearer(@Nullable Bearer other) {
        bearer = other;
        return this;
    }

    /// A name and password for pulls of artifacts from a registry that is none of Sheaf.
    public ClientBuilder login(String name, Secret password) {
        login = new OciAccess.Login(name, password);
        return this;
    }

    /// An identity token (OAuth 2 refresh token) for such pulls, which the registry's token service exchanges.
    public ClientBuilder identityToken(Secret token) {
        login = new OciAccess.Login(null, token);
        return this;
    }

    /// The cache folder, made when it is needed.
    public ClientBuilder cache(Path folder) {
        cache = folder;
        return this;
    }

    /// Proxies and certificate authorities; those of the user's environment otherwise.
    public ClientBuilder network(NetworkSettings settings) {
        network = settings;
        return this;
    }

    /// Hears how far pushes and pulls are; nobody does otherwise.
    public ClientBuilder progress(Progress listener) {
        progress = listener;
        return this;
    }

    /// How the waits between attempts pass.
    ClientBuilder pause(Consumer<Duration> other) {
        pause = other;
        return this;
    }

    /// How long an answer may bring nothing before its connection counts as broken.
    /// Waits, and says so where somebody would wonder.
    Consumer<Duration> announcedPause() {
        return wait -> {
            if (wait.compareTo(LONG_PAUSE) >= 0) {
                progress.notice("the registry asks to wait; trying again in " + wait.toSeconds() + " s");
            }
            pause.accept(wait);
        };
    }

    ClientBuilder silence(Duration other) {
        silence = other;
        return this;
    }

    /// By what the age of answers and versions is told.
    ClientBuilder clock(InstantSource other) {
        clock = other;
        return this;
    }

    Transport transport() {
        var made = new Transport(registry, bearer, network, new Retries(announcedPause()), silence);
        made.whileWaiting(elapsed -> progress.waiting(registry.toString(), elapsed));
        return made;
    }

    BlobCache cache() {
        return new BlobCache(cache == null ? Directories.ofThisUser().cache() : cache);
    }

    /// The client, which connects when it is first used.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Local where the network's settings cannot be used
    public SheafClient open() {
        return new SheafClient(this);
    }
}
