package dev.sheaf.server.auth.secret;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.InvalidatedCache;
import dev.sheaf.server.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The peppers under which keys are stored. Thread-safe; all nodes of an installation agree.
///
/// A row says that there is a pepper and of which master secret it is made; the pepper itself stands nowhere.
/// There may be several at a time: a new one comes with [#rotate], or with a new master secret. From then on
/// each key is hashed anew under it when it is used, since only then its secret is at hand, and works as before
/// until then. [#retire] ends the older ones, with the keys that nobody has used in between.
public final class Peppers {
    private static final Logger LOG = LoggerFactory.getLogger(Peppers.class);
    /// From when a pepper is known to when keys are hashed under it: other nodes hear of it within a second.
    private static final Duration NOTICE = Duration.ofSeconds(30);

    private static final String ALL = "all";

    private final Database database;
    private final List<MasterSecret> masters;
    private final InvalidatedCache<String, List<Known>> known;
    private final boolean isNewMaster;

    private record Known(long number, Pepper pepper, Instant activeFrom) {}

    /// What is stored of a secret.
    ///
    /// @param pepper the number of the one it was hashed under
    public record Hashed(String hash, long pepper) {}

    /// Makes the first pepper where there is none, and the next one where the newest is of a master secret that
    /// was replaced.
    ///
    /// @param previous master secrets that this one has replaced, under which keys may still be stored
    public Peppers(Database database, MasterSecret master, List<MasterSecret> previous) {
        this.database = database;
        this.known = new InvalidatedCache<>(database, 1);
        this.masters = Stream.concat(Stream.of(master), previous.stream()).toList();
        database.onChange(this::forget);
        this.isNewMaster = database.write(this::begin);
        if (isNewMaster) {
            LOG.warn("the master key was replaced; keys are hashed anew under the new one as they are used");
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

    private void forget(Change change) {
        switch (change.kind()) {
            case SIGNING_KEY, EVERYTHING -> known.forgetAll();
            case REPOSITORY, NAMESPACE, API_KEY, ORGANIZATION, SESSION, PUBLISHER, WEBHOOK, QUEUE, EVENT, FEED -> {
                // holds nothing of these
            }
        }
    }

    /// True where this start found that the master secret is another one than before.
    public boolean isNewMaster() {
        return isNewMaster;
    }

    /// The newest first. Those whose master secret this node was not given are of no use to it.
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

    /// The number of the pepper for new hashes.
    public long current() {
        return newest().number();
    }

    private Known newest() {
        var now = database.now();
        var all = known();
        return all.stream()
                .filter(pepper -> !now.isBefore(pepper.activeFrom()))
                .findFirst()
                .orElseGet(all::getLast); // of a clock that was set back
    }

    /// What is to be stored of a secret now.
    public Hashed hash(Secret secret) {
        var newest = newest();
        return new Hashed(newest.pepper().hash(secret), newest.number());
    }

    /// All that may be stored of a secret.
    public List<String> hashes(Secret secret) {
        return known().stream().map(pepper -> pepper.pepper().hash(secret)).toList();
    }

    /// Makes the next pepper, under which keys are hashed from half a minute on.
    public void rotate() {
        database.write(tx -> insert(
                tx, PepperRows.newest(tx).orElseThrow().number() + 1, tx.now().plus(NOTICE)));
    }

    /// Ends all peppers before that of new hashes: keys that are still hashed under them are unknown from now
    /// on, here at once and on other nodes within a second.
    ///
    /// @return how many ended
    public int retire() {
        long current = current();
        return database.write(tx -> PepperRows.retireBefore(tx, current));
    }
}
