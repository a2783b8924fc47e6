package dev.sheaf.client;

import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.LockEntry;
import dev.sheaf.client.api.OciReference;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.PushPlan;
import dev.sheaf.client.api.Pushed;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.api.Verification;
import dev.sheaf.client.bundle.BundleFolder;
import dev.sheaf.client.bundle.BundleSource;
import dev.sheaf.client.bundle.LocalAsset;
import dev.sheaf.client.cache.Answers;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.folder.Writable;
import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Retries;
import dev.sheaf.client.http.Transport;
import dev.sheaf.client.io.Directories;
import dev.sheaf.client.io.Json;
import dev.sheaf.client.io.Threads;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.client.oci.OciAccess;
import dev.sheaf.client.oci.OciRepository;
import dev.sheaf.client.pull.OciPull;
import dev.sheaf.client.pull.Pull;
import dev.sheaf.client.pull.PullRules;
import dev.sheaf.client.pull.ResolvedBundle;
import dev.sheaf.client.pull.Verify;
import dev.sheaf.client.push.Push;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Secret;
import dev.sheaf.model.wire.Identity;
import dev.sheaf.model.wire.Joined;
import dev.sheaf.model.wire.Me;
import dev.sheaf.model.wire.Resolution;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A registry, seen from a client. Immutable and thread-safe; several clients, also of several processes, may share
/// a cache folder. Calls block, so run them on virtual threads where there are many; to interrupt the thread ends a
/// call with [SheafException.Cancelled], as [Running#cancel] does.
///
/// Every call throws a [SheafException] where it fails. What may succeed the next time is tried up to four times.
///
/// ```java
/// try (var registry = SheafClient.of(RegistryUrl.parse("https://bundles.example.com")).key(key).open()) {
///     registry.pull(Reference.parse("acme/java-kit:1.0.0"), Path.of("java-kit"));
/// }
/// ```
public final class SheafClient implements AutoCloseable {
    private final Transport transport;
    private final BlobCache cache;
    private final Answers answers;
    private final Progress progress;
    private final InstantSource clock;
    private final OciAccess.@Nullable Login login;

    private SheafClient(Builder builder) {
        this.transport = new Transport(
                builder.registry, builder.bearer, builder.network, new Retries(builder.pause), builder.silence);
        this.cache =
                new BlobCache(builder.cache == null ? Directories.ofThisUser().cache() : builder.cache);
        this.progress = builder.progress;
        this.clock = builder.clock;
        this.login = builder.login;
        this.answers = new Answers(cache.root(), transport.registry(), transport::identity);
        transport.afterChanges(this::noteChange);
    }

    /// Whatever this client changes, it must not go by what was true before.
    private void noteChange(Call call) {
        try {
            answers.changed(call.uri(), clock.instant());
        } catch (IOException e) {
            progress.notice("the cache cannot be written (" + e.getMessage()
                    + "), so that a pull may not see this change for five minutes; use --refresh");
        }
    }

    /// Begins a client of `registry`: anonymous, with the user's cache folder, silent.
    public static Builder of(RegistryUrl registry) {
        return new Builder(registry);
    }

    /// Which version `reference` means, and what is in it. An answer of at most five minutes ago will do, and for
    /// an exact version or a digest one of at most 24 hours, unless this machine has changed the bundle since.
    ///
    /// @throws SheafException.NotFound also where the bundle exists and this credential may not see it
    public Resolution resolve(Reference reference) {
        return resolve(reference, PullOptions.DEFAULT);
    }

    /// The same by further rules: offline, for a minimum age, or asking in any case.
    ///
    /// @throws SheafException.Offline where only the cache was to be asked and does not know
    public Resolution resolve(Reference reference, PullOptions options) {
        return puller().resolve(reference, options);
    }

    private Pull puller() {
        return new Pull(transport, cache, answers, progress, clock);
    }

    /// Brings a bundle into the cache. What is there is not fetched again; what is cut off goes on where it
    /// stopped, the next time too.
    ///
    /// @throws SheafException.Integrity where any byte is wrong; nothing of the bundle is kept
    public Pulled pull(Reference reference) {
        return puller().run(reference, null, PullOptions.DEFAULT);
    }

    /// Brings a bundle into the cache and writes it to `target`, which is made if it is missing. Each file appears
    /// whole, and none before all are verified. Files of an earlier pull that nobody has changed are replaced, or
    /// removed where the bundle no longer has them; other files are left alone.
    ///
    /// @throws SheafException.Integrity where any byte is wrong; nothing of the bundle is kept, the target is
    ///     untouched
    /// @throws SheafException.UnsafePaths where a path could do harm in a folder; nothing is fetched or written
    /// @throws SheafException.Conflict where a file that was changed in the target, or that no pull has written, is
    ///     in the way; the target is untouched
    /// @throws SheafException.Local where a link stands in the way; the target is untouched
    public Pulled pull(Reference reference, Path target) {
        return pull(reference, target, PullOptions.DEFAULT);
    }

