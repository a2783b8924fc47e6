package dev.sheaf.cli;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.Typed;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A failure for people: what happened, what to do next with what they typed, the request's id.
final class FailureReport {
    private static final int GONE = 410;

    private final SheafException failure;
    private final Typed typed;

    private FailureReport(SheafException failure, Typed typed) {
        this.failure = failure;
        this.typed = typed;
    }

    /// Says what has failed; the status to end with.
    ///
    /// @param json whether results are JSON
    /// @param near what might have been meant by the name of a bundle
    static int report(
            Shell shell,
            Exception failure,
            Typed typed,
            boolean json,
            Function<RepositoryName, Optional<String>> near) {
        if (!shell.environment().getOrDefault("SHEAF_DEBUG", "").isEmpty()) {
            failure.printStackTrace(shell.err());
        }
        return switch (failure) {
            case SheafException e -> told(e, typed, near).print(shell, json, exit(e, typed));
            case ProblemException e ->
                Told.of("usage", String.valueOf(e.getMessage()), null).print(shell, json, ExitCode.USAGE);
            default ->
                Told.of(
                                "internal",
                                "failed in a way that it should not (" + failure + "); SHEAF_DEBUG=1 shows where",
                                null)
                        .print(shell, json, ExitCode.GENERAL);
        };
    }

    /// A number that was used and deleted stands in the way of a push as one that is there.
    private static ExitCode exit(SheafException failure, Typed typed) {
        return failure.status() == GONE && typed.publishes() ? ExitCode.CONFLICT : ExitCode.of(failure);
    }

    private static Told told(SheafException failure, Typed typed, Function<RepositoryName, Optional<String>> near) {
        var errors = errors(failure);
        boolean refused = failure.status() != 0;
        return new Told(
                ExitCode.word(failure),
                refused ? failure.status() : null,
                sentence(failure, errors, typed),
                errors,
                !refused || errors.size() > 1,
                next(failure, typed, near),
                failure.requestId().orElse(null));
    }

    private static List<Problem.FieldError> errors(SheafException failure) {
        return switch (failure) {
            case SheafException.InvalidRequest invalid -> invalid.errors();
            case SheafException.UnsafePaths unsafe ->
                unsafe.paths().stream()
                        .map(path -> new Problem.FieldError(path.path(), path.code(), path.rule()))
                        .toList();
            default -> List.of();
        };
    }

    private static String sentence(SheafException failure, List<Problem.FieldError> errors, Typed typed) {
        String said = String.valueOf(failure.getMessage());
        if (isKeyless(failure, typed)) {
            String login = typed.login() + ", or SHEAF_API_KEY=…";
            return typed.reads()
                    ? "no bundle " + typed.bundle().orElseThrow() + " can be seen without a key; for a private one: "
                            + login
                    : "no key was sent: " + login;
        }
        return switch (failure) {
            case SheafException.UnsafePaths unsafe -> unsafe.summary();
            case SheafException.Forbidden refusal
            when typed.sender() == Typed.Sender.SESSION ->
                refusal.needed()
                        .map(scope -> "this session does not reach that: it needs the scope " + scope)
                        .orElse(said);
            // The registry's sentence holds the first error and how many more there are.
            default ->
                failure.status() != 0 && errors.size() > 1
                        ? "the registry found " + errors.size() + " things wrong with the request"
                        : MemberWords.sentence(said, errors, typed);
        };
    }

    private static @Nullable String next(
            SheafException failure, Typed typed, Function<RepositoryName, Optional<String>> near) {
        if (isKeyless(failure, typed)) {
            var meant = typed.reads() ? typed.bundle().flatMap(near) : Optional.<String>empty();
            return meant.isPresent()
                    ? "did you mean " + meant.get() + "?"
                    : "the registry says: " + failure.getMessage();
        }
        boolean missing = failure.code().equals(Optional.of("bundle-not-found"))
                && !typed.command().startsWith("sheaf push");
        return (missing ? typed.bundle().flatMap(near) : Optional.<String>empty())
                .map(name -> "did you mean " + name + "?")
                .orElseGet(() -> new FailureReport(failure, typed).advice());
    }

    /// Whether the registry wants a key, and there was none to send.
    private static boolean isKeyless(SheafException failure, Typed typed) {
        return failure instanceof SheafException.Unauthenticated
                && !failure.code().equals(Optional.of("untrusted-workflow"))
                && typed.sender() == Typed.Sender.NOBODY
                && typed.host().isEmpty()
                && !typed.command().startsWith(Typed.LOGIN);
    }

    private @Nullable String advice() {
        return switch (failure) {
            case SheafException.Unauthenticated _ ->
                typed.host().map(FailureReport::elsewhere).orElseGet(this::login);
            case SheafException.Forbidden f
            when typed.sender() == Typed.Sender.SESSION ->
                f.needed()
                        .map(scope -> "log in for it: " + typed.login() + " --scope " + scope + "; where your role"
                                + " does not reach that far (" + sheaf("whoami") + "), ask an owner or admin")
                        .orElse("what you may do follows from your role in the organization (" + sheaf("whoami")
                                + "); ask an owner or admin of it for another");
            case SheafException.Forbidden f ->
                f.needed()
                        .map(scope -> "use a key with the scope " + scope + "; an administrator makes one: "
                                + sheaf("keys create NAME --scope " + scope))
                        .orElse("see whose key or session is used, and what it may do: " + sheaf("whoami"));
            case SheafException.NotFound f ->
                f.status() == GONE && typed.publishes()
                        ? typed.raised()
                        : ofMissing(typed.host().isEmpty() ? f.code().orElse("") : "");
            case SheafException.Conflict f -> ofConflict(f.code().orElse(""));
            case SheafException.InvalidRequest f -> ofRequest(f.code().orElse(""));
            case SheafException.UnsafePaths f ->
                f.others() == 0 ? null : "to write the other files: " + typed.command() + " --skip-refused";
            case SheafException.Integrity _ ->
                "nothing of it was kept; tell the registry's operator if it happens again";
            case SheafException.RateLimited f -> "try again in " + f.waitTime().toSeconds() + " s: " + typed.command();
            case SheafException.Network _ ->
                "check that the registry runs and that the address is right (--url, SHEAF_URL), or ask: "
                        + sheaf("doctor");
            case SheafException.Server f ->
                ExitCode.isDown(f) && f.code().isEmpty()
                        ? "a proxy answered, and the registry behind it does not: check that it runs, and ask: "
                                + sheaf("doctor")
                        : ofServer(f.code().orElse(""));
            case SheafException.Offline _ -> null;
            case SheafException.OutOfDate _ -> null;
            case SheafException.Local _ -> null;
            case SheafException.Cancelled _ -> null;
        };
    }

