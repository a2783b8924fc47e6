package dev.sheaf.client;

import dev.sheaf.client.api.PolicyChange;
import dev.sheaf.client.api.Publication;
import dev.sheaf.client.api.RecallNotice;
import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.HttpReply;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.YankReason;
import dev.sheaf.model.wire.admin.PurgeReport;
import dev.sheaf.model.wire.bundle.BundlePatch;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.DependentBundle;
import dev.sheaf.model.wire.bundle.DeprecationRequest;
import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.model.wire.bundle.PublishReport;
import dev.sheaf.model.wire.bundle.PublishRequest;
import dev.sheaf.model.wire.bundle.RecallRequest;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.ReviewRecord;
import dev.sheaf.model.wire.bundle.UsageRow;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.model.wire.bundle.VersionPassport;
import dev.sheaf.model.wire.bundle.VersionRescan;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.model.wire.bundle.YankRequest;
import dev.sheaf.model.wire.hub.StarStatus;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One bundle of a registry: its metadata, versions and tags. Sends no request before a method is called.
/// Thread-safe.
///
/// Reading needs a key only if the bundle is private; changes need a key with the scope `write`. If the bundle
/// does not exist or this credential may not see it, methods throw
/// [SheafException.NotFound][dev.sheaf.client.api.SheafException.NotFound].
public final class Bundle {
    private static final int HELD = 202;

    private final RepositoryName name;
    private final ApiResource bundle;

    Bundle(RegistryTransport transport, RepositoryName name) {
        this.name = name;
        this.bundle = new ApiResource(transport, RegistryTransport.path(name));
    }

    /// Returns the namespace and name of the bundle.
    public RepositoryName name() {
        return name;
    }

    /// Returns the metadata of the bundle.
    public BundleRecord info() {
        return bundle.get("", BundleRecord.class);
    }

    /// Changes the metadata of the bundle. Needs the scope `write`. Null members stay unchanged.
    public BundleRecord describe(BundlePatch patch) {
        return bundle.patch("", patch, BundleRecord.class);
    }

    /// Returns the versions, highest first.
    ///
    /// @param most the maximum number of versions, at least 1
    public List<VersionSummary> versions(int most) {
        return bundle.list("/versions", VersionSummary.class, most);
    }

    /// Returns the pulls of a time by version and kind of client, the newest day first. Small numbers of pulls from
    /// outside of the organization that owns the bundle are not told; see [UsageRow].
    ///
    /// @param from the first day in UTC, at most 91 days before `to`; null for 29 days before
    /// @param to the last day in UTC; null for today
    /// @param most the maximum number of rows, at least 1
    public List<UsageRow> usage(@Nullable LocalDate from, @Nullable LocalDate to, int most) {
        return usage("client", from, to, most);
    }

    /// Returns the pulls of a time by version and by key or trusted publisher of the organization that owns the bundle,
    /// the newest day first. Needs the scope `admin` there. The parameters are those of [#usage].
    public List<UsageRow> usageByCredential(@Nullable LocalDate from, @Nullable LocalDate to, int most) {
        return usage("credential", from, to, most);
    }

    private List<UsageRow> usage(String by, @Nullable LocalDate from, @Nullable LocalDate to, int most) {
        String days = (from == null ? "" : "&from=" + from) + (to == null ? "" : "&to=" + to);
        return bundle.list("/usage?by=" + by + days, UsageRow.class, most);
    }

    /// Publishes the bundle's working assets. Needs the scope `write`. Also succeeds if the version exists with
    /// the same content.
    ///
    /// @return the version, or the review that it waits for
    /// @throws dev.sheaf.client.api.SheafException.Conflict if the version exists with different content, or
    /// `expectedLatest` is not the latest
    public Publication publish(PublishRequest request) {
        var call =
                bundle.call("POST", ":publish").sendingJson(request.forReal()).expecting(200, 201, HELD);
        var status = new AtomicInteger();
        var answer = bundle.transport()
                .json(request.expectedLatest() == null ? call : call.keyed(), JsonNode.class, status::set);
        return status.get() == HELD
                ? new Publication(null, WireJson.read(answer, HeldVersion.class))
                : new Publication(WireJson.read(answer, VersionDetail.class), null);
    }

    /// Returns the last push of a version that needed approval. For who may push to the bundle, or may approve it.
    ///
    /// @throws dev.sheaf.client.api.SheafException.NotFound if there is none
    public ReviewRecord review(Version version) {
        return bundle.get(at(version, "/review"), ReviewRecord.class);
    }

