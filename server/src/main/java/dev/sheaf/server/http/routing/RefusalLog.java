package dev.sheaf.server.http.routing;

import dev.sheaf.model.Problem;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.rate.Holder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs a line for each refused or failed request, to be found by the id in the answer: what was requested, by
/// whom, from where, and why it failed. Lines are limited per network and minute, so that one that is always
/// refused cannot fill the disk; further refusals are only counted. Queries, bodies and quotes from them are not
/// logged. Thread-safe.
final class RefusalLog {
    static final int MOST_OF_ONE = 30;
    static final int MOST = 600;
    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final int MAX_PATH = 300;
    private static final Pattern UNSHOWABLE = Pattern.compile("[^!-~]");
    /// Matches secrets, because somebody may have put a key into a path.
    private static final Pattern SECRET = Pattern.compile("(?:" + KeyFormat.PREFIX + "|sh[a-z]_|whsec_|eyJ)[^/:]*");

    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);

    private final LongSupplier nanos;
    private final Map<Holder, Integer> written = new HashMap<>(); // in the current minute
    private long minute;
    private int lines;
    private long left;

    /// @param nanos a clock like [System#nanoTime]
    RefusalLog(LongSupplier nanos) {
        this.nanos = nanos;
        this.minute = nanos.getAsLong();
    }

    /// @param status of the answer; below 400 nothing is logged
    void note(Call call, int status) {
        if (status < 400 || isRoutine(call, status) || !LOG.isInfoEnabled() || !mayWrite(Holder.of(call.address()))) {
            return;
        }
        LOG.info(
                "{} {} {} {} {}, {} from {}",
                call.requestId(),
                call.method(),
                path(call),
                status,
                call.problem().map(RefusalLog::reason).orElse("refused"),
                call.refused().map(Caller.Known::actor).orElse("anonymous"),
                call.from());
    }

    /// Returns whether this is a request that every OCI client makes before a push or pull: for a challenge, or
    /// for content that may be missing.
    private static boolean isRoutine(Call call, int status) {
        return call.isOfRegistry()
                && (status == 401 && call.headers("Authorization").isEmpty() || status == 404 && call.isHead());
    }

    private static String path(Call call) {
        String path = UNSHOWABLE.matcher(call.rawPath()).replaceAll("?");
        String whole = SECRET.matcher(path).replaceAll("***");
        return whole.length() <= MAX_PATH ? whole : whole.substring(0, MAX_PATH) + "...";
    }

    /// Returns the slug of the problem, with the fault for a credential.
    private static String reason(Problem problem) {
        String code = ProblemJson.code(problem);
        return switch (problem) {
            case Problem.Unauthenticated p -> code + " (" + word(p.fault()) + ")";
            case Problem.ScopeMissing p -> code + " (" + p.needed() + ")";
            case Problem.ValidationFailed p
            when !p.errors().isEmpty() -> code + " (" + p.errors().getFirst().code() + ")";
            default -> code;
        };
    }

    private static String word(Problem.CredentialFault fault) {
        return fault.name().toLowerCase(Locale.ROOT);
    }

    /// Returns whether there is room for a line about this network.
    synchronized boolean mayWrite(Holder network) {
        long now = nanos.getAsLong();
        if (now - minute >= MINUTE_NANOS) {
            if (left > 0) {
                LOG.info("{} more requests were refused within a minute, and have no line", left);
            }
            minute = now;
            lines = 0;
            left = 0;
            written.clear();
        }
        if (lines >= MOST || written.getOrDefault(network, 0) >= MOST_OF_ONE) {
            left++;
            return false;
        }
        lines++;
        written.merge(network, 1, Integer::sum);
        return true;
    }
}