    private static String elsewhere(String host) {
        return "log in there: docker login " + host + ", or sheaf login --url where it is a registry of Sheaf";
    }

    private String login() {
        if (failure.code().equals(Optional.of("untrusted-workflow"))) {
            if (String.valueOf(failure.getMessage()).contains("public-url")) {
                return "ask the operator of the registry to set public-url";
            }
            return "have the registry trust it: sheaf publishers add --github OWNER/REPOSITORY --bundle " + bundle()
                    + typed.at();
        }
        if (typed.command().startsWith(Typed.LOGIN)) {
            return typed.command().contains("--key-stdin")
                    ? "give the key of this registry; an administrator makes one: " + sheaf("keys create NAME")
                    : "try again: " + typed.command();
        }
        return typed.sender() == Typed.Sender.VARIABLE
                ? "set another key in SHEAF_API_KEY, or unset it and log in: " + typed.login()
                : "log in: " + typed.login() + ", or set SHEAF_API_KEY";
    }

    private @Nullable String ofMissing(String code) {
        String bundle = bundle();
        return switch (code) {
            case "bundle-not-found", "NAME_UNKNOWN" ->
                typed.publishes()
                        ? "a push makes what is missing, where it may: this key is for other bundles, or the namespace is"
                                + " not yours; see what it may do: " + sheaf("whoami")
                        : "check the name; a private bundle needs a key of its organization: " + typed.login();
            case "version-not-found", "version-deleted", "no-active-version", "MANIFEST_UNKNOWN" ->
                "see which versions there are: " + sheaf("versions " + bundle);
            case "tag-not-found" -> "see which tags there are: " + sheaf("tags ls " + bundle);
            default -> ofMissing();
        };
    }

    /// Returns what to do where something else than a bundle is missing.
    private @Nullable String ofMissing() {
        if (message().startsWith("queue ")) {
            return "see which queues there are: " + sheaf("queue list");
        }
        if (typed.command().startsWith("sheaf members invitations accept")) {
            return "the invitation was used, expired or replaced by another; ask for a new one";
        }
        return typed.command().startsWith("sheaf account password")
                ? "the token was used, expired or replaced by another; ask an administrator for a new one"
                : null;
    }

    private @Nullable String ofConflict(String code) {
        String bundle = bundle();
        String tag = typed.tag()
                .map(Object::toString)
                .orElse(typed.command().startsWith("sheaf publish") ? "latest" : "TAG");
        return switch (code) {
            case "version-exists" -> typed.raised();
            case "tag-protected" ->
                "see where it points: " + sheaf("tags ls " + bundle) + "; to lift the protection: "
                        + sheaf("tags set " + bundle + " " + tag + " VERSION --no-protect")
                        + ", with the version that it points to";
            case "tag-moved" -> "see who moved it: " + sheaf("tags history " + bundle + " " + tag);
            case "conflict" -> {
                if (message().startsWith("the webhook is disabled")) {
                    yield "to enable it: " + sheaf("webhooks edit " + typed.id() + " --enable");
                }
                if (typed.command().startsWith("sheaf queue delete ")
                        && message().contains(" has jobs;")) {
                    yield "to delete the jobs too: " + typed.command() + " --force";
                }
                yield message().contains("is yanked")
                        ? "to take the yank back: "
                                + sheaf("unyank " + bundle + ":"
                                        + typed.version().map(Object::toString).orElse("VERSION"))
                        : null;
            }
            default -> null;
        };
    }

    private @Nullable String ofRequest(String code) {
        if (failure.status() == 413 && code.isEmpty()) {
            return "perhaps a proxy in front limits bodies, as nginx does (client_max_body_size): docs/proxy.md says what"
                    + " to set";
        }
        return switch (code) {
            case "payload-too-large" ->
                "leave out what is not needed by a .sheafignore, and see what would be pushed: sheaf push --dry-run";
            case "probable-secret" -> "where it is none: " + typed.command() + " --allow-secrets";
            default -> null;
        };
    }

    private static @Nullable String ofServer(String code) {
        return switch (code) {
            case "quota-exceeded", "storage-full" -> null; // the sentence says whom to ask for what
            default -> "the fault lies with the registry; tell its operator";
        };
    }

    /// A command that asks the registry that this one asked.
    private String sheaf(String command) {
        return "sheaf " + command + typed.at();
    }

    private String message() {
        return String.valueOf(failure.getMessage());
    }

    private String bundle() {
        return typed.bundle().map(RepositoryName::toString).orElse("NAMESPACE/BUNDLE");
    }
}
