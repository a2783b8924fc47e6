package dev.sheaf.server.org.pages;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.account.SessionView;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.audit.AuditFilter;
import dev.sheaf.server.audit.AuditLog;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.bundle.OwnBundles;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.version.InstallableBundles;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.Sessions;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.key.ApiKeys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds how far a member has come with the first steps, from what the registry keeps anyway: sessions and keys, the
/// audit log, and counts of pulls. It stores nothing.
public final class FirstSteps {
    private static final String BY_DEVICE = "device";
    private static final String FIRST_START = "bootstrap"; // who created the first key
    private static final int LOOKED_AT = 50; // sessions, keys, bundles
    private static final int MOST_KEYS = 5; // whose pushes are looked for

    private final Sessions sessions;
    private final ApiKeys keys;
    private final AuditLog log;
    private final OwnBundles bundles;
    private final BundleList list;
    private final InstallableBundles installables;
    private final Namespaces namespaces;

    public FirstSteps(
            Sessions sessions,
            ApiKeys keys,
            AuditLog log,
            OwnBundles bundles,
            BundleList list,
            InstallableBundles installables,
            Namespaces namespaces) {
        this.sessions = sessions;
        this.keys = keys;
        this.log = log;
        this.bundles = bundles;
        this.list = list;
        this.installables = installables;
        this.namespaces = namespaces;
    }

    /// A command of a step.
    public record Command(String label, String text) {}

    /// A step.
    ///
    /// @param done how the registry knows that it is done; empty if it is not
    /// @param at when it was done; null if that is not known
    /// @param link the page of what was made; empty if there is none
    /// @param text what the step does
    public record Step(
            String title, String done, @Nullable Instant at, String link, String text, List<Command> commands) {
        public Step {
            commands = List.copyOf(commands);
        }

        public boolean isDone() {
            return !done.isEmpty();
        }
    }

    /// When a program of the viewer first came, and its name.
    private record Seen(String name, Instant at) {}

    /// A version that the viewer has published.
    private record Published(String bundle, String version, Instant at) {}

    /// A key of the viewer.
    ///
    /// @param since uses before are not the viewer's
    private record OwnKey(ApiKey key, Instant since) {
        String actor() {
            return "key:" + key.id();
        }

        Optional<Seen> used() {
            var used = key.lastUsedAt();
            return used == null || !used.isAfter(since) ? Optional.empty() : Optional.of(seen(used));
        }

        Seen seen(Instant at) {
            return new Seen("key " + PageFormat.visible(key.name()), at);
        }
    }

    /// Returns the viewer's steps in the organization. Who may not publish has none for it.
    List<Step> of(OrgPage org, String base) {
        var own = keys(org);
        var program = program(org, own);
        var published = published(org, own);
        boolean isInstalled =
                program.isPresent() && isPulledSince(org, program.get().at());
        String named = installable(org, published).orElseGet(() -> namespace(org) + "/hello");
        var steps = new ArrayList<Step>();
        steps.add(new Step(
                "Get the client",
                program.map(seen -> "this registry has seen it").orElse(""),
                null,
                "",
                "It needs bash and Java 25 or newer. It is there when it signs in.",
                List.of(new Command(
                        "the command that installs the client",
                        "curl -fsSL " + ShellQuoting.quote(base + "/client/install.sh") + " | sh"))));
        steps.add(new Step(
                "Sign in on your machine",
                program.map(Seen::name).orElse(""),
                program.map(Seen::at).orElse(null),
                "",
                "The program shows a code, and you allow it in the browser. A key in SHEAF_API_KEY works too.",
                List.of(new Command("the command that signs in", "sheaf login --url " + ShellQuoting.quote(base)))));
        if (org.page().may(RoutePermission.WRITE)) {
            steps.add(push(published, namespace(org) + "/hello"));
        }
        steps.add(new Step(
                "Install a bundle",
                isInstalled
                        ? "bundles of " + PageFormat.visible(org.organization().name()) + " were pulled"
                        : "",
                null,
                "",
                "In the folder of a project. It writes the skills to where your agent programs look, and a lock file.",
                List.of(new Command("the command that installs it", "sheaf add " + ShellQuoting.quote(named)))));
        return steps;
    }

