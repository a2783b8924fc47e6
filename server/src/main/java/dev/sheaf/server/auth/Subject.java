package dev.sheaf.server.auth;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Whom an access token was made for. Whether they may still come in is asked at every use.
public sealed interface Subject {
    UUID id();

    record Key(UUID id) implements Subject {}

    record Session(UUID id) implements Subject {}

    /// @param run what the publisher's provider said of the run, for people
    record Publisher(UUID id, String run) implements Subject {}

    /// How it is named to people and in events: a word for its kind, a colon, and its id.
    static String text(@Nullable Subject subject) {
        return switch (subject) {
            case null -> "anybody";
            case Key key -> "key:" + key.id();
            case Session session -> "session:" + session.id();
            case Publisher publisher -> "publisher:" + publisher.id();
        };
    }

    /// The subject of which a caller is the living form.
    public static Subject of(Credential credential) {
        return switch (credential) {
            case Credential.Key key -> new Key(key.id());
            case Credential.Session session -> new Session(session.id());
            case Credential.Run run -> new Publisher(run.id(), run.name());
            case Credential.Operator ignored ->
                throw new IllegalStateException("the operator comes by no request, so asks for no token");
        };
    }
}
