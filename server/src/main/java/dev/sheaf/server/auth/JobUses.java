package dev.sheaf.server.auth;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.util.List;
import java.util.Set;

/// The queues and uses that a key is confined to. An empty list does not confine.
///
/// @param queues slugs, one trailing `*` allowed
/// @param uses `work` and `enqueue`; a key with a use may do nothing else that needs more than the read scope
public record JobUses(List<String> queues, List<String> uses) {
    public static final JobUses ANY = new JobUses(List.of(), List.of());

    /// The use that allows claiming jobs and reporting on them.
    public static final String WORK = "work";
    /// The use that allows putting jobs into queues.
    public static final String ENQUEUE = "enqueue";

    private static final Set<String> USES = Set.of(WORK, ENQUEUE);

    public JobUses {
        queues = List.copyOf(queues);
        uses = List.copyOf(uses);
    }

    /// Says what a key with uses may do, and what it lacks.
    ///
    /// @param needed the use that covers the request; empty if no use does
    static String refusal(List<String> uses, String needed) {
        String may = uses.contains(WORK)
                ? uses.contains(ENQUEUE) ? "add jobs and work on them" : "work on jobs"
                : "add jobs";
        String lacks = switch (needed) {
            case WORK -> "; to work on jobs, it needs the use work";
            case ENQUEUE -> "; to add jobs, it needs the use enqueue";
            default -> "; use a key without uses for this request";
        };
        return "this key may only " + may + " (uses: " + String.join(", ", uses) + ")" + lacks;
    }

    static String queue(String text) {
        if (!text.matches("[a-z0-9][a-z0-9-]{0,99}\\*?|\\*")) {
            throw Problem.invalid(
                    "format", Quoted.of(text) + " must be the slug of a queue; one trailing * is allowed");
        }
        return text;
    }

    static String use(String text) {
        if (!USES.contains(text)) {
            throw Problem.invalid("unknown", Quoted.of(text) + " must be work or enqueue");
        }
        return text;
    }

    boolean isNone() {
        return queues.isEmpty() && uses.isEmpty();
    }

    /// Returns whether the key may use the queue.
    public boolean permit(String slug) {
        return queues.isEmpty() || queues.stream().anyMatch(pattern -> covers(pattern, slug));
    }

    static boolean covers(String pattern, String other) {
        return pattern.endsWith("*")
                ? other.startsWith(pattern.substring(0, pattern.length() - 1))
                : pattern.equals(other);
    }

    JobUses with(JobUses narrower) {
        return new JobUses(
                narrower.queues.isEmpty() ? queues : narrower.queues, narrower.uses.isEmpty() ? uses : narrower.uses);
    }
}
