package dev.sheaf.server.auth;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The credential with which a caller was authenticated.
public sealed interface Credential {
    /// Returns the id of the object to revoke to end this credential.
    UUID id();

    /// Returns a name for people: the name of a key, the e-mail address of a person, the repository and workflow
    /// of a run.
    String name();

    /// Returns the value of `credentialType` in JSON.
    String type();

    /// Returns the name by which rows record the actor.
    String actor();

    /// An API key, or an access token issued for it.
    ///
    /// @param hint prefix and last four characters of its secret
    /// @param endsAt when the key expires; null if it does not expire
    record Key(UUID id, String name, String hint, @Nullable Instant endsAt) implements Credential {
        @Override
        public String type() {
            return "api_key";
        }

        @Override
        public String actor() {
            return "key:" + id;
        }
    }

    /// A session of a person who signed in.
    record Session(UUID id, UUID userId, String name) implements Credential {
        @Override
        public String type() {
            return "session";
        }

        @Override
        public String actor() {
            return "user:" + userId;
        }
    }

    /// A workflow run of a trusted publisher.
    ///
    /// @param id the trusted publisher's id
    record Run(UUID id, String name) implements Credential {
        private static final String ACTOR = "publisher:";

        @Override
        public String type() {
            return "trusted_publisher";
        }

        @Override
        public String actor() {
            return ACTOR + id;
        }

        /// Returns whether a name in a row is that of a run.
        ///
        /// @param actor null for nobody known
        public static boolean isActor(@Nullable String actor) {
            return actor != null && actor.startsWith(ACTOR);
        }
    }

    /// A scanner, whose answer publishes a push or ends it. No request is sent with this credential.
    record Scanner(UUID id, String name) implements Credential {
        @Override
        public String type() {
            return "scanner";
        }

        @Override
        public String actor() {
            return "scanner:" + id;
        }
    }

    /// The operator, who has direct access to the storage of the installation and needs no other credential.
    ///
    /// @param name the command and the operating system's name of the user who ran it
    record Operator(String name) implements Credential {
        private static final UUID NOBODY = new UUID(0, 0);

        /// Returns a constant: there is nothing to revoke.
        @Override
        public UUID id() {
            return NOBODY;
        }

        @Override
        public String type() {
            return "operator";
        }

        @Override
        public String actor() {
            return "operator";
        }
    }
}
