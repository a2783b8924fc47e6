package dev.sheaf.server.hub;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.hub.StarStatus;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Stars for listed bundles. A person who is signed in stars for herself, whatever her role is. A key
/// stars for its organization, which has at most one star for a bundle. Setting or removing a star again
/// changes nothing. Thread-safe.
public final class BundleStars {
    private final Database database;

    public BundleStars(Database database) {
        this.database = database;
    }

    /// Returns whether the caller has starred the bundle.
    ///
    /// @throws ProblemException those of [Hub#require]
    public StarStatus get(Caller.Known caller, RepositoryName name) {
        return database.read(tx -> StarRows.status(tx, pair(caller, Hub.require(tx, name))));
    }

    private static StarRows.Pair pair(Caller.Known caller, long repository) {
        return caller.credential() instanceof Credential.Session session
                ? new StarRows.Pair(repository, StarRows.Owner.PERSON, session.userId())
                : new StarRows.Pair(repository, StarRows.Owner.ORGANIZATION, caller.organizationId());
    }

    /// Sets or removes a star.
    ///
    /// @param check receives the current status and may refuse by throwing
    /// @return the new status
    /// @throws ProblemException those of [Hub#require]; scope-missing for a key or program that may only read
    public StarStatus set(ChangeOrigin origin, RepositoryName name, boolean starred, Consumer<StarStatus> check) {
        var caller = origin.caller();
        boolean isPerson = caller.credential() instanceof Credential.Session;
        if (!isPerson || !caller.grant().equals(Grant.ALL)) {
            Access.scope(caller, Scope.WRITE);
        }
        return database.write(tx -> {
            var pair = pair(caller, Hub.require(tx, name));
            Access.granted(caller, name, Grant.Action.PULL);
            check.accept(StarRows.status(tx, pair));
            if (StarRows.set(tx, pair, starred)
                    && !isPerson) { // what a person likes is not the organization's business
                AuditRows.record(tx, origin, starred ? "bundle.star" : "bundle.unstar", name.toString());
            }
            return StarRows.status(tx, pair);
        });
    }

    /// A place in a person's list of stars.
    ///
    /// @param time when the star was given, in milliseconds since 1970
    record Place(long time, long repository) {
        private static final Place FIRST = new Place(Long.MAX_VALUE, Long.MAX_VALUE);

        static Place parse(@Nullable String text) {
            if (text == null) {
                return FIRST;
            }
            var parts = text.split(":", -1);
            try {
                if (parts.length == 2) {
                    return new Place(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            throw new Problem.InvalidCursor().raise();
        }

        @Override
        public String toString() {
            return time + ":" + repository;
        }
    }

    /// A part of a person's list of stars.
    ///
    /// @param bundles the bundles that the hub lists, which may be fewer than the stars
    /// @param last the place after which the next part begins; null if there is none
    public record Starred(List<Hub.Entry> bundles, @Nullable String last) {
        public Starred {
            bundles = List.copyOf(bundles);
        }
    }

    /// Returns the listed bundles that a person has starred, newest star first.
    ///
    /// @param after the place of the last star of the previous part; null for the first part
    /// @throws ProblemException invalid-cursor if `after` is not a place
    public Starred of(UUID account, @Nullable String after, int limit) {
        var place = Place.parse(after);
        return database.read(tx -> {
            var stars = new ArrayList<>(StarRows.of(tx, account, place, limit + 1));
            boolean more = stars.size() > limit;
            if (more) {
                stars.removeLast();
            }
            var entries = HubRows.entries(
                            tx, stars.stream().map(StarRows.Given::repositoryId).toList())
                    .stream()
                    .collect(Collectors.toMap(Hub.Entry::repositoryId, Function.identity()));
            var last = more ? stars.getLast() : null;
            return new Starred(
                    stars.stream()
                            .flatMap(star -> Stream.ofNullable(entries.get(star.repositoryId())))
                            .toList(),
                    last == null ? null : new Place(last.createdAt().toEpochMilli(), last.repositoryId()).toString());
        });
    }
}
