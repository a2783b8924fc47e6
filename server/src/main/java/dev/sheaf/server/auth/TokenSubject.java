package dev.sheaf.server.auth;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The credential for which an access token was issued. Every use of the token checks whether the credential
/// still works.
public sealed interface TokenSubject {
    UUID id();

    record Key(UUID id) implements TokenSubject {}

    record Session(UUID id) implements TokenSubject {}

    /// @param run the run as reported by the publisher's provider, for people
    record Publisher(UUID id, String run) implements TokenSubject {}

    /// Returns the name shown to people and in events: the kind, a colon and the id.
    static String text(@Nullable TokenSubject subject) {
        return switch (subject) {
            case null -> "anybody";
            case Key key -> "key:" + key.id();
            case Session session -> "session:" + session.id();
            case Publisher publisher -> "publisher:" + publisher.id();
        };
    }

    /// Returns the subject of a token for this credential.
    public static TokenSubject of(Credential credential) {
        return switch (credential) {
            case Credential.Key key -> new Key(key.id());
            case Credential.Session session -> new Session(session.id());
            case Credential.Run run -> new Publisher(run.id(), run.name());
            case Credential.Scanner ignored ->
                throw new IllegalStateException("a scanner sends no requests with this credential");
            case Credential.Operator ignored ->
                throw new IllegalStateException("the operator sends no requests and so never asks for a token");
        };
    }
}
