package dev.sheaf.server.faults;

import dev.sheaf.server.faults.Caller.Call;
import dev.sheaf.server.testing.V2Scenario;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The operations that remove: versions and images are deleted, versions are yanked, uploads begin and never end.
/// Thread-safe.
final class Deletions {
    private static final int PIECE = 40_000;
    private static final String RESOLVE = ":resolve?version=";

    private static final int MOST_ABANDONED = 50;

    private final Caller caller;
    private final Written written;

    Deletions(Caller caller, Written written) {
        this.caller = caller;
        this.written = written;
    }

    /// As many deletions as pushes, so that what is stored stays the same.
    List<MixedLoad.Operation> operations() {
        return List.of(
                new MixedLoad.Operation(15, this::delete),
                new MixedLoad.Operation(2, this::yank),
                new MixedLoad.Operation(3, this::abandon));
    }

    private void delete(long due) {
        var entry = written.take();
        if (entry == null) {
            return;
        }
        String path = entry.path().replace(RESOLVE, "/versions/");
        var body = path.startsWith("/v1") ? V2Scenario.utf8("{\"reason\": \"soak\"}") : null;
        caller.send(due, new Call("delete", "DELETE", path, body, body == null ? "" : "application/json", true));
    }

    /// A yanked version is still there for those who name it.
    private void yank(long due) {
        var entry = written.take();
        if (entry == null) {
            return;
        }
        if (entry.path().contains(RESOLVE)) {
            String path = entry.path().replace(RESOLVE, "/versions/") + ":yank";
            caller.send(due, Call.write("yank", "POST", path, V2Scenario.utf8("{}"), "application/json"));
        }
        written.add(entry);
    }

    private void abandon(long due) {
        String repository = "/v2/faults/image-" + ThreadLocalRandom.current().nextInt(4);
        if (written.uploads.size() >= MOST_ABANDONED) {
            String oldest = written.uploads.poll();
            if (oldest != null) {
                caller.send(due, new Call("cancelled upload", "DELETE", oldest, null, "", true));
            }
        }
        @Nullable String place = caller.begin(System.nanoTime(), repository + "/blobs/uploads/");
        if (place != null) {
            written.uploads.add(place);
            var piece = new byte[PIECE];
            ThreadLocalRandom.current().nextBytes(piece);
            caller.send(
                    System.nanoTime(),
                    Call.write("abandoned upload", "PATCH", place, piece, "application/octet-stream"));
        }
    }
}
