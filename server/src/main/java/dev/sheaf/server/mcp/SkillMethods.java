package dev.sheaf.server.mcp;

import dev.sheaf.model.skill.Skill;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.agents.BundleSkills;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.skill.VersionSkills;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Skills as resources: `skills/list`, `skills/get`, `resources/list`, `resources/read` and
/// `resources/directory/read` (the extension io.modelcontextprotocol/skills). Thread-safe.
public final class SkillMethods {
    private static final int LARGEST_PAGE = 512 << 10;
    private static final List<Map<String, String>> TEMPLATES = List.of(Map.of(
            "uriTemplate",
            "skill://{namespace}/{bundle}@{version}/{skill}/{+path}",
            "name",
            "skill-file",
            "title",
            "A file of a skill",
            "description",
            "A file of a skill in an exact version of a bundle, such as SKILL.md. skills/list and resources/list list the"
                    + " URIs."));

    private final ReadableBundles shelf;
    private final FrontMatters fronts;
    private final AssetBytes contents;
    private final PullCounts downloads;

    public SkillMethods(ReadableBundles shelf, FrontMatters fronts, AssetBytes contents, PullCounts downloads) {
        this.shelf = shelf;
        this.fronts = fronts;
        this.contents = contents;
        this.downloads = downloads;
    }

    /// The skills of a page that were collected so far.
    private static final class Collected<T> {
        final List<T> items = new ArrayList<>();
        long size;

        boolean add(T item, long length) {
            items.add(item);
            size += length;
            return size < LARGEST_PAGE;
        }
    }

    MethodResult list(Call call, ProtocolGeneration era, AddressScope scope, RpcMessage message) {
        var page = new Collected<SkillEntries.Entry>();
        return listed(call, era, scope, message, "skills", page, (version, skill, front) -> {
            var entry = SkillEntries.entry(version, skill, front);
            return page.add(entry, entry.length());
        });
    }

    MethodResult resources(Call call, ProtocolGeneration era, AddressScope scope, RpcMessage message) {
        var page = new Collected<SkillEntries.Resource>();
        return listed(call, era, scope, message, "resources", page, (version, skill, front) -> {
            var resource = SkillEntries.listed(version, skill, front);
            return page.add(
                    resource, resource.uri().length() + 2L * front.description().length() + 150);
        });
    }

    private MethodResult listed(
            Call call,
            ProtocolGeneration era,
            AddressScope scope,
            RpcMessage message,
            String name,
            Collected<?> page,
            SkillWalk.Page taking) {
        var cursor = ListCursor.of(call.rawPath(), message.method());
        String next = new SkillWalk(shelf, fronts, call, taking).through(scope, cursor.key(message.cursor()));
        call.borrow("the list", page.size, 2);
        var members = MethodResult.members(name, page.items);
        if (next != null) {
            members.put("nextCursor", cursor.after(next));
        }
        boolean isPublic = CacheLifetime.isPublic(call.caller());
        return new MethodResult(CacheLifetime.MOVING.on(era, members, isPublic), page.size);
    }

    static MethodResult templates(ProtocolGeneration era, RpcMessage message) {
        ListCursor.of("templates").key(message.cursor());
        return MethodResult.of(CacheLifetime.FIXED.on(era, MethodResult.members("resourceTemplates", TEMPLATES), true));
    }

    MethodResult get(Call call, ProtocolGeneration era, AddressScope scope, RpcMessage message) {
        String uri = message.required("uri");
        var place = SkillUri.parse(uri);
        var version = version(call, scope, place);
        var skill = version.flatMap(found -> found.skills().find(place.skill()))
                .filter(found -> place.inside().equals(SkillText.FILE));
        var front =
                skill.flatMap(found -> fronts.of(version.orElseThrow().bundle().repository(), found));
        if (front.isEmpty()) {
            throw RpcError.params("no skill that you may read is at " + Quoted.of(uri)
                    + "; skills/list lists the skills of a bundle, at /mcp/{namespace}/{bundle}");
        }
        var entry = SkillEntries.entry(version.orElseThrow(), skill.orElseThrow(), front.get());
        call.borrow("the skill", entry.length(), 2);
        return new MethodResult(
                lasting(call, era, version.orElseThrow(), MethodResult.members("skill", entry)), entry.length());
    }

