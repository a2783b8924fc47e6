package dev.sheaf.server.auth.secret;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.key.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The peppers under which API keys are stored. All nodes of an installation agree on them. Thread-safe.
///
/// A row records that a pepper exists and which master secret it is derived from; the pepper itself is not
/// stored. Several peppers may exist at a time: [#rotate] or a new master secret adds one. From then on each
/// key is hashed again when it is used, because its secret is known only then; until then it works with its old
/// hash. [#retire] ends the older peppers, together with the keys that were not used in between.
public final class PepperRing {
    private static final Logger LOG = LoggerFactory.getLogger(PepperRing.class);
    /// Time between the creation of a pepper and its first use; other nodes learn of it within two seconds.
    private static final Duration NOTICE = Duration.ofSeconds(30);

    private static final String ALL = "all";

    private final Database database;
    private final List<MasterSecret> masters;
    private final InvalidatedCache<String, List<Known>> known;
    private final boolean isNewMaster;

    private record Known(long number, Pepper pepper, Instant activeFrom) {}

    /// A hashed secret as it is stored.
    ///
    /// @param pepper the number of the pepper
    public record Hashed(String hash, long pepper) {}

    /// Creates the first pepper if there is none, and the next one if the newest belongs to a master secret that
    /// was replaced.
    ///
    /// @param previous replaced master secrets under which keys may still be stored
    public PepperRing(Database database, MasterSecret master, List<MasterSecret> previous) {
        this.database = database;
        this.known = new InvalidatedCache<>(database, "peppers", 1);
        this.masters = Stream.concat(Stream.of(master), previous.stream()).toList();
        database.onChange(this::forget);
        this.isNewMaster = database.write(this::begin);
        if (isNewMaster) {
            LOG.warn("the master key was replaced; each API key is hashed again with the new one when it is used");
        }
    }

    private boolean begin(Tx tx) {
        var newest = PepperRows.newest(tx);
        if (newest.isEmpty()) {
            insert(tx, 1, Instant.EPOCH);
            return false;
        }
        var maker = maker(newest.get());
        return maker.isPresent()
                && !maker.get().equals(masters.getFirst())
                && insert(tx, newest.get().number() + 1, Instant.EPOCH);
    }

    private boolean insert(Tx tx, long number, Instant activeFrom) {
        return PepperRows.insert(tx, number, Pepper.checkValue(masters.getFirst(), number), activeFrom);
    }

    private Optional<MasterSecret> maker(PepperRows.Row row) {
        return masters.stream()
                .filter(master -> Pepper.checkValue(master, row.number()).equals(row.checkValue()))
                .findFirst();
    }

    private void forget(DataChange change) {
        switch (change.kind()) {
            case SIGNING_KEY, EVERYTHING -> known.forgetAll();
            case REPOSITORY, NAMESPACE, API_KEY, ORGANIZATION, SESSION, PUBLISHER, WEBHOOK, QUEUE, EVENT, FEED -> {
                // caches nothing of these kinds
            }
        }
    }

    /// Returns whether this start found a new master secret.
    public boolean isNewMaster() {
        return isNewMaster;
    }

    /// Returns the peppers, newest first, except peppers whose master secret this node does not have.
    private List<Known> known() {
        return known.get(
                        ALL,
                        all -> Optional.of(database.read(PepperRows::list).stream()
                                .flatMap(row -> maker(row).stream()
                                        .map(master -> new Known(
                                                row.number(), Pepper.of(master, row.number()), row.activeFrom())))
                                .toList()))
                .orElseThrow();
    }

    /// Returns the number of the pepper for new hashes.
    public long current() {
        return newest().number();
    }

    /// Returns the number of the oldest pepper that is not retired. Keys under older ones never work again.
    public long oldest() {
        return database.read(PepperRows::list).getLast().number();
    }

    private Known newest() {
        var now = database.now();
        var all = known();
        for (var pepper : all) {
            if (!now.isBefore(pepper.activeFrom())) {
                return pepper;
            }
        }
        return all.getLast(); // if the clock was set back
    }

    /// Returns the hash to store for a secret.
    public Hashed hash(Secret secret) {
        var newest = newest();
        return new Hashed(newest.pepper().hash(secret), newest.number());
    }

    /// Returns all hashes under which the secret may be stored.
    public List<String> hashes(Secret secret) {
        return known().stream().map(pepper -> pepper.pepper().hash(secret)).toList();
    }

    /// Creates the next pepper. Keys are hashed under it 30 seconds later.
    public void rotate() {
        database.write(tx -> insert(
                tx, PepperRows.newest(tx).orElseThrow().number() + 1, tx.now().plus(NOTICE)));
    }

    /// Retires all peppers before the current one. Keys that are still hashed under them are unknown from then
    /// on, on this node immediately and on other nodes within two seconds.
    ///
    /// @return the number of peppers that were retired
    public int retire() {
        long current = current();
        return database.write(tx -> PepperRows.retireBefore(tx, current));
    }
}
