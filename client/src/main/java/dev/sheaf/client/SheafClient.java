package dev.sheaf.client;

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
import dev.sheaf.client.bundle.BundleSource;
import dev.sheaf.client.bundle.LocalAsset;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Pages;
import dev.sheaf.client.http.Resource;
import dev.sheaf.client.http.Transport;
import dev.sheaf.client.oci.OciAccess;
import dev.sheaf.client.pull.OciPull;
import dev.sheaf.client.pull.Parts;
import dev.sheaf.client.pull.Pull;
import dev.sheaf.client.pull.ResolvedBundle;
import dev.sheaf.client.pull.Verify;
import dev.sheaf.client.push.Push;
import dev.sheaf.client.queue.Jobs;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.client.work.WorkerBuilder;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.account.Me;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.key.Identity;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A registry, seen from a client. Immutable and thread-safe; several clients, also of several processes, may
/// share a cache folder. Calls block, so run them on virtual threads where there are many; to interrupt the thread
/// ends a call with [SheafException.Cancelled]. A call that fails throws a [SheafException]. What may succeed later is
/// tried up to four times.
/// ```java
/// try (var registry = SheafClient.of(RegistryUrl.parse("https://bundles.example.com")).key(key).open()) {
///     registry.pull(Reference.parse("acme/java-kit:1.0.0"), Path.of("java-kit"));
/// }
/// ```
public final class SheafClient implements AutoCloseable {
    private final Transport transport;
    private final BlobCache cache;
    private final Progress progress;
    private final Pull puller;
    private final OciAccess.@Nullable Login login;

    SheafClient(ClientBuilder builder) {
        this.transport = builder.transport();
        this.cache = builder.cache();
        this.progress = builder.progress;
        this.login = builder.login;
        this.puller = new Pull(transport, cache, progress, builder.clock);
        transport.afterChanges(puller::changed);
    }

    /// Begins a client of `registry`: anonymous, with the user's cache folder, silent.
    public static ClientBuilder of(RegistryUrl registry) {
        return new ClientBuilder(registry);
    }

    /// Which version `reference` means, and what is in it. An answer of at most 30 seconds ago will do, and for
    /// an exact version or a digest one of at most an hour, unless this machine has changed the bundle since.
    /// @throws SheafException.NotFound also where the bundle exists and this credential may not see it
    public Resolution resolve(Reference reference) {
        return resolve(reference, PullOptions.DEFAULT);
    }

    /// The same by further rules.
    /// @throws SheafException.Offline where only the cache was to be asked and does not know
    public Resolution resolve(Reference reference, PullOptions options) {
        return puller.resolve(reference, options);
    }

    /// Brings a bundle into the cache. What is there is not fetched again; what is cut off goes on later.
    /// @throws SheafException.Integrity where any byte is wrong; nothing of the bundle is kept
    public Pulled pull(Reference reference) {
        return puller.run(reference, null, PullOptions.DEFAULT);
    }

    /// Brings a bundle into the cache and writes it to `target`, which is made if it is missing. Each file
    /// appears whole, and none before all are verified. Files of an earlier pull that nobody has changed are
    /// replaced, or removed where the bundle no longer has them; other files are left alone.
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
    /// @throws SheafException.OutOfDate where the registry says something else than the lock file
    /// @throws SheafException.Offline where only the cache was to be asked and does not hold it
    /// @throws SheafException.InvalidRequest where an exact version is younger than was allowed
    /// @throws SheafException.NotFound also where no version of a range is old enough
    public Pulled pull(Reference reference, Path target, PullOptions options) {
        return puller.run(reference, target, options);
    }

    /// Brings an artifact of any OCI registry into the cache, and writes its files to `target`, as
    /// [#pull(Reference, Path, PullOptions)] does. Nothing but `/v2` is asked. The client must be one of that
    /// registry, with a name and password, with a key where that is a registry of Sheaf, or without either.
    /// @throws SheafException.InvalidRequest where the options need a registry of Sheaf, or it is an index
    public Pulled pull(OciReference reference, Path target, PullOptions options) {
        if (!reference.registry().equals(transport.registry())) {
            throw new SheafException.InvalidRequest(
                    reference + " is not of " + transport.registry() + ", which this client speaks to");
        }
        var repository = OciAccess.repository(transport, reference.repository(), login);
        return new OciPull(repository, cache, progress).run(reference, target, options);
    }

    /// Brings one asset into the cache, and nothing else of its bundle. It is compared with the registry's
    /// answer and with the manifest; what is cached is not fetched again.
    /// @return where it lies in the cache
    /// @throws SheafException.NotFound where the bundle has no asset of this path
    /// @throws SheafException.Integrity where any byte is wrong; nothing of it is kept
    public Pulled.File fetch(Reference reference, LogicalPath path) {
        return puller.asset(reference, path);
    }

    /// Runs `work` with this client on a virtual thread of its own, which can be cancelled.
    public <T> Running<T> start(Function<SheafClient, T> work) {
        return Running.start(() -> work.apply(this));
    }

    /// Compares the files of a folder with what `reference` means at the registry. Changes nothing.
    public Verification verify(Reference reference, Path folder) {
        var answer = resolve(reference, PullOptions.DEFAULT.refresh(true));
        return Verify.run(puller.inFolder(ResolvedBundle.of(reference, answer)), folder);
    }

    /// Compares the files of a folder with what a lock file says. Asks no registry, and changes nothing.
    public static Verification verify(LockEntry locked, Path folder) {
        return Verify.run(ResolvedBundle.of(locked), folder);
    }