    /// The same by further rules.
    ///
    /// @throws SheafException.OutOfDate where the registry says something else than the lock file
    /// @throws SheafException.Offline where only the cache was to be asked and does not hold it
    /// @throws SheafException.InvalidRequest where an exact version is younger than was allowed
    /// @throws SheafException.NotFound also where no version of a range is old enough
    public Pulled pull(Reference reference, Path target, PullOptions options) {
        return puller().run(reference, target, options);
    }

    /// Brings an artifact of any OCI registry into the cache, and writes its files to `target`, as
    /// [#pull(Reference, Path, PullOptions)] does. Nothing but `/v2` is asked. The client must be one of that
    /// registry, with a name and password, with a key where that is a registry of Sheaf, or without either.
    ///
    /// @throws SheafException.InvalidRequest where the options need a registry of Sheaf, or it is an index
    public Pulled pull(OciReference reference, Path target, PullOptions options) {
        if (!reference.registry().equals(transport.registry())) {
            throw new SheafException.InvalidRequest(
                    reference + " is not of " + transport.registry() + ", which this client speaks to");
        }
        OciRepository.Sender sender = login == null && transport.hasCredential()
                ? transport::once
                : new OciAccess(transport, reference.repository(), login);
        var repository = new OciRepository(transport, reference.repository(), sender);
        return new OciPull(repository, cache, progress).run(reference, target, options);
    }

    /// Brings one asset into the cache, and nothing else of its bundle. It is compared with the registry's answer
    /// and with the manifest; what is cached is not fetched again.
    ///
    /// @return where it lies in the cache
    /// @throws SheafException.NotFound where the bundle has no asset of this path
    /// @throws SheafException.Integrity where any byte is wrong; nothing of it is kept
    public Pulled.File fetch(Reference reference, LogicalPath path) {
        return puller().asset(reference, path);
    }

    /// Runs `work` with this client on a virtual thread of its own, which can be cancelled.
    public <T> Running<T> start(Function<SheafClient, T> work) {
        return Running.start(() -> work.apply(this));
    }

    /// Compares the files of a folder with what `reference` means at the registry. Changes nothing.
    public Verification verify(Reference reference, Path folder) {
        var answer = resolve(reference, PullOptions.DEFAULT.refresh(true));
        return Verify.run(ResolvedBundle.of(reference, answer), folder);
    }

    /// Compares the files of a folder with what a lock file says. Asks no registry, and changes nothing.
    public static Verification verify(LockEntry locked, Path folder) {
        return Verify.run(ResolvedBundle.of(locked), folder);
    }

    /// What a lock file would say of `reference` now.
    ///
    /// @throws SheafException.InvalidRequest where an exact version is younger than the options allow
    public LockEntry lock(Reference reference, PullOptions options) {
        var answer = resolve(reference, options.refresh(true));
        var bundle = ResolvedBundle.of(reference, answer);
        PullRules.check(reference, answer, bundle, options, clock.instant());
        Writable.refused(bundle.assets())
                .forEach(path -> progress.notice("no pull of " + reference + " writes " + path));
        return PullRules.entry(reference, transport.registry(), bundle);
    }

    /// Publishes the files below `folder` as the version that `reference` names; `.git`, links and what
    /// `.sheafignore` names are left out.
    ///
    /// @throws SheafException.Conflict where the version exists with other content
    /// @throws SheafException.InvalidRequest where `reference` has no exact version, or a name breaks a rule
    public Pushed push(Path folder, Reference reference, PushOptions options) {
        return push(BundleFolder.assetsOf(folder, progress), reference, options);
    }

    /// Publishes these files as the version that `reference` names. Identical content again is a success.
    ///
    /// @throws SheafException.Conflict where the version exists with other content
    /// @throws SheafException.InvalidRequest where `reference` has no exact version
    public Pushed push(List<LocalAsset> assets, Reference reference, PushOptions options) {
        return new Push(transport, progress).run(assets, reference, options);
    }

    /// What a push of these files would come to. Reads and changes nothing, and asks the registry only what is
    /// there.
    ///
    /// @throws SheafException.InvalidRequest as [#push]
    public PushPlan plan(List<LocalAsset> assets, Reference reference, PushOptions options) {
        return new Push(transport, progress).plan(assets, reference, options);
    }

    /// The files below `folder` that a push would publish: all but `.git`, links and what `.sheafignore` names.
    public List<LocalAsset> assetsOf(Path folder) {
        return BundleFolder.assetsOf(folder, progress);
    }

    /// Publishes what a folder's `sheaf.yaml` describes, and then says of the bundle what it says: license,
    /// keywords, and the README where it names one.
    ///
    /// @throws SheafException.InvalidRequest where the description has errors; nothing is published then
    public Pushed push(BundleSource source, PushOptions options) {
        return new SourcePush(this).run(source, options);
    }

    /// What a push of what a folder's `sheaf.yaml` describes would come to.
    ///
    /// @throws SheafException.InvalidRequest where the description has errors
    public PushPlan plan(BundleSource source, PushOptions options) {
        return new SourcePush(this).plan(source, options);
    }

