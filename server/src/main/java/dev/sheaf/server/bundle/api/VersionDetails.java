package dev.sheaf.server.bundle.api;

import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.publish.Publish;
import dev.sheaf.server.bundle.version.VersionNotes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import java.util.stream.Stream;

/// Versions with all their details.
public final class VersionDetails {
    private final VersionNotes notes;
    private final VersionApprovals approvals;

    public VersionDetails(VersionNotes notes, VersionApprovals approvals) {
        this.notes = notes;
        this.approvals = approvals;
    }

    public VersionDetail of(Call call, BundleSnapshot bundle, BundleSnapshot.Resolved version) {
        return BundleRecords.detail(
                bundle,
                version,
                call,
                notes.of(bundle, version.version()),
                approvals.of(call.caller(), bundle, version.version()));
    }

    /// Returns a version that was just published, with hints for its publisher.
    public VersionDetail of(Call call, Publish.Published published) {
        var known = notes.of(published);
        var notices = published.notices().stream()
                .map(notice -> new VersionDetail.Warning("", notice.code(), notice.detail()));
        return BundleRecords.detail(
                        published.bundle(),
                        published.version(),
                        call,
                        known,
                        approvals.of(
                                call.caller(),
                                published.bundle(),
                                published.version().version()))
                .with(Stream.concat(notices, BundleRecords.warnings(known.warnings()).stream())
                        .toList());
    }

    /// Returns the answer to a publish: 202 if the version needs approval.
    Answer published(Call call, Publish.Outcome outcome) {
        return switch (outcome) {
            case Publish.Held held -> ReviewRecords.held(call, held.review());
            case Publish.Published published -> published(call, published);
        };
    }

    private Answer published(Call call, Publish.Published published) {
        var detail = of(call, published);
        String place = place(published.bundle(), published.version());
        return (published.notes() != null ? Answer.created(place, detail) : Answer.ok(detail)).readAt(place);
    }

    /// Returns a version that was just changed.
    Answer changed(Call call, BundleSnapshot bundle, BundleSnapshot.Resolved version) {
        return Answer.ok(of(call, bundle, version)).readAt(place(bundle, version));
    }

    private static String place(BundleSnapshot bundle, BundleSnapshot.Resolved version) {
        return BundleRoutes.place(bundle.name()) + "/versions/"
                + version.version().version();
    }
}
