package dev.sheaf.server.agents;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Answer.Header;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.skill.VersionSkills;
import java.util.List;

/// Serves single files of skills, and adds the headers that all answers about skills share. Thread-safe.
public final class SkillFiles {
    private static final List<Header> HARMLESS = List.of(
            new Header("Content-Disposition", "attachment"),
            new Header("Content-Security-Policy", "default-src 'none'; sandbox"));
    private static final Header VARY = new Header("Vary", "Authorization");
    private static final Header FOR_ALL = new Header("Access-Control-Allow-Origin", "*");
    private static final Header EXACT = new Header("Cache-Control", "public, max-age=300");
    private static final Header MOVING = new Header("Cache-Control", "public, no-cache");
    private static final Header PRIVATE = new Header("Cache-Control", "private, no-cache");

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

    private Answer content(Call call, BundleSnapshot bundle, StoredAsset asset) {
        call.pay();
        var content = contents.open(bundle.repository(), asset.digest(), asset.size());
        return Answer.content(
                200, MediaType.OCTETS, content.length(), out -> content.writeTo(out, 0, content.length()));
    }

    /// Makes a browser download the file instead of running it: publishers upload anything.
    static Answer harmless(Answer answer) {
        return answer.with(HARMLESS);
    }

    static Answer cached(Call call, BundleSkills.Target target, Answer answer) {
        return cached(call, target.bundle().visibility(), target.version().isExact(), answer);
    }

    /// Adds the cache headers. Clients may keep an exact version without asking again; they revalidate
    /// everything else every time.
    static Answer cached(Call call, Visibility visibility, boolean exact, Answer answer) {
        if (visibility != Visibility.PUBLIC) {
            return answer.with(List.of(PRIVATE, VARY));
        }
        var kept = exact ? EXACT : MOVING;
        return answer.with(List.of(call.caller() instanceof Caller.Anonymous ? kept : PRIVATE, VARY, FOR_ALL));
    }
}
