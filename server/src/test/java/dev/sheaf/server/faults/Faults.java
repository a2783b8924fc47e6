package dev.sheaf.server.faults;

import static dev.sheaf.server.faults.Cluster.Kind.HAPROXY;
import static dev.sheaf.server.faults.Cluster.Kind.LINES;
import static dev.sheaf.server.faults.Cluster.Kind.POOLER;
import static dev.sheaf.server.faults.Cluster.Kind.REPLICA;
import static dev.sheaf.server.faults.Cluster.Kind.SMALL_DISKS;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// All faults of `make faults`.
final class Faults {
    private static final Duration SHORT = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Fault.Step NOTHING = cluster -> {};

    /// What S3 sends to those who ask too often.
    private static final byte[] SLOW_DOWN = """
            HTTP/1.1 503 Slow Down\r
            Content-Type: application/xml\r
            Connection: close\r
            Content-Length: 83\r
            \r
            <?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Slower.</Message></Error>""".getBytes(StandardCharsets.US_ASCII);

    private Faults() {}

    static List<Fault> all() {
        return Stream.of(ofDatabase(), ofBucket(), ofNodes(), ofOtherSetups())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Fault> ofDatabase() {
        return List.of(
                new Fault("no fault", LINES, SHORT, NOTHING, NOTHING),
                databaseStopped("database stopped", LINES),
                new Fault(
                        "database frozen (SIGSTOP)",
                        LINES,
                        LONG,
                        on -> on.database().signal("STOP"),
                        on -> on.database().signal("CONT")),
                databaseLineFrozen(SHORT),
                once(
                        "connections to the database cut once",
                        LINES,
                        on -> on.databaseLine().hangUp()));
    }

    private static List<Fault> ofBucket() {
        return List.of(
                new Fault(
                        "bucket stopped",
                        LINES,
                        SHORT,
                        on -> on.bucket().kill(),
                        on -> on.bucket().again()),
                new Fault(
                        "bucket frozen",
                        LINES,
                        SHORT,
                        on -> on.bucketLine().freeze(),
                        on -> on.bucketLine().thaw()),
                bucketSlow(SHORT),
                new Fault(
                        "wrong bytes to and from the bucket",
                        LINES,
                        SHORT,
                        on -> on.bucketLine().damage(true),
                        on -> on.bucketLine().damage(false)));
    }

    private static List<Fault> ofNodes() {
        return List.of(
                new Fault("node killed", LINES, SHORT, on -> on.node(1).kill(), on -> on.start(1)),
                nodeFrozen("node frozen (SIGSTOP)", LINES),
                nodeFrozen("node frozen behind HAProxy", HAPROXY),
                once("node restarted", LINES, Faults::restart),
                clock("clock of a node an hour ahead", "+3600s"),
                clock("clock of a node an hour behind", "-3600s"));
    }

    private static List<Fault> ofOtherSetups() {
        return List.of(
                once("failover to the replica", REPLICA, Faults::failOver),
                new Fault("PgBouncer, no fault", POOLER, SHORT, NOTHING, NOTHING),
                once("PgBouncer restarted", POOLER, on -> on.pooler().restart()),
                databaseStopped("database stopped behind PgBouncer", POOLER),
                new Fault("disk of a node full", SMALL_DISKS, SHORT, on -> on.fill("0"), on -> on.empty("0")),
                new Fault(
                        "disk of the database full",
                        SMALL_DISKS,
                        SHORT,
                        on -> on.fill("database"),
                        Faults::emptyDatabase));
    }

    private static Fault once(String name, Cluster.Kind kind, Fault.Step step) {
        return new Fault(name, kind, Duration.ZERO, step, NOTHING);
    }

    private static Fault nodeFrozen(String name, Cluster.Kind kind) {
        return new Fault(name, kind, SHORT, on -> on.signalNode(1, "STOP"), on -> on.signalNode(1, "CONT"));
    }

    private static Fault clock(String name, String offset) {
        return new Fault(name, LINES, SHORT, on -> on.setClock(offset), on -> on.setClock("+0s"));
    }

    private static Fault databaseStopped(String name, Cluster.Kind kind) {
        return new Fault(
                name,
                kind,
                SHORT,
                on -> on.database().stop(),
                on -> on.database().start());
    }

    static Fault databaseLineFrozen(Duration length) {
        return new Fault(
                "connections to the database frozen",
                LINES,
                length,
                on -> on.databaseLine().freeze(),
                on -> on.databaseLine().thaw());
    }

    static Fault bucketSlow(Duration length) {
        return new Fault(
                "bucket answers 503 SlowDown",
                LINES,
                length,
                on -> on.bucketLine().answerWith(SLOW_DOWN),
                on -> on.bucketLine().answerWith(null));
    }

    private static void restart(Cluster cluster) throws Exception {
        cluster.node(1).terminate();
        cluster.node(1).exitCode();
        cluster.start(1);
    }

    private static void failOver(Cluster cluster) throws IOException {
        cluster.database().crash();
        cluster.replica().promote();
    }

    /// PostgreSQL ends itself if its log cannot be written; then somebody must start it.
    private static void emptyDatabase(Cluster cluster) throws IOException {
        cluster.empty("database");
        if (!cluster.database().isRunning()) {
            cluster.database().start();
        }
    }
}
