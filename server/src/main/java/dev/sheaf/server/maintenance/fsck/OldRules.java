package dev.sheaf.server.maintenance.fsck;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.PathRules;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.maintenance.fsck.OldRulesRows.Paths;
import dev.sheaf.server.org.ReservedNames;
import dev.sheaf.server.work.TaskRun;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// Finds data that older rules allowed and current rules would refuse, and reports what to do about it. The
/// data stays usable, and nothing is changed.
final class OldRules {
    private static final int PAGE = 200;
    private static final int NAMED = 5;
    private static final String COUNTED = "ofOlderRules";

    private final Database database;

    OldRules(Database database) {
        this.database = database;
    }

    void run(TaskRun run) {
        versions(run);
        workingSets(run);
        names(run);
        publishers(run);
    }

    private static void tell(TaskRun run, String subject, String reason) {
        run.count(COUNTED, 1);
        run.find(subject, reason);
    }

    private void versions(TaskRun run) {
        for (var page = versions("");
                !page.isEmpty();
                page = versions(page.getLast().place())) {
            run.checkpoint();
            page.forEach(version -> paths(
                    run,
                    version,
                    "; publish a version without it and yank this one. Until then `sheaf pull --skip-refused` gets"
                            + " the rest"));
        }
    }

    private List<Paths> versions(String after) {
        return database.read(tx -> OldRulesRows.versions(tx, after, PAGE));
    }

    private void workingSets(TaskRun run) {
        for (var page = workingSets("");
                !page.isEmpty();
                page = workingSets(page.getLast().place())) {
            run.checkpoint();
            page.forEach(bundle -> paths(run, bundle, "; delete or rename it, or nothing can be published from there"));
        }
    }

    private List<Paths> workingSets(String after) {
        return database.read(tx -> OldRulesRows.workingSets(tx, after, PAGE));
    }

    private static void paths(TaskRun run, Paths paths, String advice) {
        var found = PathRules.check(paths.paths().stream().map(LogicalPath::new).toList());
        if (!found.isEmpty()) {
            String details =
                    found.stream().limit(NAMED).map(PathRules.Violation::detail).collect(Collectors.joining("; "));
            int more = found.size() - NAMED;
            tell(run, paths.subject(), details + (more > 0 ? "; and " + more + " more" : "") + advice);
        }
    }

    private void names(TaskRun run) {
        for (String name : database.read(OldRulesRows::namespaces)) {
            if (ReservedNames.contains(Namespace.parse(name))) {
                tell(
                        run,
                        "namespace " + name,
                        "its name is now reserved, and a page of the registry may use its address; publish its bundles"
                                + " in another namespace and deprecate them here with that as their replacement");
            }
        }
        for (String handle : database.read(OldRulesRows::organizations)) {
            if (ReservedNames.contains(Namespace.parse(handle))) {
                tell(
                        run,
                        "organization " + handle,
                        "its handle is now reserved, because it looks official. Create another organization and"
                                + " transfer the namespaces to it");
            }
        }
        for (String bundle : database.read(OldRulesRows::endingLikeAnother)) {
            tell(
                    run,
                    bundle,
                    "its name ends in .git or .json, like an address of another kind; publish it under another name and"
                            + " deprecate this one with that as its replacement");
        }
    }

    /// Reports publishers for bundles of other organizations. They cannot publish anything.
    private void publishers(TaskRun run) {
        var owners = database.read(OldRulesRows::owners);
        for (var publisher : database.read(OldRulesRows::publishers)) {
            var others = foreign(publisher, owners);
            if (!others.isEmpty()) {
                tell(
                        run,
                        "trusted publisher " + publisher.id() + " of " + publisher.organization(),
                        "it is registered for " + String.join(", ", others)
                                + ", in a namespace of another organization, so it cannot publish anything; delete it with"
                                + " `sheaf publishers delete " + publisher.id() + "`");
            }
        }
    }

    private static List<String> foreign(OldRulesRows.Publisher publisher, Map<String, String> owners) {
        var wire = Restrictions.decode(publisher.restrictions()).toWire();
        var bundles = wire == null ? null : wire.bundles();
        return Objects.requireNonNullElse(bundles, List.<String>of()).stream()
                .filter(bundle -> {
                    String owner = owners.get(bundle.substring(0, bundle.indexOf('/')));
                    return owner != null && !owner.equals(publisher.organization());
                })
                .toList();
    }
}
