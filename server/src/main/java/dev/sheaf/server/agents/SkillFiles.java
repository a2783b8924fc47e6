package dev.sheaf.server.agents;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.skill.VersionSkills;

/// Single files of skills, and the headers of all that is told of them. Thread-safe.
public final class SkillFiles {
    private static final String HARMLESS = "default-src 'none'; sandbox";

    private final AssetBytes contents;

    public SkillFiles(AssetBytes contents) {
        this.contents = contents;
    }

    AssetBytes contents() {
        return contents;
    }

    Answer file(Call call, BundleSkills.Target target, String name, String path) {
        var asset = VersionSkills.file(target.skill(name), path)
                .orElseThrow(() -> new Problem.AssetNotFound(path, "the skill " + name).raise());
        var answer = ConditionalRead.isUnmodified(call, asset.digest())
                ? Answer.empty(304)
                : content(call, target.bundle(), asset);
        return harmless(cached(call, target, answer.with("ETag", ConditionalRead.etag(asset.digest()))));
    }

    private Answer content(Call call, Snapshot bundle, StoredAsset asset) {
        call.pay();
        var content = contents.open(bundle.repository(), asset.digest(), asset.size());
        return Answer.content(
                200, MediaType.OCTETS, content.length(), out -> content.writeTo(out, 0, content.length()));
    }

    /// Never under a type of its own: what publishers upload is not to run in a browser.
    static Answer harmless(Answer answer) {
        return answer.with("Content-Disposition", "attachment").with("Content-Security-Policy", HARMLESS);
    }

    static Answer cached(Call call, BundleSkills.Target target, Answer answer) {
        return cached(call, target.bundle().visibility(), target.version().isExact(), answer);
    }

    /// What a number names is kept without asking again for as long as other exact answers; what may move is
    /// asked for each time.
    static Answer cached(Call call, Visibility visibility, boolean exact, Answer answer) {
        boolean isPublic = visibility == Visibility.PUBLIC;
        String kept = exact ? "public, max-age=3600, immutable" : "public, no-cache";
        var told = answer.with(
                        "Cache-Control",
                        isPublic && call.caller() instanceof Caller.Anonymous ? kept : "private, no-cache")
                .with("Vary", "Authorization");
        return isPublic ? told.with("Access-Control-Allow-Origin", "*") : told;
    }
}
