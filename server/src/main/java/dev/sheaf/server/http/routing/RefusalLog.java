package dev.sheaf.server.http.routing;

import dev.sheaf.engine.http.RequestTarget;
import dev.sheaf.engine.net.RateHolder;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ProblemJson;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs a line for each refused or failed request: its id, which is also in the answer, method, path, status,
/// reason, caller and address. Lines are limited per network and minute, so that a client that is always
/// refused cannot fill the disk; further refusals are only counted. Queries and bodies are not logged, nor
/// messages that may quote them. Thread-safe.
final class RefusalLog {
    static final int MOST_OF_ONE = 30;
    static final int MOST = 600;
    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final int MAX_METHOD = 20;
    private static final int MAX_PATH = 300;
    private static final int MAX_DETAIL = 160;
    private static final Pattern UNSHOWABLE = Pattern.compile("[^!-~]");
    private static final Pattern UNSHOWABLE_IN_TEXT = Pattern.compile("[^ -~]");
    /// Matches secrets, because a client may put a key into a path by mistake.
    private static final Pattern SECRET = Pattern.compile("(?:" + KeyFormat.PREFIX + "|sh[a-z]_|whsec_|eyJ)[^/:]*");

    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);

    private final LongSupplier nanos;
    private final Map<RateHolder, Integer> written = new HashMap<>(); // in the current minute
    private long minute;
    private int lines;
    private long left;

    /// @param nanos a clock like [System#nanoTime]
    RefusalLog(LongSupplier nanos) {
        this.nanos = nanos;
        this.minute = nanos.getAsLong();
    }

    /// @param status the status of the answer; below 400 nothing is logged
    void note(Call call, int status) {
        if (status < 400
                || isRoutine(call, status)
                || !LOG.isInfoEnabled()
                || !mayWrite(RateHolder.of(call.address()))) {
            return;
        }
        LOG.info(
                "{} {} {} {} {}, {} from {}",
                call.requestId(),
                method(call),
                path(call),
                status,
                call.problem().map(RefusalLog::reason).orElse("refused"),
                call.refused().map(Caller.Known::actor).orElseGet(() -> nobody(call)),
                call.from());
    }

    /// Returns the word for a caller that is not known: anonymous, or with a credential that could not be checked
    /// because of an outage.
    static String nobody(Call call) {
        boolean isUnchecked = !call.isAuthenticated()
                && call.problem().orElse(null) instanceof Problem.Unavailable
                && !call.headers("Authorization").isEmpty();
        return isUnchecked ? "unchecked credential" : "anonymous";
    }

    /// Returns whether this is a refusal that every OCI client gets before a push or pull: the challenge, or a
    /// HEAD for content that may be missing.
    private static boolean isRoutine(Call call, int status) {
        return call.isOfRegistry()
                && (status == 401 && call.headers("Authorization").isEmpty() || status == 404 && call.isHead());
    }

    /// Returns the method, cut if it is longer than any real one.
    static String method(Call call) {
        return cut(call.method(), MAX_METHOD);
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }

    /// Returns the path in visible ASCII, with *** for parts that look like a secret.
    static String path(Call call) {
        String path = SECRET.matcher(decodedSecrets(call.rawPath())).replaceAll("***");
        return cut(UNSHOWABLE.matcher(path).replaceAll("?"), MAX_PATH);
    }

    /// Decodes the segments that contain a secret: its encoded form does not look like one.
    private static String decodedSecrets(String rawPath) {
        return rawPath.indexOf('%') < 0
                ? rawPath
                : Arrays.stream(rawPath.split("/", -1))
                        .map(segment -> {
                            String decoded = RequestTarget.decode(segment);
                            return decoded != null && SECRET.matcher(decoded).find() ? decoded : segment;
                        })
                        .collect(Collectors.joining("/"));
    }

    /// Returns the slug of the problem, with details that contain no input of callers. There are dozens of reasons for
    /// 503, so it has the whole message.
    static String reason(Problem problem) {
        String code = ProblemJson.code(problem);
        return switch (problem) {
            case Problem.Unauthenticated p -> code + " (" + word(p.fault()) + ")";
            case Problem.ScopeMissing p -> code + " (" + p.needed() + ")";
            case Problem.Unavailable p ->
                code + " (" + cut(UNSHOWABLE_IN_TEXT.matcher(p.detail()).replaceAll("?"), MAX_DETAIL) + ")";
            case Problem.ValidationFailed p
            when !p.errors().isEmpty() -> code + " (" + p.errors().getFirst().code() + ")";
            default -> problem.throttle() == null ? code : code + " (" + problem.throttle() + ")";
        };
    }

    private static String word(Problem.CredentialFault fault) {
        return fault.name().toLowerCase(Locale.ROOT);
    }

    /// Returns whether there is room for a line about this network.
    synchronized boolean mayWrite(RateHolder network) {
        long now = nanos.getAsLong();
        if (now - minute >= MINUTE_NANOS) {
            if (left > 0) {
                LOG.info("{} more requests were refused within a minute and are not listed", left);
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
