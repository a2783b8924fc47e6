package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.engine.input.WireTimestamps;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.requirement.Closures;
import dev.sheaf.server.bundle.review.BundlePolicies;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.bundle.version.ResolveTime;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reads bundles: resolve, bundle, versions (contract 3.1 to 3.3, 3.6).
public final class BundlesApi {
    private static final int READS_OF_CLOSURE = 10;
    private static final int MOST_ACCEPTED = 100;

    private final Bundles bundles;
    private final Resolve resolve;
    private final VersionDetails details;
    private final VersionApprovals approvals;
    private final Closures closures;
    private final BundlePolicies policies;
    private final ResolutionCache resolutions = new ResolutionCache();

    public BundlesApi(
            Bundles bundles,
            Resolve resolve,
            VersionDetails details,
            VersionApprovals approvals,
            Closures closures,
            BundlePolicies policies) {
        this.bundles = bundles;
        this.resolve = resolve;
        this.details = details;
        this.approvals = approvals;
        this.closures = closures;
        this.policies = policies;
    }

    public List<Route> routes(BundleRoutes of) {
        String bundle = BundleRoutes.BUNDLE;
        return List.of(
                new Route(GET, bundle, RoutePermission.PUBLIC_READ, of.read(this::bundle)),
                new Route(
                        GET,
                        bundle + ":resolve",
                        RoutePermission.PUBLIC_READ,
                        of.readPart(this::resolve, BundlesApi::isAskedFor)),
                new Route(GET, bundle + "/versions", RoutePermission.PUBLIC_READ, of.read(this::versions)),
                new Route(GET, bundle + "/versions/{version}", RoutePermission.PUBLIC_READ, of.read(this::version)));
    }

    private Answer bundle(Call call, BundleSnapshot bundle) {
        var answer = Answer.ok(BundleRecords.bundle(bundles.overview(bundle)));
        return CachePolicy.MOVING.on(answer, call.caller(), bundle.visibility());
    }

    /// Returns whether the request is for exactly the version of a manifest.
    private static boolean isAskedFor(Call call, BundleSnapshot bundle, Digest manifest) {
        return call.query("digest").filter(manifest.toString()::equals).isPresent();
    }

    public Answer resolve(Call call, BundleSnapshot bundle) {
        var moment = new ResolveTime(
                call.query("asOf", WireTimestamps::parse).orElse(null),
                call.query("minAge", ResolveTime::parseAge).orElse(Duration.ZERO));
        var digest = call.query("digest", BundlesApi::digest).orElse(null);
        var question = call.query("version", Resolve.Question::parse)
                .orElse(Resolve.Question.of(new VersionSelector.Default()));
        String asked = call.query("version").filter(text -> !text.isEmpty()).isPresent()
                ? question.text()
                : call.query("digest").orElse(question.selector().toString());
        boolean closure = call.query("closure", DeletionApi::flag).orElse(false);
        var answer = resolve.resolve(bundle, new Resolve.Question(question.selector(), asked), digest, moment);
        if (closure) {
            return closure(call, answer, asked, moment);
        }
        var json = moment.isNow() ? resolutions.of(answer, asked, call) : BundleRecords.resolution(answer, asked, call);
        return cached(call, answer, Answer.ok(json));
    }

    /// Adds all that the version needs. What that is depends on what the caller may read, and on other bundles.
    private Answer closure(Call call, Resolve.Answer answer, String asked, ResolveTime moment) {
        if (moment.asOf() != null) {
            throw new Problem.ValidationFailed(List.of(new Problem.FieldError(
                            "asOf", "range", "\"asOf\" cannot be sent together with \"closure\"")))
                    .raise();
        }
        for (int i = 1; i < READS_OF_CLOSURE; i++) {
            call.count(RequestCost.READ);
        }
        call.pay();
        var accepted = call.query("acceptOwner", BundlesApi::namespaces).orElse(Set.of());
        var found = closures.of(
                call.caller(),
                answer.bundle(),
                answer.resolved().version(),
                new Closures.Wish(
                        moment.minAge(),
                        accepted,
                        policies.requiresApproved(answer.bundle().repository())));
        var json = BundleRecords.resolution(answer, asked, call).with(found.members(), found.skipped());
        return Answer.ok(json).with("Cache-Control", "private, no-cache").with("Vary", "Authorization");
    }

    private static Set<Namespace> namespaces(String text) {
        return Stream.of(text.split(",", MOST_ACCEPTED)).map(Namespace::parse).collect(Collectors.toSet());
    }

    private static Digest digest(String text) {
        return Digest.parse(text.contains(":") ? text : "sha256:" + text);
    }

    /// Sets the cache headers. The target of an exact version or digest never changes, though it may be yanked;
    /// the target of a tag may change.
    static Answer cached(Call call, Resolve.Answer resolved, Answer answer) {
        return AssetWords.vary(
                (resolved.isExact() ? CachePolicy.FIXED : CachePolicy.MOVING)
                        .on(answer, call.caller(), resolved.bundle().visibility()),
                resolved.resolved().assets());
    }

    private Answer versions(Call call, BundleSnapshot bundle) {
        var paging = PageRequest.of(call, "order");
        boolean byTime = call.query("order", BundlesApi::isByTime).orElse(false);
        var rows = byTime
                ? bundles.versionsByTime(bundle, paging.after(), paging.fetch())
                : bundles.versions(bundle, paging.after(), paging.fetch());
        var remarks = bundles.remarks(rows);
        var approved = approvals.of(call.caller(), bundle, rows);
        var answer = paging.answer(
                rows,
                row -> byTime ? row.id().toString() : row.version().sortKey(),
                row -> BundleRecords.summary(
                        bundle,
                        row,
                        remarks.messages().get(row.id()),
                        remarks.risks().get(row.id()),
                        approved.getOrDefault(row.id(), VersionApprovals.Of.NOTHING),
                        call));
        return CachePolicy.MOVING.on(answer, call.caller(), bundle.visibility());
    }

    private static boolean isByTime(String order) {
        return switch (order) {
            case "created" -> true;
            case "version" -> false;
            default -> throw Problem.invalid("format", "the order must be version or created");
        };
    }

    /// Resolves the version of a request. Tags and ranges are accepted wherever a version is read (contract
    /// 1.1).
    private Answer version(Call call, BundleSnapshot bundle) {
        var answer = resolve.known(bundle, call.parameter("version", Resolve.Question::parse));
        return cached(call, answer, Answer.ok(details.of(call, bundle, answer.resolved())));
    }
}
