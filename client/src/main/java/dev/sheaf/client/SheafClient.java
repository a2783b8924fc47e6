package dev.sheaf.client;

import dev.sheaf.client.api.LockEntry;
import dev.sheaf.client.api.OciReference;
import dev.sheaf.client.api.PolicyChange;
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
import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.PagedList;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.client.oci.OciAccess;
import dev.sheaf.client.pull.BundlePull;
import dev.sheaf.client.pull.FolderCheck;
import dev.sheaf.client.pull.OciPull;
import dev.sheaf.client.pull.PartFetch;
import dev.sheaf.client.pull.ResolvedBundle;
import dev.sheaf.client.push.BundlePush;
import dev.sheaf.client.queue.Jobs;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.client.work.WorkerBuilder;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.wire.account.Me;
import dev.sheaf.model.wire.bundle.Advisory;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.ReviewRecord;
import dev.sheaf.model.wire.bundle.VerdictQuestion;
import dev.sheaf.model.wire.bundle.VersionVerdict;
import dev.sheaf.model.wire.key.Identity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/// A client of one registry. Immutable and thread-safe. Several clients and processes may share a cache folder.
/// Calls block; use virtual threads for concurrent calls. Interrupting the thread ends a call with
/// [SheafException.Cancelled]. A call that fails throws a [SheafException]. Failures that may be temporary are
/// retried, with up to four attempts unless [ClientBuilder#retries] says otherwise.
/// ```java
/// try (var registry = SheafClient.of(RegistryUrl.parse("https://bundles.example.com")).key(key).open()) {
///     registry.pull(Reference.parse("acme/java-kit:1.0.0"), Path.of("java-kit"));
/// }
/// ```
public final class SheafClient implements AutoCloseable {
    private static final int VERDICTS_OF_A_CALL = 1_000;

    private final RegistryTransport transport;
    private final BlobCache cache;
    private final Progress progress;
    private final BundlePull puller;
    private final OciAccess.@Nullable Login login;

    SheafClient(ClientBuilder builder) {
        this.transport = builder.transport();
        this.cache = builder.cache();
        this.progress = builder.progress;
        this.login = builder.login;
        this.puller = new BundlePull(transport, cache, progress, builder.clock);
        transport.afterChanges(puller::changed);
    }

    /// Configures a client of `registry`; by default anonymous, with the user's cache folder, and without progress
    /// reports.
    public static ClientBuilder of(RegistryUrl registry) {
        return new ClientBuilder(registry);
    }

    /// Resolves `reference` to a version and its content. Uses a cached answer up to 30 seconds old, or up to
    /// five minutes old for an exact version or a digest, unless this machine has changed the bundle since.
    /// @throws SheafException.NotFound also if the bundle exists but this credential may not see it
    public Resolution resolve(Reference reference) {
        return resolve(reference, PullOptions.DEFAULT);
    }

    /// Resolves `reference` with options.
    /// @throws SheafException.Offline if only the cache may be used and has no answer
    public Resolution resolve(Reference reference, PullOptions options) {
        return puller.resolve(reference, options);
    }

    /// Asks whether versions may still be used; the answers are in the order of the references, and are never cached.
    ///
    /// @param installed exact versions or digests, not tags or ranges
    /// @throws SheafException.InvalidRequest if one is a tag or a range
    public List<VersionVerdict> verdicts(List<Reference> installed) {
        var answers = new ArrayList<VersionVerdict>();
        for (int from = 0; from < installed.size(); from += VERDICTS_OF_A_CALL) {
            var some = installed.subList(from, Math.min(from + VERDICTS_OF_A_CALL, installed.size()));
            var items = new VerdictQuestions(
                    some.stream().map(SheafClient::question).toList());
            var answer = new ApiResource(transport, "/v1/verdicts").post("", items, VerdictAnswers.class);
            answers.addAll(complete(answer, some.size()));
        }
        return List.copyOf(answers);
    }

    /// Returns what was recalled in a namespace, as far as the caller may see it, the newest recall first.
    ///
    /// @param most how many at most
    public List<Advisory> advisories(Namespace namespace, int most) {
        return namespace(namespace).list("/advisories", Advisory.class, most);
    }

    private record VerdictQuestions(List<VerdictQuestion> items) {}

    private record VerdictAnswers(@Nullable List<@Nullable VersionVerdict> items) {}

