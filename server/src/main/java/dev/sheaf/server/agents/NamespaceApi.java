package dev.sheaf.server.agents;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.Namespaces;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The skills of a whole namespace, if its owner has switched this on. A client that is given the address of the
/// namespace installs all of them.
public final class NamespaceApi {
    private static final String PLACE = "/{namespace}/.well-known/agent-skills";
    private static final int MAX_SKILLS = 50;
    private static final int MAX_BUNDLES = 200;

    private final Namespaces namespaces;
    private final BundleList bundles;
    private final BundleSkills found;
    private final SkillIndex index;
    private final SkillFiles files;

    public NamespaceApi(
            Namespaces namespaces, BundleList bundles, BundleSkills found, SkillIndex index, SkillFiles files) {
        this.namespaces = namespaces;
        this.bundles = bundles;
        this.found = found;
        this.index = index;
        this.files = files;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, PLACE + "/index.json", RoutePermission.PUBLIC_READ, this::index),
                new Route(
                        GET,
                        PLACE + "/{skill}/{path...}",
                        RoutePermission.PUBLIC_READ,
                        RequestCost.CONTENT,
                        this::file));
    }

    /// A skill and the version that contains it.
    private record Offered(BundleSkills.Target target, SkillIndex.Listed skill) {}

    private Answer index(Call call) {
        var skills = offered(call).values().stream().map(Offered::skill).toList();
        return SkillFiles.cached(
                call, Visibility.PUBLIC, false, Answer.ok(new SkillIndex.Index(SkillIndex.SCHEMA, skills)));
    }

    private Answer file(Call call) {
        String name = call.parameter("skill");
        var offered = offered(call).get(name);
        if (offered == null) {
            throw new Problem.NotFound("the skill " + name + " in this namespace's index").raise();
        }
        return files.file(call, offered.target(), name, call.parameter("path"));
    }

    /// Returns the skills by name. If two bundles have a skill of the same name, the first bundle by name wins.
    /// Private bundles are never included, so every caller gets the same answer.
    private Map<String, Offered> offered(Call call) {
        var namespace = call.parameter("namespace", Namespace::parse);
        if (namespaces.find(namespace, NamespaceRecord::skillsIndex).isEmpty()) {
            throw none(namespace).raise();
        }
        call.pay();
        var offered = new TreeMap<String, Offered>();
        for (var bundle : bundles(call, namespace)) {
            if (offered.size() == MAX_SKILLS) {
                break;
            }
            // not if all versions are yanked, or the bundle was deleted meanwhile
            ProblemException.ifThere(() -> found.latest(call.caller(), bundle.name()))
                    .ifPresent(target -> {
                        for (var skill : index.listed(target, call)) {
                            if (offered.size() < MAX_SKILLS) {
                                offered.putIfAbsent(skill.name(), new Offered(target, skill));
                            }
                        }
                    });
        }
        return offered;
    }

    private List<BundleSnapshot> bundles(Call call, Namespace namespace) {
        var filter = new BundleList.Filter(Visibility.PUBLIC, "");
        return ProblemException.ifThere(() -> bundles.list(call.caller(), namespace, filter, null, MAX_BUNDLES))
                .orElse(List.of()); // nothing is public
    }

    private static Problem none(Namespace namespace) {
        return new Problem.NotFound("the index of all skills of namespace " + namespace
                + " (its owner has not switched it on, or the namespace does not exist)");
    }
}