    /// What a lock file would say of `reference` now.
    /// @throws SheafException.InvalidRequest where an exact version is younger than the options allow
    public LockEntry lock(Reference reference, PullOptions options) {
        return puller.lock(reference, options);
    }

    /// Publishes `folder` as the version that `reference` names: what its `sheaf.yaml` describes, or all files
    /// where there is none; `.git`, links and what `.gitignore` and `.sheafignore` name are left out.
    /// @throws SheafException.Conflict where the version exists with other content
    /// @throws SheafException.InvalidRequest where `reference` has no exact version, a name breaks a rule, or a
    /// file seems to hold a secret
    public Pushed push(Path folder, Reference reference, PushOptions options) {
        return push(BundleSource.read(folder, reference, progress), options);
    }

    /// Publishes these files as the version that `reference` names. Identical content again is a success.
    /// @throws SheafException.Conflict where the version exists with other content
    /// @throws SheafException.InvalidRequest where `reference` has no exact version, or a file seems to
    ///     hold a secret
    public Pushed push(List<LocalAsset> assets, Reference reference, PushOptions options) {
        return new Push(transport, progress).run(assets, reference, options);
    }

    /// What a push of these files would come to. Changes nothing, and asks the registry only what is there.
    /// @throws SheafException.InvalidRequest as [#push]
    public PushPlan plan(List<LocalAsset> assets, Reference reference, PushOptions options) {
        return new Push(transport, progress).plan(assets, reference, options);
    }

    /// Publishes what a folder's `sheaf.yaml` describes, and then says of the bundle what it says: license,
    /// keywords, and the README where it names one. What the options say goes before name, description and
    /// visibility there.
    /// @throws SheafException.InvalidRequest where the description has errors; nothing is published then
    public Pushed push(BundleSource source, PushOptions options) {
        return new SourcePush(this).run(source, options);
    }

    /// What that would come to. Fails where the description has errors.
    public PushPlan plan(BundleSource source, PushOptions options) {
        return new SourcePush(this).plan(source, options);
    }

    /// Whom the registry takes this client for; needs a key of any scope.
    public Identity whoAmI() {
        return Resource.whoAmI(transport);
    }

    /// Everything about the credential of this client and what it may do; needs a key of any scope.
    public Me me() {
        return transport.json(Call.get(transport.at("/v1/me")), Me.class);
    }

    /// One bundle: its versions and tags, and what its publisher says of them. Asks nothing yet.
    public Bundle bundle(RepositoryName name) {
        return new Bundle(transport, name);
    }

    /// The bundles of a namespace that this client may see, by name.
    /// @param text stands in slug, name or description of each, in whatever case; empty: all
    /// @param most how many at most, from 1 on
    public List<BundleRecord> bundles(Namespace namespace, String text, int most) {
        String query = text.isEmpty() ? "" : "?q=" + Call.encode(text);
        return Pages.read(transport, "/v1/namespaces/" + namespace + "/bundles" + query, BundleRecord.class, most);
    }

    /// The public bundles.
    public Hub hub() {
        return new Hub(transport);
    }

    /// The keys of an organization, by its id or handle; where that is null, of the client's own (one request).
    public ApiKeys keys(@Nullable String organization) {
        return new ApiKeys(Resource.organization(transport, organization));
    }

    /// The people of an organization, and who is invited; which one is said as for [#keys].
    public Members members(@Nullable String organization) {
        return new Members(Resource.organization(transport, organization));
    }

    /// The workflows elsewhere that may publish for an organization; which one is said as for [#keys].
    public TrustedPublishers trustedPublishers(@Nullable String organization) {
        return new TrustedPublishers(Resource.organization(transport, organization));
    }

    /// Where an organization has its events sent; which one is said as for [#keys].
    public Webhooks webhooks(@Nullable String organization) {
        return new Webhooks(Resource.organization(transport, organization));
    }

    /// The account of the person whose session this client has, and what needs none: invitations, first passwords.
    public Account account() {
        return new Account(transport);
    }

    /// What an organization is and holds, and its namespaces; which one is said as for [#keys].
    public OrganizationCalls organization(@Nullable String organization) {
        return new OrganizationCalls(transport, organization);
    }

    /// The queues of an organization; which one is said as for [#keys].
    public Queues queues(@Nullable String organization) {
        return new Queues(Resource.organization(transport, organization));
    }

    /// The jobs of an organization; which one is said as for [#keys].
    public Jobs jobs(@Nullable String organization) {
        return new Jobs(Resource.organization(transport, organization));
    }

    /// Begins a program that works on the jobs of a queue, by id or slug, of this credential's own organization.
    public WorkerBuilder worker(String queue) {
        return new WorkerBuilder(transport, puller, queue);
    }

    /// The audit log, for admins.
    public Audit audit() {
        return new Audit(transport);
    }

    /// What happens in an organization; which one is said as for [#keys].
    public Events events(@Nullable String organization) {
        return new Events(
                transport, Resource.organization(transport, organization).path() + "/events");
    }

    /// People's accounts, for administrators of the installation.
    public Users users() {
        return new Users(transport);
    }

    /// Upkeep of the whole installation, for its administrators.
    public Upkeep upkeep() {
        return new Upkeep(transport);
    }

    Parts parts() {
        return new Parts(transport, cache, progress);
    }

    /// Ends what is running with a [SheafException.Network] failure.
    @Override
    public void close() {
        transport.close();
    }
}
