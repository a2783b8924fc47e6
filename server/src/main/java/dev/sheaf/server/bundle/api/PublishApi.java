package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.diff.VersionComparer;
import dev.sheaf.server.bundle.diff.WhiteSpace;
import dev.sheaf.server.bundle.publish.PublishRequest;
import dev.sheaf.server.bundle.publish.PublishWorkingSet;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;

/// Publishes the working set of a bundle, and compares versions (contract 3.4, 3.6).
public final class PublishApi {
    private static final String FORM = "1"; // of a diff; changes when the same versions give another result
    private static final int COPIES = 3; // bytes, text and lines of both sides are in memory together

    private final PublishWorkingSet workingSet;
    private final Resolve resolve;
    private final VersionComparer diff;
    private final VersionDetails details;

    public PublishApi(PublishWorkingSet workingSet, Resolve resolve, VersionComparer diff, VersionDetails details) {
        this.workingSet = workingSet;
        this.resolve = resolve;
        this.diff = diff;
        this.details = details;
    }

    public List<Route> routes(BundleRoutes of) {
        String bundle = BundleRoutes.BUNDLE;
        return List.of(
                new Route(POST, bundle + ":publish", RoutePermission.WRITE, of.write(this::publish)),
                new Route(GET, bundle + "/versions/{version}:diff", RoutePermission.PUBLIC_READ, of.read(this::diff)));
    }

    private Answer publish(Call call, BundleSnapshot bundle) {
        var request = call.json().to(PublishRequest::parse);
        return request.validateOnly()
                ? Answer.ok(BundleRecords.report(
                        workingSet.validate(call.origin(), bundle.name(), request, PassportApi.admitting(call)),
                        request.version()))
                : details.published(
                        call, workingSet.publish(call.origin(), bundle.name(), request, PassportApi.admitting(call)));
    }

    // --- diff ---

    private Answer diff(Call call, BundleSnapshot bundle) {
        var from = resolve.resolve(bundle, call.parameter("version", Resolve.Question::parse));
        var question = call.query("to", Resolve.Question::parse)
                .orElseThrow(() -> new Problem.ValidationFailed(List.of(new Problem.FieldError(
                                "to", "required", "\"to\" is required: the version to compare with")))
                        .raise());
        var to = resolve.resolve(bundle, question);
        var whiteSpace = call.query("whiteSpace", WhiteSpace::parse).orElse(WhiteSpace.COMPARE);
        var before = from.resolved().assets();
        var after = to.resolved().assets();
        String etag = etag(call, from, to, whiteSpace);
        var answer = ConditionalRead.unmodified(call, etag).orElseGet(() -> {
            var result = compared(call, diff, from, to, whiteSpace);
            var found = Answer.ok(BundleRecords.diff(call, from, to, result));
            return result.complete() ? found.with("ETag", etag) : found;
        });
        return AssetWords.vary(CachePolicy.MOVING.on(answer, call.caller(), bundle.visibility()), before, after);
    }

    /// Returns the validator of the compared versions, which is known before anything is read. Not for a result
    /// that depends on CPU time.
    private static String etag(Call call, Resolve.Answer from, Resolve.Answer to, WhiteSpace whiteSpace) {
        var words = AssetWords.of(call);
        var nothing = new VersionComparer.Result(List.of(), 0, true);
        return ConditionalWrite.etag(List.of(
                FORM,
                whiteSpace.toString(),
                BundleRecords.diff(call, from, to, nothing),
                layers(words, from),
                layers(words, to)));
    }

    private static List<Layer> layers(AssetWords words, Resolve.Answer answer) {
        return answer.resolved().assets().stream()
                .map(asset -> BundleRecords.layer(words, asset))
                .toList();
    }

    /// Compares two versions. Its cost is counted, and its memory reserved.
    public static VersionComparer.Result compared(
            Call call, VersionComparer diff, Resolve.Answer from, Resolve.Answer to, WhiteSpace whiteSpace) {
        return diff.between(from.bundle().repository(), from.resolved(), to.resolved(), whiteSpace, bytes -> {
            call.pay();
            call.borrow("the comparison", bytes, COPIES);
        });
    }
}