    /// Returns what a push changes, compared with the latest version; with nothing if there is none.
    public VersionDiff reviewDiff(Version version) {
        return bundle.get(at(version, "/review:diff"), VersionDiff.class);
    }

    /// Approves a push that waits. The last approval that is needed publishes the version. Only for a person who has
    /// signed in.
    ///
    /// @param seen the push, as the person has seen it
    /// @param reason a sentence for people, at most 4,000 characters
    /// @throws dev.sheaf.client.api.SheafException.Conflict if it does not wait any more, or has other content
    public ReviewRecord approve(ReviewRecord seen, @Nullable String reason) {
        return decide(seen, ":approve", reason);
    }

    /// Rejects a push that waits, so that its number is free again. Only for a person who has signed in.
    ///
    /// @param seen the push, as the person has seen it
    /// @param reason a sentence for the publisher, at most 4,000 characters
    /// @throws dev.sheaf.client.api.SheafException.Conflict if it does not wait any more, or has other content
    public ReviewRecord reject(ReviewRecord seen, String reason) {
        return decide(seen, ":reject", reason);
    }

    private record Decision(
            String digest, int round, @Nullable String reason) {}

    private ReviewRecord decide(ReviewRecord seen, String verb, @Nullable String reason) {
        return bundle.post(
                at(Version.parse(seen.version()), verb),
                new Decision(seen.digest(), seen.round(), reason),
                ReviewRecord.class);
    }

    /// Asks for the review of a version that was published without one. Readers have it meanwhile, and
    /// whatever people decide. Asking again while it waits changes nothing. Needs the scope `write`.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Conflict if it is approved, or no policy says who approves
    public ReviewRecord requestReview(Version version) {
        return bundle.post(at(version, ":request-review"), ReviewRecord.class);
    }

    /// Has a version read again for findings: by the registry in the background, and by the scanners of the
    /// policy. What is found hides nothing; it shows in lists and events. Needs the scope `write`.
    public VersionRescan rescan(Version version) {
        return bundle.transport()
                .json(bundle.call("POST", at(version, ":rescan")).expecting(HELD), VersionRescan.class);
    }

    /// Withdraws a push that waits, so that its number is free again. For who pushed it, and admins.
    public ReviewRecord withdraw(Version version) {
        return bundle.post(at(version, ":withdraw"), ReviewRecord.class);
    }

    /// Returns what new versions of the bundle need, by its own policy.
    public PolicyRecord policy() {
        return bundle.get("/policy", PolicyRecord.class);
    }

    /// Sets what new versions of the bundle need. Needs the scope `admin`. What asks for less takes effect after a day.
    public PolicyRecord setPolicy(PolicyChange change) {
        return SheafClient.setPolicy(bundle, change);
    }

    /// Returns what [#publish] would do, without changing anything.
    public PublishReport checkPublish(PublishRequest request) {
        return bundle.post(":publish", request.onlyToCheck(), PublishReport.class);
    }

    /// @throws dev.sheaf.client.api.SheafException.NotFound if the version does not exist, or was deleted
    public VersionDetail version(Version version) {
        return bundle.get(at(version, ""), VersionDetail.class);
    }

    /// Resolves a version together with all bundles that it needs, directly or through others. Never cached; it counts
    /// as
    /// ten reads.
    ///
    /// @param version an exact version, a tag or a range
    /// @param minAge only versions of required bundles that were published that long ago; null for any
    /// @param accepted namespaces of required bundles whose owners may have changed since the publish
    /// @return with a closure; an older registry answers without one
    /// @throws dev.sheaf.client.api.SheafException.Conflict if no versions fit together, or an owner has changed
    public Resolution resolveClosure(String version, @Nullable Duration minAge, Collection<Namespace> accepted) {
        String owners = accepted.stream().map(Namespace::value).sorted().collect(Collectors.joining(","));
        return bundle.get(
                ":resolve?closure=true&version=" + HttpCall.encode(version)
                        + (minAge == null ? "" : "&minAge=" + HttpCall.encode(minAge.toString()))
                        + (owners.isEmpty() ? "" : "&acceptOwner=" + HttpCall.encode(owners)),
                Resolution.class);
    }

    /// Returns the bundles that require this one, by name: public ones, and those of the own organization.
    ///
    /// @param most the maximum number, at least 1
    public List<DependentBundle> dependents(int most) {
        return bundle.list("/dependents", DependentBundle.class, most);
    }