    private static List<VersionVerdict> complete(VerdictAnswers answer, int asked) {
        var items = WireJson.present(answer.items(), "items");
        if (items.size() != asked) {
            throw new SheafException.Server("the registry answered " + items.size() + " of " + asked + " verdicts");
        }
        var complete = new ArrayList<VersionVerdict>();
        for (var item : items) {
            var present = WireJson.present(item, "an item");
            WireJson.present(present.verdict(), "verdict");
            complete.add(present);
        }
        return complete;
    }

    private static VerdictQuestion question(Reference reference) {
        String namespace = reference.repository().namespace().value();
        String bundle = reference.repository().bundle().value();
        if (reference.selector() instanceof VersionSelector.ByVersion(Version version)) {
            return new VerdictQuestion(namespace, bundle, version.toString(), null);
        }
        if (reference.selector() instanceof VersionSelector.ByDigest(Digest digest)) {
            return new VerdictQuestion(namespace, bundle, null, digest.toString());
        }
        throw new SheafException.InvalidRequest(
                reference + " may mean another version tomorrow; ask about an exact version or a digest");
    }

    /// Asks once, without repeating a request that fails.
    ///
    /// @param offline whether to send no request and return the last answer of any age
    Optional<Resolution> lastAnswer(Reference reference, boolean offline) {
        return puller.lastAnswer(reference, offline);
    }

    /// Pulls a bundle into the cache. Cached content is not fetched again; interrupted downloads are continued.
    /// @throws SheafException.Integrity if any byte is wrong; nothing of the bundle is kept
    public Pulled pull(Reference reference) {
        return puller.run(reference, null, PullOptions.DEFAULT);
    }

    /// Pulls a bundle into the cache and writes it to `target`, which is created if it does not exist. Files
    /// appear after all are verified, and each file appears complete. Unchanged files of an earlier pull are
    /// replaced, or removed if the bundle no longer contains them; other files are not touched.
    /// @throws SheafException.Integrity if any byte is wrong; nothing of the bundle is kept, the target is
    /// unchanged
    /// @throws SheafException.UnsafePaths if a path is not safe to write; nothing is fetched or written
    /// @throws SheafException.Conflict if it would replace edited or foreign files; the target is unchanged
    /// @throws SheafException.Local if a link is in the place of a file or folder; the target is unchanged
    public Pulled pull(Reference reference, Path target) {
        return pull(reference, target, PullOptions.DEFAULT);
    }

    /// Pulls a bundle with options.
    /// @throws SheafException.OutOfDate if the registry's answer differs from the lock file
    /// @throws SheafException.Offline if only the cache may be used and does not contain the bundle
    /// @throws SheafException.InvalidRequest if an exact version is younger than the options allow
    /// @throws SheafException.NotFound also if no version of a range is old enough
    public Pulled pull(Reference reference, Path target, PullOptions options) {
        return puller.run(reference, target, options);
    }

    /// Pulls an artifact of any OCI registry into the cache, and writes its files to `target` as
    /// [#pull(Reference, Path, PullOptions)] does. Only uses `/v2`. The client must have been created for that
    /// registry: with a name and password, with a key if it is a Sheaf registry, or without a credential.
    /// @throws SheafException.InvalidRequest if the options need a Sheaf registry, or the artifact is an index
    public Pulled pull(OciReference reference, Path target, PullOptions options) {
        if (!reference.registry().equals(transport.registry())) {
            throw new SheafException.InvalidRequest(
                    reference + " is not in " + transport.registry() + ", the registry of this client");
        }
        var repository = OciAccess.repository(transport, reference.repository(), login);
        return new OciPull(repository, cache, progress).run(reference, target, options);
    }

    /// Fetches a single asset of a bundle into the cache, and compares it with the registry's answer and the
    /// manifest. Cached content is not fetched again.
    /// @return the asset and its file in the cache
    /// @throws SheafException.NotFound if the bundle has no asset with this path
    /// @throws SheafException.Integrity if any byte is wrong; nothing of it is kept
    public Pulled.File fetch(Reference reference, LogicalPath path) {
        return puller.asset(reference, path);
    }

    /// Runs `work` with this client on its own virtual thread, so that it can be cancelled.
    public <T> RunningWork<T> start(Function<SheafClient, T> work) {
        return RunningWork.start(() -> work.apply(this));
    }

    /// Compares a folder with the version to which the registry resolves `reference`. Changes nothing.
    public Verification verify(Reference reference, Path folder) {
        var answer = resolve(reference, PullOptions.DEFAULT.refresh(true));
        return FolderCheck.run(puller.inFolder(ResolvedBundle.of(reference, answer)), folder);
    }