    /// Whom the registry takes this client for; needs a key of any scope.
    public Identity whoAmI() {
        var identity = transport.json(Call.get(transport.at("/v1/publisher/me")), Identity.class);
        Json.present(identity.credentialType(), "credentialType");
        return identity;
    }

    /// Everything about the credential of this client and what it may do; needs a key of any scope.
    public Me me() {
        return transport.json(Call.get(transport.at("/v1/me")), Me.class);
    }

    /// Revokes the API key of this client, of whatever scope it is.
    public void revokeOwnKey() {
        transport.head(Call.of("DELETE", transport.at("/v1/api-keys/current"))
                .expecting(204)
                .once());
    }

    /// One bundle: its versions and tags, and what its publisher says of them. Asks nothing yet.
    public Bundle bundle(RepositoryName name) {
        return new Bundle(transport, name);
    }

    /// The public bundles.
    public Hub hub() {
        return new Hub(transport);
    }

    /// The keys of an organization.
    ///
    /// @param organization its id or handle; that of the client's own key where null, which costs one request
    public ApiKeys keys(@Nullable String organization) {
        return new ApiKeys(transport, own(organization));
    }

    /// The people of an organization, and who is invited.
    ///
    /// @param organization as for [#keys]
    public Members members(@Nullable String organization) {
        return new Members(transport, own(organization));
    }

    /// The workflows elsewhere that may publish for an organization.
    ///
    /// @param organization as for [#keys]
    public TrustedPublishers trustedPublishers(@Nullable String organization) {
        return new TrustedPublishers(transport, own(organization));
    }

    private String own(@Nullable String organization) {
        if (organization != null) {
            return organization;
        }
        var own = whoAmI().organization();
        if (own == null) {
            throw new SheafException.NotFound(
                    "you are a member of no organization; name the one that is meant", SheafException.Answer.NONE);
        }
        return own.id().toString();
    }

    /// Accepts an invitation. A person who signed in becomes a member; without a credential an account is made.
    ///
    /// @param token of the invitation
    /// @param password of the account to be made; null where this client has a session
    /// @param fullName of the account to be made
    public Joined join(Secret token, @Nullable Secret password, @Nullable String fullName) {
        var request = new JoinRequest(
                token.expose(), password == null ? null : password.expose(), password == null ? null : fullName);
        var call = Call.of("POST", transport.at("/v1/invitations:accept"))
                .sendingJson(request)
                .once();
        return transport.json(call, Joined.class);
    }

    /// The audit log, for admins.
    public Audit audit() {
        return new Audit(transport);
    }

    /// People's accounts, for administrators of the installation.
    public Users users() {
        return new Users(transport);
    }

    /// Upkeep of the whole installation, for its administrators.
    public Upkeep upkeep() {
        return new Upkeep(transport);
    }

    /// Ends what is running with a [SheafException.Network] failure.
    @Override
    public void close() {
        transport.close();
    }

    /// What a client is made of. Not thread-safe.
    public static final class Builder {
        private final RegistryUrl registry;
        private @Nullable Bearer bearer;
        private @Nullable Path cache;
        private Progress progress = Progress.NONE;
        private NetworkSettings network = NetworkSettings.ofThisUser();
        private Consumer<Duration> pause = Threads::sleep;
        private Duration silence = Transport.SILENCE;
        private InstantSource clock = InstantSource.system();
        private OciAccess.@Nullable Login login;

        private Builder(RegistryUrl registry) {
            this.registry = registry;
        }

        /// The API key or access token to send; null means anonymous. See [Credentials] for where keys are kept.
        public Builder key(@Nullable Secret other) {
            bearer = other == null ? null : () -> other;
            return this;
        }

        /// What to send with each request, asked for anew each time; null means anonymous.
        public Builder bearer(@Nullable Bearer other) {
            bearer = other;
            return this;
        }

        /// A name and password for pulls of artifacts from a registry that is none of Sheaf.
        public Builder login(String name, Secret password) {
            login = new OciAccess.Login(name, password);
            return this;
        }

        /// An identity token (OAuth 2 refresh token) for such pulls, which the registry's token service exchanges.
        public Builder identityToken(Secret token) {
            login = new OciAccess.Login(null, token);
            return this;
        }

        /// The cache folder, made when it is needed.
        public Builder cache(Path folder) {
            cache = folder;
            return this;
        }

        /// Proxies and certificate authorities; those of the user's environment otherwise.
        public Builder network(NetworkSettings settings) {
            network = settings;
            return this;
        }

        /// Hears how far pushes and pulls are; nobody does otherwise.
        public Builder progress(Progress listener) {
            progress = listener;
            return this;
        }

        /// How the waits between attempts pass.
        Builder pause(Consumer<Duration> other) {
            pause = other;
            return this;
        }

        /// How long an answer may bring nothing before its connection counts as broken.
        Builder silence(Duration other) {
            silence = other;
            return this;
        }

        /// By what the age of answers and versions is told.
        Builder clock(InstantSource other) {
            clock = other;
            return this;
        }

        /// The client, which connects when it is first used.
        ///
        /// @throws SheafException.Local where the network's settings cannot be used
        public SheafClient open() {
            return new SheafClient(this);
        }
    }
}
