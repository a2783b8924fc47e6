package dev.sheaf.server.clawhub.api;

import static dev.sheaf.server.clawhub.api.ClawJson.of;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.agents.BundleSkills;
import dev.sheaf.server.agents.BundleSkills.Target;
import dev.sheaf.server.agents.DiscoveryApi;
import dev.sheaf.server.agents.SkillSearch;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.clawhub.ClawName;
import dev.sheaf.server.clawhub.ClawPublish;
import dev.sheaf.server.clawhub.ClawSkills;
import dev.sheaf.server.clawhub.ClawVersion;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.SearchQuery;
import dev.sheaf.server.org.Namespaces;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Skills for clients of ClawHub (openclaw/clawhub, "HTTP API", version 1).
public final class ClawHubApi {
    private static final String PLACE = "/api/v1";
    private static final String SKILLS = PLACE + "/skills";
    private static final String SKILL = SKILLS + "/{slug}";
    private static final int MAX_VERDICTS = 100;
    private static final int MAX_ERRORS = 10;
    private static final int MAX_TEXT = 200;
    private static final int COPIES = 2; // of the files of a version

    private final ClawSkills skills;
    private final BundleSkills versions;
    private final DiscoveryApi content;
    private final SkillSearch search;
    private final ClawPublish publish;
    private final Namespaces namespaces;

    public ClawHubApi(
            ClawSkills skills,
            BundleSkills versions,
            DiscoveryApi content,
            SkillSearch search,
            ClawPublish publish,
            Namespaces namespaces) {
        this.skills = skills;
        this.versions = versions;
        this.content = content;
        this.search = search;
        this.publish = publish;
        this.namespaces = namespaces;
    }

    /// Returns the route by which clients find this API.
    public List<Route> routes() {
        return List.of(new Route(
                GET,
                "/.well-known/clawhub.json",
                RoutePermission.NONE,
                call -> Answer.ok(of("apiBase", call.baseUrl(), "authBase", call.baseUrl()))));
    }

    public RouteSurface surface() {
        var read = RoutePermission.PUBLIC_READ;
        var write = RoutePermission.WRITE;
        return new RouteSurface(
                PLACE,
                path -> path.startsWith(PLACE + "/"),
                false,
                false,
                ClawHubApi::error,
                List.of(
                        new Route(GET, PLACE + "/search", read, this::search),
                        new Route(GET, SKILLS, read, this::list),
                        new Route(GET, SKILL, read, this::skill),
                        new Route(GET, SKILL + "/versions", read, this::versions),
                        new Route(GET, SKILL + "/versions/{version}", read, this::version),
                        new Route(GET, SKILL + "/install", read, this::install),
                        new Route(GET, SKILL + "/scan", read, this::scan),
                        new Route(GET, SKILL + "/verify", read, this::verify),
                        new Route(GET, SKILL + "/file", read, RequestCost.CONTENT, this::file),
                        new Route(GET, PLACE + "/resolve", read, this::resolve),
                        new Route(GET, PLACE + "/download", read, RequestCost.CONTENT, this::download),
                        new Route(GET, PLACE + "/whoami", RoutePermission.READ, this::whoami),
                        new Route(POST, SKILLS + "/-/security-verdicts", read, RequestCost.READ, this::verdicts),
                        new Route(POST, SKILLS + "/-/upload-url", write, RequestCost.MANIFEST, this::ticket),
                        new Route(POST, SKILLS + "/-/uploads/{upload_id}", write, RequestCost.CONTENT, this::upload),
                        new Route(POST, SKILLS, write, this::publish)));
    }

    private static String required(Call call, String parameter) {
        return call.query(parameter)
                .orElseThrow(() -> new Problem.BadRequest("the parameter " + parameter + " is required").raise());
    }

    // --- lists ---

    private Answer search(Call call) {
        var query = Call.named("q", required(call, "q"), SearchQuery::parse);
        String mode = call.query("mode").orElse("");
        if (!mode.isEmpty() && !mode.equals("exact")) {
            throw new Problem.BadRequest("mode must be exact, or absent").raise();
        }
        int limit = PageRequest.limitOf(call);
        call.pay();
        var found = search.find(query, null, limit).stream()
                .filter(match -> mode.isEmpty() || query.slugs().contains(match.skill()))
                .limit(limit)
                .map(ClawJson::found)
                .toList();
        return CachePolicy.MOVING.on(Answer.ok(Map.of("results", found)), call.caller(), Visibility.PUBLIC);
    }

    private Answer list(Call call) {
        if (call.query("prefix").isPresent()) {
            throw new Problem.BadRequest("this registry has no list by prefix; use " + PLACE + "/search").raise();
        }
        var order = call.query("sort", ClawHubApi::order).orElse(Hub.Sort.RECENT);
        var paging = PageRequest.of(call, "sort");
        call.pay();
        var part = search.list(order, paging.after(), paging.limit());
        var items = part.skills().stream().map(ClawJson::listed).toList();
        String next = paging.list(items, part.next()).meta().nextCursor();
        return CachePolicy.MOVING.on(
                Answer.ok(of("items", items, "nextCursor", next)), call.caller(), Visibility.PUBLIC);
    }