    /// Compares the files of a folder with a lock file's entry. Sends no request and changes nothing.
    public static Verification verify(LockEntry locked, Path folder) {
        return FolderCheck.run(ResolvedBundle.of(locked), folder);
    }

    /// Returns a new lock file entry for `reference`.
    /// @throws SheafException.InvalidRequest if an exact version is younger than the options allow
    public LockEntry lock(Reference reference, PullOptions options) {
        return puller.lock(reference, options);
    }

    /// Publishes `folder` as the version that `reference` names: the files that its `sheaf.yaml` lists, or all
    /// files if it has no list. `.git`, links and files excluded by `.gitignore` and `.sheafignore` are left
    /// out.
    /// @throws SheafException.Conflict if the version exists with different content
    /// @throws SheafException.InvalidRequest if `reference` has no exact version, a file name is invalid, or a
    /// file seems to contain a secret
    public Pushed push(Path folder, Reference reference, PushOptions options) {
        return push(BundleSource.read(folder, reference, progress), options);
    }

    /// Publishes these files as the version that `reference` names. Publishing the same content again succeeds.
    /// @throws SheafException.Conflict if the version exists with different content
    /// @throws SheafException.InvalidRequest if `reference` has no exact version, or a file seems to contain a
    /// secret
    public Pushed push(List<LocalAsset> assets, Reference reference, PushOptions options) {
        return new BundlePush(transport, progress).run(assets, reference, options);
    }

    /// Returns what a push of these files would do, without changing anything.
    /// @throws SheafException.InvalidRequest in the same cases as [#push]
    public PushPlan plan(List<LocalAsset> assets, Reference reference, PushOptions options) {
        return new BundlePush(transport, progress).plan(assets, reference, options);
    }

    /// Publishes the bundle that a folder's `sheaf.yaml` describes, then updates the bundle's license, keywords
    /// and README from it. The options override its name, description and visibility.
    /// @throws SheafException.InvalidRequest if the description has errors; then nothing is published
    public Pushed push(BundleSource source, PushOptions options) {
        return new SourcePush(this).run(source, options);
    }

    /// Returns what a push of `source` would do. Fails if the description has errors.
    public PushPlan plan(BundleSource source, PushOptions options) {
        return new SourcePush(this).plan(source, options);
    }

    /// Returns the identity of this client at the registry. Needs a key of any scope.
    public Identity whoAmI() {
        return ApiResource.whoAmI(transport);
    }

    /// Returns the credential of this client and its permissions. Needs a key of any scope.
    public Me me() {
        return transport.json(HttpCall.get(transport.at("/v1/me")), Me.class);
    }

    /// Returns the calls for one bundle. Sends no request.
    public Bundle bundle(RepositoryName name) {
        return new Bundle(transport, name);
    }

    /// Returns the bundles of a namespace that this client may see, ordered by name.
    /// @param text a part of the slug, name or description, ignoring case; empty means all bundles
    /// @param most the maximum number of results, at least 1
    public List<BundleRecord> bundles(Namespace namespace, String text, int most) {
        String query = text.isEmpty() ? "" : "?q=" + HttpCall.encode(text);
        return PagedList.read(transport, "/v1/namespaces/" + namespace + "/bundles" + query, BundleRecord.class, most);
    }

    /// Returns the calls for public bundles.
    public Hub hub() {
        return new Hub(transport);
    }

    /// Returns pushes that need or needed approval, the newest first: those that the credential may see. Needs one
    /// more request without an organization.
    ///
    /// @param organization an id or a handle; null for the client's own
    /// @param state `held`, `published`, `rejected`, `withdrawn` or `expired`; null for all
    /// @param mine whether only what this credential pushed
    /// @param most the maximum number, at least 1
    public List<ReviewRecord> reviews(@Nullable String organization, @Nullable String state, boolean mine, int most) {
        String query =
                (mine ? "?mine=true" : "?mine=false") + (state == null ? "" : "&state=" + HttpCall.encode(state));
        return ApiResource.organization(transport, organization).list("/reviews" + query, ReviewRecord.class, most);
    }

    /// Returns what new versions of all bundles of a namespace need.
    public PolicyRecord policy(Namespace namespace) {
        return namespace(namespace).get("/policy", PolicyRecord.class);
    }

    /// Sets what new versions of all bundles of a namespace need. Needs the scope `admin`. What asks for less
    /// takes effect after a day.
    public PolicyRecord setPolicy(Namespace namespace, PolicyChange change) {
        return setPolicy(namespace(namespace), change);
    }

