package dev.sheaf.client.api;

import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.key.Scope;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A failed operation. There is a subclass for each case in which a caller may react differently. The message is
/// one sentence for people and never contains a secret. It names no options of the command `sheaf`: [#code] says to
/// a program what could be done. Serializable.
public abstract sealed class SheafException extends RuntimeException implements Cloneable {
    /// The registry's answer.
    ///
    /// @param status the HTTP status; 0 if there was no answer
    /// @param code the problem's slug (contract 1.2) or the OCI error code
    /// @param requestId identifies the request in the registry's log
    /// @param retryAfter how long the registry asks to wait
    /// @param throttle the limit that refused because of load, such as `rate`
    public record Answer(
            int status,
            @Nullable String code,
            @Nullable String requestId,
            @Nullable Duration retryAfter,
            @Nullable String throttle)
            implements Serializable {
        /// No answer: the failure is on this machine or in the network.
        public static final Answer NONE = new Answer(0, null, null, null, null);

        /// Returns no answer with a code of this client, such as `changed-files`.
        public static Answer none(String code) {
            return new Answer(0, code, null, null, null);
        }
    }

    private final Answer answer;
    private int attempts = 1;
    private @Nullable String bundle;

    private SheafException(String message, Answer answer, @Nullable Throwable cause) {
        super(message, cause);
        this.answer = answer;
    }

    /// Returns the registry's answer, or [Answer#NONE].
    public Answer answer() {
        return answer;
    }

    /// Returns the HTTP status of the answer; 0 if there was no answer.
    public int status() {
        return answer.status();
    }

    /// Returns the problem's code, such as `version-exists`, or a code of this client, such as `changed-files`.
    public Optional<String> code() {
        return Optional.ofNullable(answer.code());
    }

    /// Returns the request's id, for the registry's operator.
    public Optional<String> requestId() {
        return Optional.ofNullable(answer.requestId());
    }

