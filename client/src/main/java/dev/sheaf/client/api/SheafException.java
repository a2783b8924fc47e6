package dev.sheaf.client.api;

import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Everything that can go wrong between a caller and a registry, one kind per thing that a caller may want to do
/// about it. The message is one sentence for people; it never holds a secret.
public abstract sealed class SheafException extends RuntimeException {
    /// What the registry said, as far as it said anything.
    ///
    /// @param status HTTP status, 0 where no answer arrived
    /// @param code the problem's slug (contract 1.2) or the OCI error code
    /// @param requestId the name of the request in the registry's log
    /// @param retryAfter how long the registry asks to wait
    public record Answer(
            int status,
            @Nullable String code,
            @Nullable String requestId,
            @Nullable Duration retryAfter) {
        /// No answer: the failure lies on this side, or on the way.
        public static final Answer NONE = new Answer(0, null, null, null);
    }

    private final transient Answer answer;

    private SheafException(String message, Answer answer, @Nullable Throwable cause) {
        super(message, cause);
        this.answer = answer;
    }

    public Answer answer() {
        return answer;
    }

    /// HTTP status of the answer, 0 where there was none.
    public int status() {
        return answer.status();
    }

    /// The problem's code, such as `version-exists`.
    public Optional<String> code() {
        return Optional.ofNullable(answer.code());
    }

    /// The request's id, to be told to the registry's operator.
    public Optional<String> requestId() {
        return Optional.ofNullable(answer.requestId());
    }

    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(answer.retryAfter());
    }

    /// There is no such bundle, version, tag or key, or this credential may not see it.
    public static final class NotFound extends SheafException {
        public NotFound(String message, Answer answer) {
            super(message, answer, null);
        }
    }

    /// A credential is missing, or the one sent is not accepted.
    public static final class Unauthenticated extends SheafException {
        public Unauthenticated(String message, Answer answer) {
            super(message, answer, null);
        }
    }

    /// The credential is accepted and does not reach that far.
    public static final class Forbidden extends SheafException {
        private final @Nullable Scope needed;

        public Forbidden(String message, Answer answer, @Nullable Scope needed) {
            super(message, answer, null);
            this.needed = needed;
        }

        /// The scope that a key would need; empty where the scope is not the reason.
        public Optional<Scope> needed() {
            return Optional.ofNullable(needed);
        }
    }

    /// What is there stands against the request: the version exists with other content, a name is taken.
    public static final class Conflict extends SheafException {
        public Conflict(String message, Answer answer) {
            super(message, answer, null);
        }
    }

    /// The request breaks a rule, found here or by the registry.
    public static final class InvalidRequest extends SheafException {
        private final transient List<Problem.FieldError> errors;

        public InvalidRequest(String message, Answer answer, List<Problem.FieldError> errors) {
            super(message, answer, null);
            this.errors = List.copyOf(errors);
        }

        public InvalidRequest(String message) {
            this(message, Answer.NONE, List.of());
        }

        /// Every broken rule that the registry named; may be empty.
        public List<Problem.FieldError> errors() {
            return errors;
        }
    }

    /// Bytes are not what their digest, their length or the resolve answer says. Nothing of them was kept.
    public static sealed class Integrity extends SheafException permits UnsafePaths {
        public Integrity(String message) {
            super(message, Answer.NONE, null);
        }
    }

    /// The bundle has files whose paths could do harm in a folder. Nothing was fetched or written; with
    /// [PullOptions#skipRefused] the other files are.
    public static final class UnsafePaths extends Integrity {
        private static final int NAMED = 5;

        private final transient List<RefusedPath> paths;
        private final String summary;
        private final int others;

        /// @param others how many files of the bundle are fine
        public UnsafePaths(String bundle, List<RefusedPath> paths, int others) {
            super(summary(bundle, paths) + ": "
                    + paths.stream().limit(NAMED).map(RefusedPath::toString).collect(Collectors.joining("; "))
                    + (paths.size() > NAMED ? "; and " + (paths.size() - NAMED) + " more" : ""));
            this.paths = List.copyOf(paths);
            this.summary = summary(bundle, paths);
            this.others = others;
        }

        private static String summary(String bundle, List<RefusedPath> paths) {
            return bundle + " has " + paths.size() + (paths.size() == 1 ? " path that is" : " paths that are")
                    + " refused, and nothing was written";
        }

        /// The message without the paths.
        public String summary() {
            return summary;
        }

        /// Every path that is refused, and why.
        public List<RefusedPath> paths() {
            return paths;
        }

        /// How many files of the bundle are fine.
        public int others() {
            return others;
        }
    }

    /// Too many requests, and the wait is longer than this client waits by itself.
    public static final class RateLimited extends SheafException {
        private final Duration wait;

        public RateLimited(String message, Answer answer) {
            super(message, answer, null);
            this.wait = answer.retryAfter() == null ? Duration.ofSeconds(1) : answer.retryAfter();
        }

        /// How long to wait before the next request.
        public Duration waitTime() {
            return wait;
        }
    }

    /// The registry was not reached, or the connection broke, more often than this client tries; or the way there
    /// is closed: its certificate is not trusted, or a proxy refuses.
    public static final class Network extends SheafException {
        private final boolean lasting;

        public Network(String message, @Nullable Throwable cause) {
            this(message, cause, false);
        }

        private Network(String message, @Nullable Throwable cause, boolean lasting) {
            super(message, Answer.NONE, cause);
            this.lasting = lasting;
        }

        /// One that another attempt would only meet again.
        public static Network lasting(String message, @Nullable Throwable cause) {
            return new Network(message, cause, true);
        }

        /// Whether another attempt would only meet it again.
        public boolean isLasting() {
            return lasting;
        }
    }

    /// Only the cache was to be asked, and it does not hold what is needed.
    public static final class Offline extends SheafException {
        public Offline(String message) {
            super(message, Answer.NONE, null);
        }
    }

    /// A lock file does not say what the registry says, or has no entry for what was asked.
    public static final class OutOfDate extends SheafException {
        public OutOfDate(String message) {
            super(message, Answer.NONE, null);
        }
    }

    /// The registry failed, or answered something that is no answer to the request.
    public static final class Server extends SheafException {
        public Server(String message, Answer answer) {
            super(message, answer, null);
        }

        public Server(String message) {
            this(message, Answer.NONE);
        }
    }

    /// This machine stands in the way: a file that cannot be read or written, a link in the target, a credentials
    /// file that others can read.
    public static final class Local extends SheafException {
        public Local(String message, @Nullable Throwable cause) {
            super(message, Answer.NONE, cause);
        }
    }

    /// The thread was interrupted; its interrupt flag is set again.
    public static final class Cancelled extends SheafException {
        public Cancelled() {
            super("interrupted", Answer.NONE, null);
        }
    }
}
