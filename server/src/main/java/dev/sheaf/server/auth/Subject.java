package dev.sheaf.server.auth;

import java.util.UUID;

/// Whom an access token was made for. Whether they may still come in is asked at every use.
public sealed interface Subject {
    UUID id();

    record Key(UUID id) implements Subject {}

    record Session(UUID id) implements Subject {}

    /// @param run what the publisher's provider said of the run, for people
    record Publisher(UUID id, String run) implements Subject {}

    /// The subject of which a caller is the living form.
    public static Subject of(Credential credential) {
        return switch (credential) {
            case Credential.Key key -> new Key(key.id());
            case Credential.Session session -> new Session(session.id());
            case Credential.Run run -> new Publisher(run.id(), run.name());
        };
    }
}