    /// Returns the tags of the bundle.
    public Tags tags() {
        return new Tags(new ApiResource(bundle.transport(), bundle.path() + "/tags"));
    }

    /// Returns the differences between two versions.
    ///
    /// @param from an exact version, a tag or a range
    /// @param to an exact version, a tag or a range
    public VersionDiff diff(String from, String to) {
        return diff(from, to, false);
    }

    /// Returns the differences between two versions.
    ///
    /// @param from an exact version, a tag or a range
    /// @param to an exact version, a tag or a range
    /// @param ignoreWhiteSpace whether lines that differ only in white space are the same; a file that differs in
    ///     nothing else then has an empty diff
    public VersionDiff diff(String from, String to, boolean ignoreWhiteSpace) {
        String query = "/versions/" + HttpCall.encode(from) + ":diff?to=" + HttpCall.encode(to)
                + (ignoreWhiteSpace ? "&whiteSpace=ignore" : "");
        return bundle.get(query, VersionDiff.class);
    }

    /// Returns what a version can touch, compared with no other version.
    ///
    /// @param version an exact version, a tag or a range
    public VersionPassport passport(String version) {
        return passport(version, null);
    }

    /// Returns what a version can touch, as its files tell: what it runs, reaches, asks for and leaves behind.
    ///
    /// @param version an exact version, a tag or a range
    /// @param since the version to compare it with; null to compare it with none
    public VersionPassport passport(String version, @Nullable String since) {
        String query = since == null ? "" : "?since=" + HttpCall.encode(since);
        return bundle.get("/versions/" + HttpCall.encode(version) + "/passport" + query, VersionPassport.class);
    }

    /// Yanks a version: its digest and its exact version still resolve, but tags and ranges do not. If it was
    /// yanked before, this succeeds and the earlier reason stays.
    ///
    /// @param reason a sentence for people, at most 1,000 characters
    /// @param replacement the version or bundle to use instead, at most 400 characters
    public VersionDetail yank(
            Version version, @Nullable String reason, @Nullable YankReason code, @Nullable String replacement) {
        var request = new YankRequest(reason, code == null ? null : code.toString(), replacement);
        return bundle.post(at(version, ":yank"), request, VersionDetail.class);
    }

    /// Undoes a yank. Tags that were moved away from the version are not moved back.
    public VersionDetail unyank(Version version) {
        return bundle.post(at(version, ":unyank"), VersionDetail.class);
    }

    /// Recalls versions: from now on, nobody gets their content except admins of the organization, who read it from the
    /// OCI registry. They are yanked too. All versions of the bundle with the same content are recalled with them.
    /// Needs an unrestricted key with the scope `admin`. A version that is recalled already gets the new reason.
    ///
    /// @return the recalled versions, the highest first
    public List<VersionSummary> recall(Collection<Version> versions, RecallNotice notice) {
        return recall(texts(versions), null, null, notice);
    }

    /// Recalls the versions of a range, as [#recall(Collection, RecallNotice)] does. Both allow more than 100 at
    /// once, since the caller names each.
    ///
    /// @param range such as `<1.2.4`; yanked versions count
    /// @param expected the versions that the range has
    /// @throws dev.sheaf.client.api.SheafException.Conflict if the range has others, which the message names;
    /// nothing is recalled then
    public List<VersionSummary> recall(String range, Collection<Version> expected, RecallNotice notice) {
        return recall(null, range, texts(expected), notice);
    }

    private List<VersionSummary> recall(
            @Nullable List<String> versions,
            @Nullable String range,
            @Nullable List<String> expected,
            RecallNotice notice) {
        var request = new RecallRequest(
                versions,
                range,
                expected,
                notice.severity().toString(),
                notice.reason(),
                notice.advisory(),
                notice.replacement(),
                true);
        return bundle.post(":recall", request, Changed.class).data();
    }

    private record Changed(List<VersionSummary> data) {}

    private record Versions(List<String> versions) {}

    private static List<String> texts(Collection<Version> versions) {
        return versions.stream().map(Version::toString).toList();
    }

    /// Ends the recall of versions. Only a person who is an owner of the organization can do this; while it has no
    /// owner, an unrestricted admin key can. A version that was yanked before stays yanked.
    ///
    /// @return the versions, the highest first
    public List<VersionSummary> unrecall(Collection<Version> versions) {
        return bundle.post(":unrecall", new Versions(texts(versions)), Changed.class)
                .data();
    }

