package dev.sheaf.server.clawhub.api;

import static dev.sheaf.server.clawhub.api.ClawObject.of;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.agents.BundleSkills.Target;
import dev.sheaf.server.agents.DiscoveryApi;
import dev.sheaf.server.agents.SkillSearch;
import dev.sheaf.server.bundle.ClientKind;
import dev.sheaf.server.bundle.api.ReviewRecords;
import dev.sheaf.server.bundle.publish.Publish;
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
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/// Skills for clients of ClawHub (openclaw/clawhub, "HTTP API", version 1).
public final class ClawHubApi {
    private static final String PLACE = "/api/v1";
    private static final String SKILLS = PLACE + "/skills";
    private static final String SKILL = SKILLS + "/{slug}";
    private static final int MAX_VERDICTS = 100;
    private static final int MAX_TEXT = 200;
    private static final int COPIES = 2; // of the files of a version

    private final ClawSkills skills;
    private final DiscoveryApi content;
    private final SkillSearch search;
    private final ClawPublish publish;
    private final Namespaces namespaces;

    public ClawHubApi(
            ClawSkills skills, DiscoveryApi content, SkillSearch search, ClawPublish publish, Namespaces namespaces) {
        this.skills = skills;
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
        var routes = List.of(
                new Route(GET, PLACE + "/search", read, this::search),
                new Route(GET, SKILLS, read, this::list),
                new Route(GET, SKILL, read, shown(this::latest, this::skill)),
                new Route(GET, SKILL + "/versions", read, shown(this::latest, this::versions)),
                new Route(GET, SKILL + "/versions/{version}", read, shown(this::latest, this::version)),
                new Route(GET, SKILL + "/install", read, shown(this::latest, this::install)),
                new Route(GET, SKILL + "/verify", read, shown(this::asked, this::verify)),
                new Route(GET, SKILL + "/file", read, RequestCost.CONTENT, this::file),
                new Route(GET, PLACE + "/resolve", read, this::resolve),
                new Route(GET, PLACE + "/download", read, RequestCost.CONTENT, this::download),
                new Route(GET, PLACE + "/whoami", RoutePermission.READ, this::whoami),
                new Route(POST, SKILLS + "/-/security-verdicts", read, RequestCost.READ, this::verdicts),
                new Route(POST, SKILLS + "/-/upload-url", write, RequestCost.MANIFEST, this::ticket),
                new Route(POST, SKILLS + "/-/uploads/{upload_id}", write, RequestCost.CONTENT, this::upload),
                new Route(POST, SKILLS, write, this::publish));
        return new RouteSurface(PLACE + "/", false, ClawHubApi::error, routes);
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
        return cached(call, Visibility.PUBLIC, of("results", found));
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
        return cached(call, Visibility.PUBLIC, of("items", items, "nextCursor", paging.cursor(part.next())));
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
        var name = ClawName.parse(call.query("ownerHandle").orElse(""), slug);
        return skills.find(call.caller(), name, call::pay);
    }

    private Target asked(Call call, String slug) {
        var wanted = call.query("version", Version::parse)
                .<VersionSelector>map(VersionSelector.ByVersion::new)
                .or(() -> call.query("tag", Tag::parse).map(VersionSelector.ByTag::new));
        var latest = latest(call, slug);
        return wanted.map(selector -> skills.in(latest, selector)).orElse(latest);
    }

    /// Returns what shows a skill.
    private static Route.Handler shown(
            BiFunction<Call, String, Target> find, BiFunction<Call, Target, ClawObject> show) {
        return call -> {
            var skill = find.apply(call, call.parameter("slug"));
            return cached(call, skill.bundle().visibility(), show.apply(call, skill));
        };
    }

    private static Answer cached(Call call, Visibility visibility, ClawObject json) {
        return CachePolicy.MOVING.on(Answer.ok(json), call.caller(), visibility);
    }

    private ClawObject skill(Call call, Target skill) {
        var known = skills.known(skill, call::pay);
        String owner = skill.bundle().name().namespace().value();
        return of("skill", ClawJson.skill(skill, skills.history(skill, null, call::pay)))
                .and("latestVersion", ClawJson.version(known), "owner", ClawJson.owner(owner, owner))
                .and("moderation", ClawJson.moderation(known));
    }

    private ClawObject versions(Call call, Target skill) {
        var paging = PageRequest.of(call, "ownerHandle");
        var below = Optional.ofNullable(paging.after()).map(Version::parse).orElse(null);
        var part = skills.history(skill, below, call::pay);
        var shown = part.versions().stream().limit(paging.limit()).toList();
        String next = shown.size() == part.versions().size()
                ? part.next()
                : shown.getLast().number();
        var items = shown.stream().map(ClawJson::version).toList();
        return of("items", items, "nextCursor", paging.cursor(next));
    }

    private ClawObject version(Call call, Target latest) {
        var skill = skills.in(latest, new VersionSelector.ByVersion(call.parameter("version", Version::parse)));
        var json = ClawJson.version(skills.known(skill, call::pay), skill);
        return of("version", json, "skill", ClawJson.identity(skill));
    }

    private ClawObject install(Call call, Target skill) {
        String slug = skill.one().name();
        String version = skill.number();
        String url = call.baseUrl() + PLACE + "/download?slug=" + slug + "&ownerHandle="
                + skill.bundle().name().namespace() + "&version=" + URLEncoder.encode(version, StandardCharsets.UTF_8);
        return of("ok", true, "slug", slug, "installKind", "archive")
                .and("archive", of("version", version, "downloadUrl", url));
    }

