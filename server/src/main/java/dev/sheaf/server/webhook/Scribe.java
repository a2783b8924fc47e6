package dev.sheaf.server.webhook;

import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.work.Turn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Stores the results of deliveries. One transaction stores the results of many webhooks, because a transaction
/// costs the database far more than its rows. Results that arrive during a commit share the next transaction.
/// Thread-safe.
final class Scribe {
    /// The limit of webhooks in one transaction. Each one adds a few rows.
    private static final int MOST = 25;

    private final Database database;
    private final int atOnce;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Ledger> waiting = new ArrayDeque<>();
    private int writers;

    /// @param atOnce concurrent transactions, limited because requests need the connections
    Scribe(Database database, int atOnce) {
        this.database = database;
        this.atOnce = atOnce;
    }

    /// Queues a webhook's ledger for storing, once.
    void write(Ledger ledger) {
        lock.lock();
        try {
            waiting.add(ledger);
            if (writers < atOnce) {
                writers++;
                Thread.ofVirtual().name("webhook-scribe").start(this::run);
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        for (var some = next(); !some.isEmpty(); some = next()) {
            writeAll(map(some, ledger -> new Lot(ledger, ledger.take())));
        }
    }

    private List<Ledger> next() {
        lock.lock();
        try {
            var some = new ArrayList<Ledger>();
            while (some.size() < MOST && !waiting.isEmpty()) {
                some.add(waiting.remove());
            }
            if (some.isEmpty()) {
                writers--;
            }
            return some;
        } finally {
            lock.unlock();
        }
    }

    /// Stores each ledger alone after a failure, so that one bad ledger does not stop the others.
    private void writeAll(List<Lot> lots) {
        try {
            var written = database.write(tx -> write(tx, lots));
            lots.forEach(lot -> told(lot.ledger(), written.contains(lot.ledger())));
        } catch (RuntimeException e) {
            if (lots.size() == 1) {
                lots.forEach(lot -> lot.ledger().failed(e));
            } else {
                lots.forEach(lot -> writeAll(List.of(lot)));
            }
        }
    }

    private void told(Ledger ledger, boolean written) {
        if (!written) {
            ledger.failed(new Ledger.LostTurnException());
        } else if (ledger.wrote()) {
            write(ledger);
        }
    }

    // --- one transaction ---

    /// @return the ledgers whose webhook this node still holds
    private static Set<Ledger> write(Tx tx, List<Lot> lots) {
        var held = Turn.holding(tx, map(lots, lot -> lot.ledger().turn()));
        var there = WebhookRows.keep(tx, map(lots, Lot::webhook));
        var own = lots.stream()
                .filter(lot -> held.contains(lot.ledger().turn()) && there.contains(lot.webhook()))
                .toList();
        var entries = own.stream().flatMap(lot -> lot.entries().stream()).toList();
        var deliveries = new LinkedHashMap<UUID, DeliveryRow>(); // the last state of each
        entries.forEach(entry -> deliveries.put(entry.delivery().id(), entry.delivery()));
        DeliveryRows.save(tx, deliveries.values());
        DeliveryRows.add(tx, map(entries, Ledger.Entry::attempt));
        WebhookRows.progress(tx, own.stream().collect(Collectors.toMap(Lot::webhook, Lot::progress)));
        own.forEach(lot ->
                lot.replayed().ifPresent(its -> WebhookRows.replayed(tx, lot.webhook(), its.event(), its.end())));
        return own.stream().map(Lot::ledger).collect(Collectors.toSet());
    }

    private static <T, R> List<R> map(List<T> items, Function<T, R> to) {
        return items.stream().map(to).toList();
    }

    /// The results of one webhook that are stored together.
    private record Lot(Ledger ledger, List<Ledger.Entry> entries) {
        UUID webhook() {
            return ledger.webhook();
        }

        Progress progress() {
            return entries.getLast().progress();
        }

        Optional<Ledger.Replayed> replayed() {
            return entries.stream()
                    .map(Ledger.Entry::replayed)
                    .filter(Objects::nonNull)
                    .reduce((before, last) -> last);
        }
    }
}
