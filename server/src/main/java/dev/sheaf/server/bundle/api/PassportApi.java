package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.passport.Passport;
import dev.sheaf.model.passport.PassportChange;
import dev.sheaf.model.passport.PassportRules;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.model.wire.bundle.VersionFindings;
import dev.sheaf.model.wire.bundle.VersionPassport;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.passport.ScanFindings;
import dev.sheaf.server.bundle.passport.VersionPassports;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.bundle.version.VersionNotes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// What versions can touch.
public final class PassportApi {
    private static final int COPIES = 3; // the bytes, the text of a file and its pieces

    private final Resolve resolve;
    private final VersionPassports passports;
    private final VersionNotes notes;

    public PassportApi(Resolve resolve, VersionPassports passports, VersionNotes notes) {
        this.resolve = resolve;
        this.passports = passports;
        this.notes = notes;
    }

    public List<Route> routes(BundleRoutes of) {
        String version = BundleRoutes.BUNDLE + "/versions/{version}";
        return List.of(
                new Route(GET, version + "/passport", RoutePermission.PUBLIC_READ, of.read(this::passport)),
                new Route(GET, version + "/findings", RoutePermission.PUBLIC_READ, of.read(this::findings)));
    }

    private Answer findings(Call call, BundleSnapshot bundle) {
        var found = resolve.resolve(bundle, call.parameter("version", Resolve.Question::parse));
        var version = found.resolved().version();
        var findings = ScanFindings.of(
                read(call, passports, found), notes.of(bundle, version).warnings());
        var answer = Answer.ok(new VersionFindings(
                bundle.name().namespace().value(),
                bundle.name().bundle().value(),
                version.version().toString(),
                version.digest().toString(),
                PassportRules.DATE,
                findings));
        return (found.isExact() ? CachePolicy.FIXED : CachePolicy.MOVING)
                .on(answer, call.caller(), bundle.visibility());
    }

    private Answer passport(Call call, BundleSnapshot bundle) {
        var version = resolve.resolve(bundle, call.parameter("version", Resolve.Question::parse));
        var since = call.query("since", Resolve.Question::parse)
                .map(question -> resolve.resolve(bundle, question))
                .orElse(null);
        String etag = ConditionalWrite.etag(List.of(
                PassportRules.DATE,
                version.resolved().version().digest().toString(),
                version.resolved().version().version().toString(),
                since == null ? "" : since.resolved().version().digest().toString(),
                since == null ? "" : since.resolved().version().version().toString()));
        var answer = ConditionalRead.unmodified(call, etag)
                .orElseGet(() -> Answer.ok(record(call, version, since)).with("ETag", etag));
        boolean isExact = version.isExact() && (since == null || since.isExact());
        return (isExact ? CachePolicy.FIXED : CachePolicy.MOVING).on(answer, call.caller(), bundle.visibility());
    }

    private VersionPassport record(Call call, Resolve.Answer version, Resolve.@Nullable Answer since) {
        var passport = read(call, passports, version);
        var change = since == null
                ? null
                : PassportChange.between(read(call, passports, since).rows(), passport.rows());
        var name = version.bundle().name();
        return new VersionPassport(
                name.namespace().value(),
                name.bundle().value(),
                version.resolved().version().version().toString(),
                version.resolved().version().digest().toString(),
                passport.rules(),
                passport.files(),
                passport.complete(),
                passport.unread(),
                passport.rows(),
                since == null ? null : side(since),
                change == null ? null : change.added(),
                change == null ? null : change.gone());
    }

    private static VersionDiff.Side side(Resolve.Answer version) {
        return new VersionDiff.Side(
                version.resolved().version().version().toString(),
                version.resolved().version().digest().toString());
    }

    /// Reserves memory for files that are read because a policy asks what is in them.
    public static LongConsumer admitting(Call call) {
        return bytes -> call.borrow("the files", bytes, COPIES);
    }

    /// Returns the passport of a version. If it must be made, its cost is counted and its memory reserved.
    public static Passport read(Call call, VersionPassports passports, Resolve.Answer version) {
        return passports.of(version.bundle().repository(), version.resolved(), bytes -> {
            call.pay();
            call.borrow("the passport", bytes, COPIES);
        });
    }
}