    /// Returns how long the registry asks to wait before the next request.
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(answer.retryAfter());
    }

    /// Returns the limit that refused the request because of load, such as `rate` or `memory`.
    public Optional<String> throttle() {
        return Optional.ofNullable(answer.throttle());
    }

    /// Returns how many times the request was sent before this failure was final.
    public int attempts() {
        return attempts;
    }

    /// Returns this failure after so many attempts.
    public SheafException withAttempts(int times) {
        if (times == attempts) {
            return this;
        }
        var copy = copy();
        copy.attempts = times;
        return copy;
    }

    /// Returns the bundle that could not be installed, if it is known.
    public Optional<RepositoryName> bundle() {
        return Optional.ofNullable(bundle).map(RepositoryName::parse);
    }

    /// Returns this failure of the installation of a bundle.
    public SheafException withBundle(RepositoryName name) {
        var copy = copy();
        copy.bundle = name.toString();
        return copy;
    }

    private SheafException copy() {
        try {
            return (SheafException) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The bundle, version, tag or key does not exist, or this credential may not see it.
    public static final class NotFound extends SheafException {
        /// Creates the failure that a registry has answered.
        public NotFound(String message, Answer answer) {
            super(message, answer, null);
        }
    }

    /// A credential is missing or not accepted.
    public static final class Unauthenticated extends SheafException {
        /// Creates the failure that a registry has answered.
        public Unauthenticated(String message, Answer answer) {
            super(message, answer, null);
        }
    }

    /// The credential is accepted but not sufficient.
    public static final class Forbidden extends SheafException {
        private final @Nullable Scope needed;

        /// Creates the failure that a registry has answered.
        public Forbidden(String message, Answer answer, @Nullable Scope needed) {
            super(message, answer, null);
            this.needed = needed;
        }

        /// Returns the scope that a key would need; empty if the scope is not the reason.
        public Optional<Scope> needed() {
            return Optional.ofNullable(needed);
        }
    }

    /// The request conflicts with the current state: the version exists with different content, or a name is
    /// taken.
    public static final class Conflict extends SheafException {
        /// Creates the failure that a registry has answered.
        public Conflict(String message, Answer answer) {
            super(message, answer, null);
        }
    }

    /// The request breaks a rule. This client or the registry refused it.
    public static sealed class InvalidRequest extends SheafException permits NeedsConsent {
        private final List<Problem.FieldError> errors;

        /// Creates the failure that a registry has answered.
        public InvalidRequest(String message, Answer answer, List<Problem.FieldError> errors) {
            super(message, answer, null);
            this.errors = List.copyOf(errors);
        }

        /// Creates a failure that this client has found.
        public InvalidRequest(String message) {
            this(message, Answer.NONE, List.of());
        }

        /// @param code a code of this client
        public InvalidRequest(String message, String code) {
            this(message, Answer.none(code), List.of());
        }

        /// Returns all broken rules that the registry reported; may be empty.
        public List<Problem.FieldError> errors() {
            return errors;
        }
    }

    /// Content may not be installed without consent, and neither the options nor a person gave it. Nothing was
    /// written.
    public static final class NeedsConsent extends InvalidRequest {
        private final String summary;
        private final String next;

        /// @param reason why consent is needed, such as `this runs programs automatically`
        /// @param code `runs-programs`, as in warnings of registries, `high-findings`, or `not-read` if
        ///     files are too large to be checked
        /// @param found what needs consent, each with its reason
        /// @param option the option of the command that gives it
        /// @param others commands that install something else; may be empty
        public NeedsConsent(String reason, String code, List<String> found, String option, List<String> others) {
            super(
                    summary(reason) + ": " + String.join("; ", found),
                    Answer.none(code),
                    found.stream()
                            .map(what -> new Problem.FieldError("", code, what))
                            .toList());
            this.summary = summary(reason);
            this.next = next(option, others);
        }

        private static String summary(String reason) {
            return reason + ", so nothing was written";
        }

        private static String next(String option, List<String> others) {
            String review = "review it (sheaf pull, sheaf open); to install it anyway: " + option;
            return Stream.concat(Stream.of(review), others.stream()).collect(Collectors.joining("; "));
        }

        /// Returns the message without what was found, which is in [#errors].
        public String summary() {
            return summary;
        }

        /// Returns what a user of the command `sheaf` can do next. The message does not contain it.
        public String next() {
            return next;
        }
    }

    /// Content does not match its digest, its length or the registry's answer. It was discarded.
    public static sealed class Integrity extends SheafException permits UnsafePaths {
        /// Creates a failure that this client has found.
        public Integrity(String message) {
            super(message, Answer.NONE, null);
        }
    }

    /// The bundle has files whose paths are not safe to write. Nothing was fetched or written. With
    /// [PullOptions#skipRefused], the other files are written.
    public static final class UnsafePaths extends Integrity {
        private static final int NAMED = 5;

        private final List<RefusedPath> paths;
        private final String summary;
        private final int others;

        /// @param others the number of acceptable files in the bundle
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

        /// Returns the message without the paths.
        public String summary() {
            return summary;
        }

        /// Returns every refused path with the reason.
        public List<RefusedPath> paths() {
            return paths;
        }

        /// Returns the number of acceptable files in the bundle.
        public int others() {
            return others;
        }
    }

    /// There were too many requests, and the registry asks for a longer wait than this client does
    /// automatically.
    public static final class RateLimited extends SheafException {
        private final Duration wait;

        /// Creates the failure that a registry has answered.
        public RateLimited(String message, Answer answer) {
            super(message, answer, null);
            this.wait = answer.retryAfter() == null ? Duration.ofSeconds(1) : answer.retryAfter();
        }

        /// Returns how long to wait before the next request.
        public Duration waitTime() {
            return wait;
        }
    }

    /// The registry could not be reached or the connection broke, in all attempts. Or another attempt is
    /// useless, because the certificate is not trusted or a proxy refuses the connection.
    public static final class Network extends SheafException {
        private final boolean lasting;

        /// Creates a failure of this machine or the network.
        public Network(String message, @Nullable Throwable cause) {
            this(message, cause, false);
        }

        private Network(String message, @Nullable Throwable cause, boolean lasting) {
            super(message, Answer.NONE, cause);
            this.lasting = lasting;
        }

        /// Creates a failure for which another attempt is useless.
        public static Network lasting(String message, @Nullable Throwable cause) {
            return new Network(message, cause, true);
        }

        /// Returns whether another attempt is useless.
        public boolean isLasting() {
            return lasting;
        }
    }

    /// Only the cache may be used, but it does not contain the needed content.
    public static final class Offline extends SheafException {
        /// Creates a failure that this client has found.
        public Offline(String message) {
            super(message, Answer.NONE, null);
        }
    }

    /// A lock file differs from the registry's answer, or has no entry for the reference.
    public static final class OutOfDate extends SheafException {
        /// Creates a failure that this client has found.
        public OutOfDate(String message) {
            super(message, Answer.NONE, null);
        }

        /// @param code a code of this client
        public OutOfDate(String message, String code) {
            super(message, Answer.none(code), null);
        }
    }

    /// The registry failed, or its answer is not valid for the request.
    public static final class Server extends SheafException {
        /// Creates the failure that a registry has answered.
        public Server(String message, Answer answer) {
            super(message, answer, null);
        }

        /// Creates a failure that this client has found.
        public Server(String message) {
            this(message, Answer.NONE);
        }
    }

    /// Something on this machine is wrong: a file that cannot be read or written, a link in the target, a
    /// credentials file that others can read.
    public static final class Local extends SheafException {
        /// Creates a failure of this machine or the network.
        public Local(String message, @Nullable Throwable cause) {
            super(message, Answer.NONE, cause);
        }

        /// @param code a code of this client
        public Local(String message, String code, @Nullable Throwable cause) {
            super(message, Answer.none(code), cause);
        }
    }

    /// The thread was interrupted; its interrupt flag is set again.
    public static final class Cancelled extends SheafException {
        /// Creates the failure.
        public Cancelled() {
            super("interrupted", Answer.NONE, null);
        }
    }
}