    private ApiResource namespace(Namespace namespace) {
        return new ApiResource(transport, "/v1/namespaces/" + namespace);
    }

    static PolicyRecord setPolicy(ApiResource of, PolicyChange change) {
        var body = WireJson.object();
        if (change.changesReview()) {
            body.set("review", node(change.review()));
        }
        if (change.changesScan()) {
            body.set("scan", node(change.scan()));
        }
        if (change.changesRequires()) {
            body.put("requires", change.requires());
        }
        var call = of.call("PUT", "/policy").sendingJson(body).expecting(200);
        return of.transport().json(call, PolicyRecord.class);
    }

    private static JsonNode node(@Nullable Object value) {
        return value == null ? NullNode.getInstance() : WireJson.document(WireJson.write(value), "policy");
    }

    /// Returns the calls for the keys of the credential's own organization, which needs one more request.
    public ApiKeys keys() {
        return keys(null);
    }

    /// Returns the calls for an organization's keys.
    /// @param organization an id or a handle; null for the client's own, which needs one more request
    public ApiKeys keys(@Nullable String organization) {
        return new ApiKeys(ApiResource.organization(transport, organization));
    }

    /// Returns the calls for the members and invitations of the credential's own organization, which needs one more
    /// request.
    public Members members() {
        return members(null);
    }

    /// Returns the calls for an organization's members and invitations; see [#keys].
    public Members members(@Nullable String organization) {
        return new Members(ApiResource.organization(transport, organization));
    }

    /// Returns the calls for workflows that may publish for the credential's own organization, which needs one more
    /// request.
    public TrustedPublishers trustedPublishers() {
        return trustedPublishers(null);
    }

    /// Returns the calls for workflows that may publish for an organization; see [#keys].
    public TrustedPublishers trustedPublishers(@Nullable String organization) {
        return new TrustedPublishers(ApiResource.organization(transport, organization));
    }

    /// Returns the calls for the webhooks of the credential's own organization, which needs one more request.
    public Webhooks webhooks() {
        return webhooks(null);
    }

    /// Returns the calls for an organization's webhooks; see [#keys].
    public Webhooks webhooks(@Nullable String organization) {
        return new Webhooks(ApiResource.organization(transport, organization));
    }

    /// Returns the calls for the account of the signed-in person, and for invitations and first passwords.
    public Account account() {
        return new Account(transport);
    }

    /// Returns the calls for the namespaces and settings of the credential's own organization, which needs one more
    /// request.
    public OrganizationCalls organization() {
        return organization(null);
    }

    /// Returns the calls for an organization and its namespaces; see [#keys].
    public OrganizationCalls organization(@Nullable String organization) {
        return new OrganizationCalls(transport, organization);
    }

    /// Returns the calls for the queues of the credential's own organization, which needs one more request.
    public Queues queues() {
        return queues(null);
    }

    /// Returns the calls for an organization's queues; see [#keys].
    public Queues queues(@Nullable String organization) {
        return new Queues(ApiResource.organization(transport, organization));
    }

    /// Returns the calls for the jobs of the credential's own organization, which needs one more request.
    public Jobs jobs() {
        return jobs(null);
    }

    /// Returns the calls for an organization's jobs; see [#keys].
    public Jobs jobs(@Nullable String organization) {
        return new Jobs(ApiResource.organization(transport, organization));
    }

    /// Configures a worker for a queue (an id or slug) in the credential's own organization.
    public WorkerBuilder worker(String queue) {
        return new WorkerBuilder(transport, puller, queue);
    }

    /// Returns the calls for the audit log.
    public Audit audit() {
        return new Audit(transport);
    }

    /// Returns the events of the credential's own organization, which needs one more request.
    public Events events() {
        return events(null);
    }

    /// Returns the events of an organization; see [#keys].
    public Events events(@Nullable String organization) {
        return new Events(
                transport, ApiResource.organization(transport, organization).path() + "/events");
    }

    /// Returns the calls for people's accounts. Needs an administrator of the installation.
    public Users users() {
        return new Users(transport);
    }

    /// Returns the calls for maintenance of the installation. Needs an administrator.
    public InstallationAdmin upkeep() {
        return new InstallationAdmin(transport);
    }

    PartFetch parts() {
        return new PartFetch(transport, cache, progress);
    }

    /// Closes the client. Running and later calls fail with [SheafException.Network].
    @Override
    public void close() {
        transport.close();
    }
}
