package dev.sheaf.cli.command;

import dev.sheaf.client.api.SheafException;
import org.jspecify.annotations.Nullable;

/// The exit statuses. Documented in docs/cli.md and at the end of `--help`; never renumbered.
public enum ExitCode {
    OK(0, "success"),
    GENERAL(1, "any other failure, on this machine or of the registry"),
    USAGE(2, "the command or the request breaks a rule, or exceeds a quota"),
    NOT_FOUND(3, "the bundle, version, tag or key does not exist, or this key may not see it"),
    NEEDS_LOGIN(4, "no key, or one that the registry does not accept"),
    FORBIDDEN(5, "the key or session does not allow this"),
    CONFLICT(
            6,
            "the version exists with different content or was deleted, a name is taken, or a changed file is in the "
                    + "way"),
    INTEGRITY(7, "content does not match its digest, or has refused paths; nothing was kept"),
    RATE_LIMITED(8, "too many requests"),
    NETWORK(9, "the registry cannot be reached, or is down (502, 503, 504)"),
    OUT_OF_DATE(10, "the lock file does not match the registry, or has no entry"),
    RECALLED(11, "a version turned out bad and is recalled; what has it installed should remove or update it"),
    INTERRUPTED(130, "interrupted");

    /// The code of a quota that is used up. A push that is larger than the whole quota has another code, so both have
    /// one status.
    private static final String QUOTA = "quota-exceeded";

    /// The code of a version that nobody gets any more.
    private static final String RECALL = "version-recalled";

    private final int status;
    private final String meaning;

    ExitCode(int status, String meaning) {
        this.status = status;
        this.meaning = meaning;
    }

    public int status() {
        return status;
    }

    public String meaning() {
        return meaning;
    }

    /// Returns whether the registry, or a proxy in front of it, may be up again later.
    public static boolean isDown(SheafException.Server failure) {
        return failure.status() >= 502 && failure.status() <= 504;
    }

    /// Returns the code of a failure; null if there is none, because the HTTP status says enough.
    public static @Nullable String word(SheafException failure) {
        return switch (failure) {
            case SheafException.Unauthenticated e -> e.code().orElse("unauthenticated");
            case SheafException.Forbidden e -> e.code().orElse("forbidden");
            default -> failure.code().orElse(null);
        };
    }

    public static ExitCode of(SheafException failure) {
        return switch (failure) {
            case SheafException.NotFound e when e.code().orElse("").equals(RECALL) -> RECALLED;
            case SheafException.NotFound _ -> NOT_FOUND;
            case SheafException.Unauthenticated _ -> NEEDS_LOGIN;
            case SheafException.Forbidden _ -> FORBIDDEN;
            case SheafException.Conflict _ -> CONFLICT;
            case SheafException.InvalidRequest _ -> USAGE;
            case SheafException.Integrity _ -> INTEGRITY;
            case SheafException.RateLimited _ -> RATE_LIMITED;
            case SheafException.Network _ -> NETWORK;
            case SheafException.Offline _ -> NETWORK;
            case SheafException.OutOfDate _ -> OUT_OF_DATE;
            case SheafException.Server s when s.code().orElse("").equals(QUOTA) -> USAGE;
            case SheafException.Server s -> isDown(s) ? NETWORK : GENERAL;
            case SheafException.Local _ -> GENERAL;
            case SheafException.Cancelled _ -> INTERRUPTED;
        };
    }
}
