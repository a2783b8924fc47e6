package dev.sheaf.server.ops;

import dev.sheaf.model.wire.admin.ModeRecord;
import dev.sheaf.model.wire.admin.NodeHealth;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Whether the registry works, in the words of those who use it. It names nothing of its inside: anybody
/// may read it.
///
/// @param services what people use, with whether it works now
public record ServiceStatus(List<Service> services) {
    private static final Set<String> FOR_PAGES = Set.of("database", "changes");
    private static final Set<String> FOR_PULLS = Set.of("database", "changes", "store");
    private static final Set<String> FOR_CHANGES = Set.of("database", "changes", "store", "disk");

    /// The registry as a whole.
    public enum Overall {
        WORKS,
        LIMITED,
        DOWN
    }

    /// A service.
    ///
    /// @param words what that means for its users
    /// @param since since when this is so, as far as this node knows; null if it is not known
    public record Service(
            String name,
            boolean works,
            String words,
            @Nullable Instant since) {}

    public ServiceStatus {
        services = List.copyOf(services);
    }

    public static ServiceStatus of(NodeHealth health) {
        return new ServiceStatus(List.of(
                service(health, "Search and pages", FOR_PAGES, "Search and pages cannot be used now."),
                service(health, "Pull and install", FOR_PULLS, "Some content or all of it cannot be pulled now."),
                changes(health)));
    }

    private static Service changes(NodeHealth health) {
        String name = "Publish and change";
        var found = service(health, name, FOR_CHANGES, "Nothing can be published or changed now.");
        ModeRecord mode = health.mode();
        return found.works() && mode != null && mode.readOnly()
                ? new Service(
                        name,
                        false,
                        "Nothing can be published or changed now: the operator of the registry has paused changes.",
                        null)
                : found;
    }

    private static Service service(NodeHealth health, String name, Set<String> needed, String otherwise) {
        Predicate<NodeHealth.Part> isDown = part -> part.detail() != null;
        var parts = health.parts().stream()
                .filter(part -> needed.contains(part.name()))
                .toList();
        boolean works = parts.stream().noneMatch(isDown);
        var since = parts.stream()
                .filter(works ? part -> true : isDown)
                .map(NodeHealth.Part::since)
                .filter(Objects::nonNull)
                .min(works ? Comparator.reverseOrder() : Comparator.naturalOrder())
                .orElse(null);
        return new Service(name, works, works ? "Works." : otherwise, since);
    }

    public Overall overall() {
        if (services.stream().allMatch(Service::works)) {
            return Overall.WORKS;
        }
        return services.getFirst().works() ? Overall.LIMITED : Overall.DOWN;
    }
}
