package dev.sheaf.server.audit;

import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.SessionRecord;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An entry of the audit log. Never contains a secret.
///
/// @param organizationId the organization whose log shows it; null if only the log of the installation does
/// @param actor `key:…`, `user:…`, `publisher:…`, `scanner:…` with the id, `operator` (a command on the storage
/// itself),
/// `leak-report`, or `system`
/// @param actorName the actor for people: name and hint of a key, e-mail address of a person, a run, a command
/// @param action a dotted word such as `version.publish`
/// @param subject the changed object, such as `acme/notes:1.0.0`
/// @param detail more about the change; null if there is nothing to add
/// @param times the number of occurrences: consecutive equal refusals are one entry
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
    /// The actor of everything that the server does by itself.
    public static final String SYSTEM = "system";

    /// The outcome of the action.
    public enum Outcome {
        SUCCESS,
        DENIED;

        /// Returns the word used in JSON.
        @Override
        public String toString() {
            return this == SUCCESS ? "success" : "denied";
        }
    }

    private static final int MAX_LENGTH = 500;

    public AuditEntry {
        actorName = cut(actorName);
        subject = cut(subject);
        detail = detail == null ? null : cut(detail);
    }

    private static String cut(String text) {
        return text.codePointCount(0, text.length()) <= MAX_LENGTH
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_LENGTH)) + "…";
    }

    /// Returns an entry for a call that was refused.
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

    /// Returns an entry that represents many different refusals of the same actor.
    AuditEntry amongOthers() {
        return new AuditEntry(
                organizationId, actor, actorName, action, "many different calls", outcome, null, 1, null, null);
    }

    /// Returns an entry for something that the server did by itself.
    public static AuditEntry ofSystem(@Nullable UUID organizationId, String action, String subject) {
        return new AuditEntry(organizationId, SYSTEM, SYSTEM, action, subject, Outcome.SUCCESS, null, 1, null, null);
    }

    /// Returns an entry for something that the server did by itself, with more detail.
    public static AuditEntry ofSystem(UUID organizationId, String action, String subject, String detail) {
        return new AuditEntry(organizationId, SYSTEM, SYSTEM, action, subject, Outcome.SUCCESS, detail, 1, null, null);
    }

    /// Returns the same entry with a count and the id of the first request.
    AuditEntry counted(long count, @Nullable String firstRequest) {
        return new AuditEntry(
                organizationId, actor, actorName, action, subject, outcome, detail, count, address, firstRequest);
    }

    /// Returns an entry for a change that a caller made.
    static AuditEntry change(ChangeOrigin origin, String action, String subject, @Nullable String detail) {
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