    /// Deprecates a version, which still resolves everywhere. A new message replaces the previous one.
    ///
    /// @param message a message for people, 1 to 1,000 characters
    /// @param replacement the version or bundle to use instead, at most 400 characters
    public VersionDetail deprecate(Version version, @Nullable String message, @Nullable String replacement) {
        var request = new DeprecationRequest(message, replacement);
        return bundle.post(at(version, ":deprecate"), request, VersionDetail.class);
    }

    /// Removes the deprecation of a version. Also succeeds if it is not deprecated.
    public VersionDetail undeprecate(Version version) {
        return bundle.post(at(version, ":undeprecate"), VersionDetail.class);
    }

    /// Deprecates the whole bundle: every version that is not itself deprecated resolves with this message.
    public BundleRecord deprecate(@Nullable String message, @Nullable String replacement) {
        var request = new DeprecationRequest(message, replacement);
        return bundle.post(":deprecate", request, BundleRecord.class);
    }

    /// Removes the deprecation of the whole bundle; deprecations of single versions stay.
    public BundleRecord undeprecate() {
        return bundle.post(":undeprecate", BundleRecord.class);
    }

    /// Changes the metadata of the bundle. Needs the scope `write`.
    ///
    /// @param changes the new values by their names in the API: `name`, `description`, `visibility`, `license`,
    /// `keywords`, `repositoryUrl`, `homepageUrl`, `readmeContent`, `readmeFormat`; a null removes the value
    public BundleRecord edit(Map<String, ?> changes) {
        return bundle.patch("", changes, BundleRecord.class);
    }

    /// Deletes the bundle: it is hidden immediately and removed after 30 days. If others have downloaded a
    /// version, the scope `admin` and a reason are required.
    public void delete(@Nullable String reason) {
        delete(reason, false);
    }

    /// Deletes the bundle.
    ///
    /// @param force whether to delete it even if published versions of the own organization need it
    /// @return warnings of the registry, such as which bundles require it
    public List<String> delete(@Nullable String reason, boolean force) {
        return warnings(bundle.transport()
                .head(bundle.call("DELETE", force ? "?force=true" : "")
                        .sendingJson(new Why(reason))
                        .expecting(204)));
    }

    /// Returns the sentences of the header `Warning` (RFC 7234, section 5.5).
    private static List<String> warnings(HttpReply reply) {
        return reply.headers().allValues("Warning").stream()
                .map(warning -> warning.replaceFirst("^\\d+ \\S+ \"(.*)\"$", "$1"))
                .toList();
    }

    /// Restores a bundle within 30 days of its deletion. Needs the scope `admin`.
    public BundleRecord restore() {
        return bundle.post(":restore", BundleRecord.class);
    }

    /// Deletes a version permanently. Its number cannot be used again.
    ///
    /// @param reason this and the scope `admin` are required if the version is older than 72 hours, or if
    /// others have downloaded it
    public void delete(Version version, @Nullable String reason) {
        delete(version, reason, false);
    }

    /// Deletes a version permanently.
    ///
    /// @param reason as for [#delete(Version, String)]
    /// @param force whether to delete it even if published versions of the own organization need it
    /// @return warnings of the registry, such as which bundles require it
    public List<String> delete(Version version, @Nullable String reason, boolean force) {
        return warnings(bundle.transport()
                .head(bundle.call("DELETE", at(version, force ? "?force=true" : ""))
                        .sendingJson(new Why(reason))
                        .expecting(204)));
    }

    /// Immediately deletes a version that should never have been published, including its bytes. Needs the
    /// scope `admin`.
    public PurgeReport purge(Version version, String reason) {
        return bundle.transport()
                .json(
                        bundle.call("DELETE", at(version, "?purge=true&force=true"))
                                .sendingJson(new Why(reason)),
                        PurgeReport.class);
    }

    /// Adds or removes the caller's star: of a person who is signed in, or of a key's organization. Only
    /// public bundles with a published version can be starred.
    public StarStatus star(boolean starred) {
        var call = HttpCall.of(starred ? "PUT" : "DELETE", bundle.transport().at("/v1/hub/bundles/" + name + "/star"));
        return bundle.transport().json(call, StarStatus.class);
    }

    private record Why(@Nullable String reason) {}

    private static String at(Version version, String verb) {
        return "/versions/" + HttpCall.encode(version.toString()) + verb;
    }
}
