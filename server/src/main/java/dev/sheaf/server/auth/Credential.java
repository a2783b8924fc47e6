package dev.sheaf.server.auth;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What a caller showed to be known.
public sealed interface Credential {
    /// The id of what can be revoked to end it.
    UUID id();

    /// Tells people which one it is: a key's name, a person's e-mail address, a run's repository and workflow.
    String name();

    /// The wire word of `credentialType`.
    String type();

    /// The name under which rows remember who did something.
    String actor();

    /// An API key, or an access token made from it.
    ///
    /// @param hint prefix and last four characters of its secret
    /// @param endsAt when the key itself stops to work by itself; null: never
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

    /// A run of a trusted publisher's workflow.
    ///
    /// @param id the trusted publisher's
    record Run(UUID id, String name) implements Credential {
        @Override
        public String type() {
            return "trusted_publisher";
        }

        @Override
        public String actor() {
            return "publisher:" + id;
        }
    }

    /// Whoever has the storage of the installation at hand, and so needs no other credential.
    ///
    /// @param name the command, and the name that the operating system has for who ran it
    record Operator(String name) implements Credential {
        private static final UUID NOBODY = new UUID(0, 0);

        /// Nothing can be revoked to end it.
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
