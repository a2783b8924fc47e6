package dev.sheaf.server.audit;

import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.auth.SessionRecord;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Something to be remembered in the audit log. Never holds a secret.
///
/// @param organizationId whose log it stands in; null: only the installation's
/// @param actor `key:…`, `user:…`, `publisher:…` with the id, `operator` (a command on the storage itself),
/// `leak-report`, or `system`
/// @param actorName which one it is, for people: a key's name and hint, a person's e-mail address, a run, a command
/// @param action a dotted word such as `version.publish`
/// @param subject what was changed, such as `acme/notes:1.0.0`
/// @param detail what else is worth knowing; null: nothing
/// @param times how often it happened: refusals that follow each other are one entry
public record AuditEntry(
        @Nullable UUID organizationId,
        String actor,
        String actorName,
        String action,
        String subject,
        Outcome outcome,
        @Nullable String detail,
        long times,
        @Nullable String address,
        @Nullable String requestId) {
    /// The actor of what the service does by itself.
    public static final String SYSTEM = "system";

    /// How it ended.
    public enum Outcome {
        SUCCESS,
        DENIED;

        /// The wire word.
        @Override
        public String toString() {
            return this == SUCCESS ? "success" : "denied";
        }
    }

    private static final int LONGEST = 500;

    public AuditEntry {
        actorName = cut(actorName);
        subject = cut(subject);
        detail = detail == null ? null : cut(detail);
    }

    private static String cut(String text) {
        return text.codePointCount(0, text.length()) <= LONGEST
                ? text
                : text.substring(0, text.offsetByCodePoints(0, LONGEST)) + "…";
    }

    /// A call that was refused.
    static AuditEntry refusal(Caller.Known caller, String call, String why, String address) {
        return new AuditEntry(
                organization(caller),
                caller.actor(),
                name(caller.credential()),
                "call.refused",
                call,
                Outcome.DENIED,
                why,
                1,
                address,
                null);
    }

    /// One of many by the same actor, which are not told one by one.
    AuditEntry amongOthers() {
        return new AuditEntry(
                organizationId, actor, actorName, action, "many different calls", outcome, null, 1, null, null);
    }

    /// What the service does by itself.
    public static AuditEntry ofSystem(@Nullable UUID organizationId, String action, String subject) {
        return new AuditEntry(organizationId, SYSTEM, SYSTEM, action, subject, Outcome.SUCCESS, null, 1, null, null);
    }

    /// The same, so often, and in that request the first time.
    AuditEntry counted(long count, @Nullable String firstRequest) {
        return new AuditEntry(
                organizationId, actor, actorName, action, subject, outcome, detail, count, address, firstRequest);
    }

    /// A change that a caller made.
    static AuditEntry change(Origin origin, String action, String subject, @Nullable String detail) {
        var caller = origin.caller();
        return new AuditEntry(
                organization(caller),
                caller.actor(),
                name(caller.credential()),
                action,
                subject,
                Outcome.SUCCESS,
                detail,
                1,
                origin.address(),
                origin.requestId());
    }

    static @Nullable UUID organization(Caller.Known caller) {
        return caller.organizationId().equals(SessionRecord.NO_ORGANIZATION) ? null : caller.organizationId();
    }

    static String name(Credential credential) {
        return credential instanceof Credential.Key key ? key.name() + " (" + key.hint() + ")" : credential.name();
    }
}