    private static Step push(Optional<Published> published, String name) {
        return new Step(
                "Push a first bundle",
                published
                        .map(done -> PageFormat.visible(done.bundle() + " " + done.version()))
                        .orElse(""),
                published.map(Published::at).orElse(null),
                published.map(done -> "/" + done.bundle()).orElse(""),
                "A folder with a skill. Nobody else sees it, unless you add --public.",
                List.of(
                        new Command(
                                "the command that writes a skill",
                                "mkdir -p hello && printf -- '---\\nname: hello\\ndescription: Says hello.\\n---\\n# Hello\\n'"
                                        + " > hello/SKILL.md"),
                        new Command(
                                "the command that pushes it",
                                "sheaf push hello " + ShellQuoting.quote(name + ":0.1.0"))));
    }

    /// Returns the keys that the viewer created and, for owners, the key of the first start, since they have an
    /// account.
    private List<OwnKey> keys(OrgPage org) {
        var user = org.page().viewer().user();
        if (!org.isAdmin() || user == null) {
            return List.of();
        }
        var caller = org.page().caller();
        boolean isOwner = org.role().equals(Role.OWNER.toString());
        return keys.list(caller, new ApiKeys.Filter(null, null), null, LOOKED_AT).stream()
                .filter(key -> caller.actor().equals(key.createdBy()) || isOwner && FIRST_START.equals(key.createdBy()))
                .map(key -> new OwnKey(key, FIRST_START.equals(key.createdBy()) ? user.createdAt() : key.createdAt()))
                .toList();
    }

    /// Returns the viewer's program that came first: a session of a device, or a key of the viewer that was used or
    /// has published.
    private Optional<Seen> program(OrgPage org, List<OwnKey> own) {
        var found = new ArrayList<Seen>();
        sessions.list(Accounts.person(org.page().caller()), null, LOOKED_AT).stream()
                .filter(session -> session.method().equals(BY_DEVICE))
                .forEach(session -> found.add(new Seen(device(session), session.createdAt())));
        own.forEach(key -> key.used().ifPresent(found::add));
        own.stream()
                .limit(MOST_KEYS)
                .forEach(key ->
                        publishedBy(org, key.actor(), key.since()).ifPresent(done -> found.add(key.seen(done.at()))));
        return found.stream().min(Comparator.comparing(Seen::at));
    }

    private static String device(SessionView session) {
        return session.device().isBlank() ? "a device" : PageFormat.visible(session.device());
    }

    /// Returns the version that the viewer, or one of the viewer's keys, published last.
    private Optional<Published> published(OrgPage org, List<OwnKey> own) {
        var last = own.stream().limit(MOST_KEYS).flatMap(key -> publishedBy(org, key.actor(), key.since()).stream());
        return Stream.concat(publishedBy(org, org.page().caller().actor(), null).stream(), last)
                .max(Comparator.comparing(Published::at));
    }

    private Optional<Published> publishedBy(OrgPage org, String actor, @Nullable Instant since) {
        var filter = new AuditFilter(
                org.page().caller().organizationId(), actor, "version.publish", null, null, null, since, null, null);
        return log.page(filter, null, 1).stream().findFirst().flatMap(row -> {
            String subject = row.entry().subject();
            int colon = subject.indexOf(':');
            return colon < 0
                    ? Optional.empty()
                    : Optional.of(new Published(subject.substring(0, colon), subject.substring(colon + 1), row.at()));
        });
    }

    private boolean isPulledSince(OrgPage org, Instant first) {
        long day = PullCounts.day(first);
        return bundles.pulls(org.page().caller()).days().stream()
                .anyMatch(pulled -> pulled.day() >= day && pulled.downloads() > 0);
    }

    /// Returns a bundle that can be installed without a question: the viewer's own, or else one of the organization.
    private Optional<String> installable(OrgPage org, Optional<Published> published) {
        var caller = org.page().caller();
        var names = new ArrayList<RepositoryName>();
        published.map(done -> RepositoryName.parse(done.bundle())).ifPresent(names::add);
        first(org)
                .ifPresent(space -> list.list(caller, new Namespace(space), BundleList.Filter.ALL, null, LOOKED_AT)
                        .forEach(bundle -> names.add(bundle.name())));
        return installables.first(caller, names).map(RepositoryName::toString);
    }

    private Optional<String> first(OrgPage org) {
        return namespaces.permitted(org.page().caller(), null, 1).stream()
                .findFirst()
                .map(space -> space.handle());
    }

    private String namespace(OrgPage org) {
        return first(org).orElse(org.organization().handle());
    }
}