    private static Hub.Sort order(String word) {
        return switch (word) {
            case "updated", "createdAt", "newest" -> Hub.Sort.RECENT;
            case "recommended", "default", "trending" -> Hub.Sort.TRENDING;
            case "downloads", "installs", "installsCurrent", "installsAllTime" -> Hub.Sort.DOWNLOADS;
            case "stars", "rating" -> Hub.Sort.STARS;
            default -> throw Problem.invalid("format", "must be updated, createdAt, recommended, downloads or stars");
        };
    }

    // --- one skill ---

    private Target latest(Call call, String slug) {
        return skills.find(
                call.caller(), ClawName.parse(call.query("ownerHandle").orElse(""), slug), call::pay);
    }

    private Target asked(Call call, String slug) {
        var version = call.query("version", Version::parse).map(VersionSelector.ByVersion::new);
        var tag = call.query("tag", Tag::parse).map(VersionSelector.ByTag::new);
        if (version.isPresent() && tag.isPresent()) {
            throw new Problem.BadRequest("use either version or tag").raise();
        }
        var latest = latest(call, slug);
        return version.<VersionSelector>map(its -> its)
                .or(() -> tag)
                .map(selector -> versions.at(latest, Resolve.Question.of(selector)))
                .orElse(latest);
    }

    private static Answer cached(Call call, Target skill, Object json) {
        return CachePolicy.MOVING.on(
                Answer.ok(json), call.caller(), skill.bundle().visibility());
    }

    private Answer skill(Call call) {
        var skill = latest(call, call.parameter("slug"));
        var known = skills.known(skill, call::pay);
        var json = of("skill", ClawJson.skill(skill, skills.history(skill, call::pay)));
        json.put("latestVersion", ClawJson.version(known));
        json.put("owner", ClawJson.owned(skill));
        json.put("moderation", ClawJson.moderation(known));
        return cached(call, skill, json);
    }

    private Answer versions(Call call) {
        var skill = latest(call, call.parameter("slug"));
        var paging = PageRequest.of(call, "ownerHandle");
        var all = skills.history(skill, call::pay).versions().stream();
        String after = paging.after();
        var rest = after == null
                ? all
                : all.dropWhile(known -> !ClawJson.number(known).equals(after)).skip(1);
        var page = paging.list(rest.limit(paging.fetch()).toList(), ClawJson::number, ClawJson::version);
        return cached(
                call, skill, of("items", page.data(), "nextCursor", page.meta().nextCursor()));
    }

    private Answer version(Call call) {
        var version = new VersionSelector.ByVersion(call.parameter("version", Version::parse));
        var skill = versions.at(latest(call, call.parameter("slug")), Resolve.Question.of(version));
        var known = skills.known(skill, call::pay);
        return cached(call, skill, of("version", ClawJson.version(known, skill), "skill", ClawJson.identity(skill)));
    }

    private Answer install(Call call) {
        var skill = latest(call, call.parameter("slug"));
        String slug = ClawSkills.name(skill);
        String version = skill.version().resolved().version().version().toString();
        String url = call.baseUrl() + PLACE + "/download?slug=" + slug + "&ownerHandle="
                + skill.bundle().name().namespace() + "&version=" + URLEncoder.encode(version, StandardCharsets.UTF_8);
        var archive = of("version", version, "downloadUrl", url);
        return cached(call, skill, of("ok", true, "slug", slug, "installKind", "archive", "archive", archive));
    }

    private Answer scan(Call call) {
        var skill = asked(call, call.parameter("slug"));
        var known = skills.known(skill, call::pay);
        var json = of("skill", ClawJson.identity(skill), "version", ClawJson.version(known));
        json.put("moderation", ClawJson.moderation(known));
        json.put("security", ClawJson.security(known));
        return cached(call, skill, json);
    }

    private Answer verify(Call call) {
        var skill = asked(call, call.parameter("slug"));
        var json = ClawJson.verdict(call, skill, skills.known(skill, call::pay));
        var version = skill.version();
        String tag = version.selector() instanceof VersionSelector.ByTag its ? its.toString() : null;
        json.put("schema", "clawhub.skill.verify.v1");
        json.put(
                "publisherProfileUrl",
                call.baseUrl() + "/" + skill.bundle().name().namespace());
        json.put("resolvedFrom", tag != null ? "tag" : version.isExact() ? "version" : "latest");
        json.put("tag", tag);
        json.put("card", of("available", false));
        json.put("artifact", of("digest", version.resolved().version().digest().toString()));
        json.put("provenance", of("status", "unavailable"));
        json.put("signature", of("present", version.resolved().signature() != null));
        return cached(call, skill, json);
    }

    private Answer file(Call call) {
        String path = required(call, "path");
        var skill = asked(call, call.parameter("slug"));
        return content.file(call, skill, ClawSkills.name(skill), path);
    }

    private Answer download(Call call) {
        var skill = asked(call, required(call, "slug"));
        return content.archive(call, skill, ClawSkills.name(skill) + ".zip");
    }