    private Optional<BundleSkills.Target> version(Call call, AddressScope scope, SkillUri place) {
        return scope.has(place.bundle())
                ? shelf.find(call.caller(), place.bundle(), place.version().toString())
                : Optional.empty();
    }

    private static Map<String, Object> lasting(
            Call call, ProtocolGeneration era, BundleSkills.Target version, Map<String, Object> members) {
        boolean isPublic =
                CacheLifetime.isPublic(call.caller(), version.bundle().visibility());
        return CacheLifetime.FIXED.on(era, members, isPublic);
    }

    MethodResult read(Call call, ProtocolGeneration era, AddressScope scope, RpcMessage message) {
        String uri = message.required("uri");
        var place = SkillUri.parse(uri);
        var version = version(call, scope, place);
        var skill = version.flatMap(found -> found.skills().find(place.skill()));
        var file = skill.flatMap(found -> VersionSkills.file(found, place.inside()));
        if (file.isEmpty()) {
            throw RpcError.params(
                    skill.filter(found -> !children(found, place.inside()).isEmpty())
                                    .isPresent()
                            ? Quoted.of(uri) + " is a folder; resources/directory/read lists its content"
                            : "no file that you may read is at " + Quoted.of(uri));
        }
        var content = FileContent.read(call, contents, version.orElseThrow().bundle(), file.get());
        FileTool.pulled(downloads, call, version.orElseThrow());
        var told = MethodResult.members(
                "uri", uri, "mimeType", SkillEntries.type(file.get()), content.member(), content.value());
        var members = lasting(call, era, version.orElseThrow(), MethodResult.members("contents", List.of(told)));
        return new MethodResult(members, content.value().length());
    }

    MethodResult folder(Call call, ProtocolGeneration era, AddressScope scope, RpcMessage message) {
        String uri = message.required("uri");
        var place = SkillUri.parse(uri);
        ListCursor.of("folder").key(message.cursor());
        var version = version(call, scope, place);
        List<SkillEntries.Resource> inside = version.isEmpty()
                ? List.of()
                : place.path().isEmpty()
                        ? skills(version.get())
                        : version.get()
                                .skills()
                                .find(place.skill())
                                .map(skill -> resources(version.get(), skill, place.inside()))
                                .orElse(List.of());
        if (inside.isEmpty()) {
            throw RpcError.params("no folder that you may read is at " + Quoted.of(uri));
        }
        long size = inside.stream().mapToLong(one -> one.uri().length() + 200L).sum();
        call.borrow("the list", size, 2);
        return new MethodResult(MethodResult.members("resources", inside), size);
    }

    private static List<SkillEntries.Resource> skills(BundleSkills.Target version) {
        return version.skills().skills().stream()
                .map(skill -> SkillEntries.folder(SkillEntries.folder(version, skill), skill.name()))
                .toList();
    }

    private static List<SkillEntries.Resource> resources(
            BundleSkills.Target version, Skill<StoredAsset> skill, String folder) {
        String root = SkillEntries.folder(version, skill) + (folder.isEmpty() ? "" : SkillUri.added(folder));
        var inside = new ArrayList<SkillEntries.Resource>();
        children(skill, folder).forEach((name, file) -> {
            String uri = root + SkillUri.added(name);
            inside.add(file.map(found -> SkillEntries.file(uri, name, found))
                    .orElseGet(() -> SkillEntries.folder(uri, name)));
        });
        return inside;
    }

    /// Returns the direct content of a skill's folder by name: a file, or empty for a folder. The map is empty
    /// if the folder does not exist.
    private static Map<String, Optional<StoredAsset>> children(Skill<StoredAsset> skill, String folder) {
        String prefix = folder.isEmpty() ? "" : folder + "/";
        var children = new TreeMap<String, Optional<StoredAsset>>();
        for (var file : skill.files()) {
            String path = skill.inside(file.path());
            if (path.startsWith(prefix)) {
                int slash = path.indexOf('/', prefix.length());
                String name = path.substring(prefix.length(), slash < 0 ? path.length() : slash);
                children.put(name, slash < 0 ? Optional.of(file) : Optional.empty());
            }
        }
        return children;
    }
}
