package dev.sheaf.cli;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.TypedCommand;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.model.RepositoryName;
import java.net.HttpURLConnection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Suggests the next step after a failure. The problem's code and the typed command decide, not the registry's
/// message, which may change.
final class NextStepAdvice {
    private final SheafException failure;
    private final TypedCommand typed;

    NextStepAdvice(SheafException failure, TypedCommand typed) {
        this.failure = failure;
        this.typed = typed;
    }

    /// Returns the next step; null if the message already says it.
    @Nullable
    String text() {
        return switch (failure) {
            case SheafException.Unauthenticated _ ->
                typed.host().map(NextStepAdvice::elsewhere).orElseGet(this::login);
            case SheafException.Forbidden f
            when typed.sender() == TypedCommand.Sender.SESSION ->
                f.needed()
                        .map(scope -> "log in for it: " + typed.login() + " --scope " + scope + "; if your role"
                                + " does not allow that (" + sheaf("whoami") + "), ask an owner or admin")
                        .orElse("your role in the organization decides what you may do (" + sheaf("whoami")
                                + "); ask an owner or admin for another role");
            case SheafException.Forbidden f ->
                f.needed()
                        .map(scope -> "use a key with the scope " + scope + "; an administrator makes one: "
                                + sheaf("keys create NAME --scope " + scope))
                        .orElse("see whose key or session is used, and what it may do: " + sheaf("whoami"));
            case SheafException.NotFound f ->
                f.status() == FailureReport.GONE && typed.publishes()
                        ? typed.raised()
                        : forMissing(typed.host().isEmpty() ? f.code().orElse("") : "");
            case SheafException.Conflict f -> ofConflict(f.code().orElse(""));
            case SheafException.NeedsConsent f -> f.next();
            case SheafException.InvalidRequest f -> ofRequest(f.code().orElse(""));
            case SheafException.UnsafePaths f ->
                f.others() == 0 ? null : "to write the other files: " + typed.command() + " --skip-refused";
            case SheafException.Integrity _ -> "nothing was kept; tell the registry's operator if it happens again";
            case SheafException.RateLimited f -> "try again in " + f.waitTime().toSeconds() + " s: " + typed.command();
            case SheafException.Network _ ->
                "check that the registry runs and that the address is right (--url, SHEAF_URL), or run: "
                        + sheaf("doctor");
            case SheafException.Server f ->
                ExitCode.isDown(f) && f.code().isEmpty()
                        ? "a proxy answered, but the registry behind it did not: check that it runs, or run: "
                                + sheaf("doctor")
                        : ofServer(f.code().orElse(""));
            case SheafException.Offline _ -> null;
            case SheafException.OutOfDate f ->
                f.code().equals(Optional.of("lock-mismatch")) ? "to update the lock: sheaf install" : null;
            case SheafException.Local f ->
                f.code().equals(Optional.of("file-exists")) ? "to replace it: " + typed.command() + " --force" : null;
            case SheafException.Cancelled _ -> null;
        };
    }

    private static String elsewhere(String host) {
        return "log in there: docker login " + host + ", or sheaf login --url if it is a Sheaf registry";
    }

    private String login() {
        if (failure.code().equals(Optional.of("untrusted-workflow"))) {
            if (String.valueOf(failure.getMessage()).contains("public-url")) {
                return "ask the operator of the registry to set public-url";
            }
            return "to trust this workflow: sheaf publishers add --github OWNER/REPOSITORY --bundle " + bundle()
                    + typed.at();
        }
        if (typed.command().startsWith(TypedCommand.LOGIN)) {
            return typed.command().contains("--key-stdin")
                    ? "give the key of this registry; an administrator makes one: " + sheaf("keys create NAME")
                    : "try again: " + typed.command();
        }
        return typed.sender() == TypedCommand.Sender.VARIABLE
                ? "set another key in SHEAF_API_KEY, or unset it and log in: " + typed.login()
                : "log in: " + typed.login() + ", or set SHEAF_API_KEY";
    }

