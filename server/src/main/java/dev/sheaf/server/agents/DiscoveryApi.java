package dev.sheaf.server.agents;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Version;
import dev.sheaf.server.bundle.ClientKind;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalRead;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.skill.SkillArchives;
import dev.sheaf.server.skill.archive.ArchiveForm;
import dev.sheaf.server.skill.archive.SkillArchive;
import java.util.List;

/// The routes by which programs discover the skills of a bundle, below `.well-known/agent-skills`.
public final class DiscoveryApi {
    /// The base path of a bundle's skills.
    public static final String PLACE = "/{namespace}/{bundle}/.well-known/agent-skills";

    private final BundleSkills found;
    private final SkillIndex index;
    private final SkillArchives archives;
    private final SkillFiles files;
    private final PullCounts downloads;

    public DiscoveryApi(
            BundleSkills found, SkillIndex index, SkillArchives archives, SkillFiles files, PullCounts downloads) {
        this.found = found;
        this.index = index;
        this.archives = archives;
        this.files = files;
        this.downloads = downloads;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, PLACE + "/index.json", RoutePermission.PUBLIC_READ, this::index),
                new Route(GET, PLACE + "/versions.json", RoutePermission.PUBLIC_READ, this::versions),
                new Route(GET, PLACE + "/{skill}", RoutePermission.PUBLIC_READ, RequestCost.CONTENT, this::archive),
                new Route(
                        GET,
                        PLACE + "/{skill}/{path...}",
                        RoutePermission.PUBLIC_READ,
                        RequestCost.CONTENT,
                        this::below));
    }

    private Answer index(Call call) {
        return index(call, found.target(call));
    }

    private Answer index(Call call, BundleSkills.Target target) {
        return SkillFiles.cached(call, target, Answer.ok(index.of(target, call)));
    }

    private Answer versions(Call call) {
        var bundle = found.target(call).bundle();
        var versions = index.versions(bundle, found.latest(bundle), call);
        return SkillFiles.cached(call, bundle.visibility(), false, Answer.ok(versions));
    }

    private Answer archive(Call call) {
        return archive(call, found.target(call), call.parameter("skill"), ClientKind.SKILLS);
    }

    /// Sends a skill as an archive.
    ///
    /// @param file the name of the skill with the ending of the form
    /// @param kind as what the pull counts
    public Answer archive(Call call, BundleSkills.Target target, String file, ClientKind kind) {
        var form = ArchiveForm.ofFile(file).orElseThrow(() -> nothing(file).raise());
        var skill = target.skill(file.substring(0, file.length() - form.ending().length()));
        var archive = target.skills()
                .archiveOf(skill, form)
                .orElseThrow(() -> new Problem.NotFound("the tar archive of the skill " + skill.name()
                                + " (some of its paths are too long for tar; ask for " + skill.name() + ".zip)")
                        .raise());
        var repository = target.bundle().repository();
        var facts = archives.facts(repository, archive);
        var answer = ConditionalRead.isUnmodified(call, facts.digest())
                ? Answer.empty(304)
                : opened(call, target, archive, skill.files(), kind);
        return SkillFiles.harmless(
                SkillFiles.cached(call, target, answer.with("ETag", ConditionalRead.etag(facts.digest()))));
    }

    private static Problem nothing(String file) {
        return new Problem.NotFound("the file " + file
                + " (available are index.json, versions.json, and for each skill an archive .tar.gz or .zip and"
                + " its files)");
    }

    /// Sends the archive. It contains only bytes of this version, so it counts as a pull of the version.
    private Answer opened(
            Call call, BundleSkills.Target target, SkillArchive archive, List<StoredAsset> held, ClientKind kind) {
        call.pay();
        var repository = target.bundle().repository();
        files.contents().requireHeld(repository, held);
        long manifest = target.version().resolved().version().manifestId();
        var caller = call.caller();
        var address = call.address();
        return Answer.content(
                        200,
                        archive.form().mediaType(),
                        archive.length(),
                        out -> archives.write(repository, archive, out))
                .sending(() -> downloads.pulled(caller, address, kind, repository, manifest));
    }

    /// Sends a file of a skill.
    public Answer file(Call call, BundleSkills.Target target, String skill, String path) {
        return files.file(call, target, skill, path);
    }

    /// Serves a path below a folder. The folder is a skill, or `v{version}`, which has the same content for that
    /// version.
    private Answer below(Call call) {
        String folder = call.parameter("skill");
        String path = call.parameter("path");
        var target = found.target(call);
        if (!folder.startsWith("v") || Version.find(folder.substring(1)).isEmpty()) {
            return files.file(call, target, folder, path);
        }
        var there = found.at(target, Resolve.Question.parse(folder.substring(1)));
        int slash = path.indexOf('/');
        if (path.equals("index.json")) {
            return index(call, there);
        }
        return slash < 0
                ? archive(call, there, path, ClientKind.SKILLS)
                : files.file(call, there, path.substring(0, slash), path.substring(slash + 1));
    }
}