    private Answer resolve(Call call) {
        String hash = required(call, "hash");
        var skill = latest(call, required(call, "slug"));
        var match = skills.history(skill, call::pay).versions().stream()
                .filter(known -> hash.equals(known.fingerprint()))
                .map(known -> of("version", ClawJson.number(known)))
                .findFirst()
                .orElse(null);
        var latest =
                of("version", skill.version().resolved().version().version().toString());
        return cached(call, skill, of("slug", ClawSkills.name(skill), "match", match, "latestVersion", latest));
    }

    // --- verdicts ---

    private record Wanted(String owner, String slug, String version) {
        static Wanted parse(RequestFields fields) {
            String owner = fields.optional("ownerHandle", MAX_TEXT);
            return new Wanted(
                    owner == null ? "" : owner,
                    fields.required("slug", MAX_TEXT),
                    fields.required("version", MAX_TEXT));
        }
    }

    private Answer verdicts(Call call) {
        var wanted = call.json().to(fields -> {
            var items = fields.objects("items", MAX_VERDICTS).stream()
                    .map(Wanted::parse)
                    .toList();
            if (items.isEmpty() || items.size() > Set.copyOf(items).size()) {
                fields.error("items", "range", "must have 1 to " + MAX_VERDICTS + " entries, all different");
            }
            return items;
        });
        wanted.stream().skip(1).forEach(more -> call.count(call.caller(), RequestCost.READ));
        var items = wanted.stream().map(item -> verdict(call, item)).toList();
        return Answer.ok(of("schema", "clawhub.skill.security-verdicts.v1", "items", items))
                .with("Cache-Control", "private, no-store");
    }

    private Map<String, @Nullable Object> verdict(Call call, Wanted wanted) {
        Map<String, @Nullable Object> verdict;
        String missing = "skill";
        try {
            var latest = skills.find(call.caller(), ClawName.parse(wanted.owner(), wanted.slug()), call::pay);
            missing = "version";
            var skill = versions.at(
                    latest, Resolve.Question.of(new VersionSelector.ByVersion(Version.parse(wanted.version()))));
            verdict = ClawJson.verdict(call, skill, skills.known(skill, call::pay));
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Service) {
                throw e;
            }
            verdict = ClawJson.noVerdict(missing, e.problem().detail());
        }
        verdict.putAll(of("requestedSlug", wanted.slug(), "requestedVersion", wanted.version()));
        if (!wanted.owner().isBlank()) {
            verdict.put("requestedOwnerHandle", wanted.owner());
        }
        return verdict;
    }

    // --- publish ---

    /// Returns as handle the namespace that the caller publishes to, if there is only one.
    private Answer whoami(Call call) {
        var caller = call.origin().caller();
        var own = namespaces.permitted(caller, null, 2);
        String handle = own.size() == 1 ? own.getFirst().handle() : null;
        return Answer.ok(of(
                        "user",
                        of("handle", handle, "displayName", caller.credential().name(), "image", null)))
                .with("Cache-Control", "private, no-cache");
    }

    private Answer ticket(Call call) {
        String ticket = publish.ticket(call.origin(), call.json().to(ClawVersion.File::parse))
                .toString();
        String url = call.baseUrl() + SKILLS + "/-/uploads/" + ticket;
        return Answer.ok(of("uploadUrl", url, "uploadTicket", ticket));
    }

    private Answer upload(Call call) {
        var ticket = call.parameter("upload_id", PathId.of("the ticket %s"));
        publish.upload(call.origin(), ticket, () -> call.bytes("the file", ClawVersion.MAX_FILE));
        return Answer.ok(of("storageId", ticket.toString()));
    }

    private Answer publish(Call call) {
        var sent = call.json().to(ClawVersion::parse);
        var done =
                publish.publish(call.origin(), sent, bytes -> call.borrow("the files of the version", bytes, COPIES));
        var version = done.version().version();
        var json = of(
                "ok",
                true,
                "skillId",
                version.bundleId().toString(),
                "versionId",
                version.id().toString());
        json.putAll(of("slug", sent.name().slug(), "version", version.version().toString()));
        json.putAll(of("status", "published", "publicationStatus", "published"));
        return Answer.ok(json);
    }

    // --- errors ---

    /// Returns a refusal as text, which clients show. One that looks for a skill before it publishes it sees by the
    /// first words that there is none yet.
    private static Answer error(Problem problem, Call call) {
        String text = switch (problem) {
            case Problem.BundleNotFound missing -> "Skill not found: " + missing.detail();
            case Problem.ValidationFailed failed ->
                failed.errors().stream()
                        .limit(MAX_ERRORS)
                        .map(error -> (error.pointer() + ": " + error.detail()).replaceFirst("^: ", ""))
                        .collect(Collectors.joining("; "));
            default -> problem.detail();
        };
        int status = problem instanceof Problem.ValidationFailed ? 400 : ProblemJson.status(problem);
        return Answer.bytes(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8))
                .with(ProblemJson.render(problem, call).headers());
    }
}