    private @Nullable String forMissing(String code) {
        String bundle = bundle();
        return switch (code) {
            case "bundle-not-found", "NAME_UNKNOWN" ->
                typed.publishes()
                        ? "a push can create the bundle, but this key is for other bundles, or the namespace is"
                                + " not yours; see what the key may do: " + sheaf("whoami")
                        : "check the name; a private bundle needs a key of its organization: " + typed.login();
            case "version-not-found", "version-deleted", "no-active-version", "MANIFEST_UNKNOWN" ->
                "see which versions there are: " + sheaf("versions " + bundle);
            case "version-recalled" ->
                typed.command().startsWith("sheaf install")
                        ? "to remove what is recalled: sheaf remove --recalled; for other versions: sheaf update"
                        : "see which versions there are: " + sheaf("versions " + bundle);
            case "not-installed" -> "see what is installed: sheaf list";
            case "tag-not-found" -> "see which tags there are: " + sheaf("tags ls " + bundle);
            default -> forMissing();
        };
    }

    /// Returns what to do if something other than a bundle is missing.
    private @Nullable String forMissing() {
        if (typed.queue().isPresent()) {
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
            case "name-taken" ->
                typed.command().startsWith("sheaf keys create ")
                        ? "to replace the key of this name: " + sheaf("keys rotate " + name()) + "; to end it: "
                                + sheaf("keys revoke " + name())
                        : null;
            case "changed-files" -> "to replace them: " + typed.command() + " --force";
            case "changed-locked-files" ->
                "to replace them: " + typed.command() + " --force; to keep changes of what is locked: sheaf install";
            case "required-here" -> "to remove what is recalled, with what requires it: sheaf remove --recalled";
            case "same-name" -> "to select things: sheaf add NAMESPACE/BUNDLE#NAME";
            case "tag-moved" -> "see who moved it: " + sheaf("tags history " + bundle + " " + tag);
            case "conflict" -> {
                if (typed.command().matches("(?s)sheaf webhooks (?:test|replay|redeliver) .*")
                        && message().contains("disabled")) {
                    yield "to enable it: " + sheaf("webhooks edit " + typed.id() + " --enable");
                }
                if (typed.command().matches("(?s)sheaf queue (?:delete|rm) (?!.*--force).*")) {
                    yield "to delete the jobs too: " + typed.command() + " --force";
                }
                yield message().contains("yanked")
                        ? "to undo the yank: "
                                + sheaf("unyank " + bundle + ":"
                                        + typed.version().map(Object::toString).orElse("VERSION"))
                        : null;
            }
            default -> null;
        };
    }

    private @Nullable String ofRequest(String code) {
        if (failure.status() == 413 && code.isEmpty()) {
            return "perhaps a proxy limits request bodies, as nginx does (client_max_body_size): docs/proxy.md says what"
                    + " to set";
        }
        return switch (code) {
            case "payload-too-large" ->
                "leave out unneeded files with a .sheafignore, and see what would be pushed: sheaf push --dry-run";
            case "too-large" -> "to fetch it: " + typed.command() + " --max-size SIZE";
            case "too-young" ->
                "see which versions there are: " + sheaf("versions " + bundle()) + ", or set a smaller --min-age";
            case "probable-secret" -> "if it is not a secret: " + typed.command() + " --allow-secrets";
            default -> null;
        };
    }

    private @Nullable String ofServer(String code) {
        if (failure.status() == HttpURLConnection.HTTP_NOT_FOUND) {
            return "check the address (--url, SHEAF_URL)";
        }
        boolean isOperator = typed.command().startsWith("sheaf admin ");
        return switch (code) {
            case "quota-exceeded", "storage-full" -> null; // the message already says whom to ask
            case "service-unavailable", "UNAVAILABLE" ->
                (failure.attempts() > 1 ? "the request was sent " + failure.attempts() + " times; " : "")
                        + (isOperator
                                ? "the log of the node says why"
                                : "if this goes on, tell the operator of the registry");
            default -> isOperator ? "the registry failed; its log says why" : "the registry failed; tell its operator";
        };
    }

    /// Returns a command for the same registry.
    private String sheaf(String command) {
        return "sheaf " + command + typed.at();
    }

    private String message() {
        return String.valueOf(failure.getMessage());
    }

    private String name() {
        return typed.parameters().value("NAME").map(ShellWord::of).orElse("NAME");
    }

    private String bundle() {
        return failure.bundle().or(typed::bundle).map(RepositoryName::toString).orElse("NAMESPACE/BUNDLE");
    }
}