    private ClawObject verify(Call call, Target skill) {
        var version = skill.version();
        var resolved = version.resolved();
        String tag = version.selector() instanceof VersionSelector.ByTag its ? its.toString() : null;
        String profile = call.baseUrl() + "/" + skill.bundle().name().namespace();
        return ClawJson.verdict(call, skill, skills.known(skill, call::pay))
                .and("schema", "clawhub.skill.verify.v1", "publisherProfileUrl", profile, "tag", tag)
                .and("resolvedFrom", tag != null ? "tag" : version.isExact() ? "version" : "latest")
                .and("card", of("available", false), "provenance", of("status", "unavailable"))
                .and("artifact", of("digest", resolved.version().digest().toString()))
                .and("signature", of("present", resolved.signature() != null));
    }

    private Answer file(Call call) {
        String path = required(call, "path");
        var skill = asked(call, call.parameter("slug"));
        return content.file(call, skill, skill.one().name(), path);
    }

    private Answer download(Call call) {
        var skill = asked(call, required(call, "slug"));
        return content.archive(call, skill, skill.one().name() + ".zip", ClientKind.CLAWHUB);
    }

    private Answer resolve(Call call) {
        String hash = required(call, "hash");
        var skill = latest(call, required(call, "slug"));
        var match = skills.history(skill, null, call::pay).versions().stream()
                .filter(known -> hash.equals(known.fingerprint()))
                .map(known -> of("version", known.number()))
                .findFirst()
                .orElse(null);
        var json = of("slug", skill.one().name(), "match", match, "latestVersion", of("version", skill.number()));
        return cached(call, skill.bundle().visibility(), json);
    }

    // --- verdicts ---

    private record Wanted(String owner, String slug, String version) {
        static Wanted parse(RequestFields fields) {
            String owner = fields.parsedOr("ownerHandle", String::strip, "");
            return new Wanted(owner, fields.required("slug", MAX_TEXT), fields.required("version", MAX_TEXT));
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
        return Answer.ok(of("schema", "clawhub.skill.security-verdicts.v1", "items", items));
    }

    private ClawObject verdict(Call call, Wanted wanted) {
        ClawObject verdict;
        String missing = "skill";
        try {
            var latest = skills.find(call.caller(), ClawName.parse(wanted.owner(), wanted.slug()), call::pay);
            missing = "version";
            var skill = skills.in(latest, new VersionSelector.ByVersion(Version.parse(wanted.version())));
            verdict = ClawJson.verdict(call, skill, skills.known(skill, call::pay));
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Service) {
                throw e;
            }
            String why = e.problem().detail();
            verdict = of("ok", false, "decision", "fail", "reasons", List.of(missing + ".not_found"), "security", null)
                    .and("error", of("code", missing + "_not_found", "message", why));
        }
        verdict.and("requestedSlug", wanted.slug(), "requestedVersion", wanted.version());
        return wanted.owner().isEmpty() ? verdict : verdict.and("requestedOwnerHandle", wanted.owner());
    }

    // --- publish ---

    /// Returns as handle the namespace that the caller publishes to, if there is only one.
    private Answer whoami(Call call) {
        var caller = call.origin().caller();
        var own = namespaces.permitted(caller, null, 2);
        String handle = own.size() == 1 ? own.getFirst().handle() : null;
        return Answer.ok(of("user", ClawJson.owner(handle, caller.credential().name())));
    }

    private Answer ticket(Call call) {
        var ticket = publish.ticket(call.origin(), call.json().to(ClawVersion.File::parse));
        return Answer.ok(of("uploadUrl", call.baseUrl() + SKILLS + "/-/uploads/" + ticket, "uploadTicket", ticket));
    }

    private Answer upload(Call call) {
        var ticket = call.parameter("upload_id", PathId.of("the ticket %s"));
        publish.upload(call.origin(), ticket, () -> call.bytes("the file", ClawVersion.MAX_FILE));
        return Answer.ok(of("storageId", ticket));
    }

    private Answer publish(Call call) {
        var sent = call.json().to(ClawVersion::parse);
        call.borrow("the files of the version", sent.size(), COPIES);
        return Answer.ok(
                switch (publish.publish(call.origin(), sent)) {
                    case Publish.Published done -> {
                        var version = done.version().version();
                        yield of("ok", true, "publicationStatus", "published")
                                .and("skillId", version.bundleId(), "versionId", version.id());
                    }
                    case Publish.Held held ->
                        of("ok", true, "publicationStatus", "pending")
                                .and(
                                        "skillId",
                                        held.review().id(),
                                        "versionId",
                                        held.review().id())
                                .and("message", ReviewRecords.sentence(call, held.review()));
                });
    }

    // --- errors ---

    /// Returns a refusal as text, which clients show. One that looks for a skill before it publishes it sees by the
    /// first words that there is none yet.
    private static Answer error(Problem problem, Call call) {
        String text = switch (problem) {
            case Problem.BundleNotFound missing -> "Skill not found: " + missing.detail();
            case Problem.ValidationFailed failed -> failed.allDetails();
            default -> problem.detail();
        };
        int status = problem instanceof Problem.ValidationFailed ? 400 : ProblemJson.status(problem);
        return Answer.bytes(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8))
                .with(ProblemJson.render(problem, call).headers());
    }
}
