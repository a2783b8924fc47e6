package dev.sheaf.server.mcp;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.agents.BundleSkills;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.SearchQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The tools `search_bundles`, `get_bundle` and `list_versions`. Thread-safe.
public final class BundleTools {
    static final int MAX_REFERENCE = 300;
    static final int MAX_VERSION = 256;

    private static final int MOST_SKILLS = 100;
    private static final int MOST_FILES = 500;
    private static final int MAX_CURSOR = 1_000;

    private final ReadableBundles shelf;
    private final FrontMatters fronts;
    private final Hub hub;

    public BundleTools(ReadableBundles shelf, FrontMatters fronts, Hub hub) {
        this.shelf = shelf;
        this.fronts = fronts;
        this.hub = hub;
    }

    private record Search(SearchQuery query, @Nullable Namespace namespace, int limit) {
        static Search parse(RequestFields fields) {
            fields.only(Set.of("query", "namespace", "limit"));
            var nothing = SearchQuery.parse("");
            return new Search(
                    fields.parsed("query", SearchQuery::parse, nothing),
                    fields.optional("namespace", Namespace::parse),
                    ModelTools.limit(fields, 10, 50));
        }
    }

    /// @throws ProblemException validation-failed; those of [Hub#page]
    Map<String, Object> search(RequestFields fields) {
        var wanted = fields.to(Search::parse);
        var filter = new Hub.Filter(wanted.query(), null, wanted.namespace(), null);
        var entries = wanted.query().terms().isEmpty()
                ? List.<Hub.Entry>of()
                : hub.page(filter, Hub.Sort.RELEVANCE, null, wanted.limit()).stream()
                        .map(Hub.Hit::entry)
                        .toList();
        var bundles = new ArrayList<Map<String, Object>>();
        for (var entry : entries) {
            var bundle = MethodResult.members("bundle", entry.ref().toString(), "name", entry.name());
            bundle.put("summary", entry.summary());
            bundle.put("latestVersion", entry.latestVersion());
            bundle.put("skills", entry.facts().skillNames());
            bundle.put("downloads", entry.counters().downloads());
            bundles.add(bundle);
        }
        return MethodResult.members("bundles", bundles);
    }

    /// The version that a request names.
    record Wanted(RepositoryName bundle, @Nullable String version) {
        private static final RepositoryName NONE = RepositoryName.parse("none/none");

        static Wanted parse(RequestFields fields) {
            fields.only(Set.of("bundle", "version"));
            return of(fields);
        }

        static Wanted of(RequestFields fields) {
            return new Wanted(bundle(fields), fields.optional("version", MAX_VERSION));
        }

        static RepositoryName bundle(RequestFields fields) {
            String text = fields.required("bundle", MAX_REFERENCE);
            return text.indexOf('/') > 0 ? fields.parsedOr("bundle", RepositoryName::parse, NONE) : none(fields, text);
        }

        private static RepositoryName none(RequestFields fields, String text) {
            if (!text.isBlank()) {
                fields.error("bundle", "format", "must be {namespace}/{bundle}, such as acme/notes");
            }
            return NONE;
        }
    }

    /// @throws ProblemException validation-failed; those of [ReadableBundles#version]
    Map<String, Object> bundle(Call call, RequestFields fields) {
        var wanted = fields.to(Wanted::parse);
        var version = shelf.version(call.caller(), wanted.bundle(), wanted.version());
        var row = version.version().resolved().version();
        var assets = version.version().resolved().assets();
        var profile = version.bundle().bundle().profile();
        var told = MethodResult.members("bundle", wanted.bundle().toString(), "name", profile.name());
        putIfKnown(told, "description", profile.description());
        told.put("visibility", version.bundle().visibility().toString());
        told.putAll(version(row));
        told.put("digest", row.digest().toString());
        told.put("tags", version.version().resolved().tags());
        putIfKnown(told, "license", profile.license());
        told.put("skills", skills(version));
        told.put("fileCount", assets.size());
        told.put(
                "files",
                assets.stream()
                        .limit(MOST_FILES)
                        .map(asset -> MethodResult.members(
                                "path", asset.path().value(), "size", asset.size(), "mediaType", asset.mediaType()))
                        .toList());
        return told;
    }

    private static void putIfKnown(Map<String, Object> members, String name, @Nullable String value) {
        if (value != null) {
            members.put(name, value);
        }
    }

    private List<Map<String, Object>> skills(BundleSkills.Target version) {
        var told = new ArrayList<Map<String, Object>>();
        for (var skill : version.skills().skills().stream().limit(MOST_SKILLS).toList()) {
            fronts.of(version.bundle().repository(), skill)
                    .ifPresent(front -> told.add(MethodResult.members(
                            "name",
                            front.name(),
                            "description",
                            front.description(),
                            "uri",
                            SkillEntries.document(version, skill))));
        }
        return told;
    }

    private static Map<String, Object> version(VersionRow row) {
        var told = MethodResult.members(
                "version", row.version().toString(), "state", row.state().toString());
        told.put("publishedAt", row.publishedAt().toString());
        putIfKnown(told, "yankReason", row.yankReason());
        var advice = row.deprecation();
        if (advice != null) {
            told.put("deprecated", advice.message());
        }
        return told;
    }

    private record Listed(
            RepositoryName bundle, int limit, @Nullable String cursor) {
        static Listed parse(RequestFields fields) {
            fields.only(Set.of("bundle", "limit", "cursor"));
            return new Listed(
                    Wanted.bundle(fields), ModelTools.limit(fields, 20, 100), fields.optional("cursor", MAX_CURSOR));
        }
    }

    /// @throws ProblemException validation-failed; those of [dev.sheaf.server.bundle.Bundles#read]
    Map<String, Object> versions(Call call, RequestFields fields) {
        var wanted = fields.to(Listed::parse);
        var bundle = shelf.bundles().read(call.caller(), wanted.bundle());
        var cursor = ListCursor.of("versions", wanted.bundle().toString());
        var rows = shelf.bundles().versions(bundle, cursor.key(wanted.cursor()), wanted.limit() + 1);
        var shown = rows.stream().limit(wanted.limit()).toList();
        var told = MethodResult.members(
                "versions", shown.stream().map(BundleTools::version).toList());
        if (rows.size() > shown.size()) {
            told.put("nextCursor", cursor.after(shown.getLast().version().sortKey()));
        }
        return told;
    }
}
