package dev.sheaf.server.module;

import dev.sheaf.engine.work.Worker;
import dev.sheaf.server.bundle.review.PushScanRows;
import dev.sheaf.server.bundle.review.ScannerSecrets;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import dev.sheaf.server.scan.ScannerAnswers;
import dev.sheaf.server.scan.ScannerCalls;
import dev.sheaf.server.scan.api.ScanAnswers;
import dev.sheaf.server.scan.api.ScansApi;
import java.time.Duration;
import java.util.List;

/// Scanners of others, which are asked about pushes.
final class ScanModule implements FeatureModule {
    /// The limit of questions at the same time on this node. Most of the time they wait for their answer.
    private static final int AT_ONCE = 100;
    private static final int BATCH = 200;
    private static final Duration LAST = Duration.ofSeconds(2);

    private final NodeBase node;
    private final ScannerAnswers answers;
    private final Worker worker;

    ScanModule(
            NodeBase node,
            SecretsModule secrets,
            RegistryModule registry,
            BundleModule bundle,
            WebhookModule webhooks) {
        this.node = node;
        var database = node.database();
        this.answers = new ScannerAnswers(database, bundle.decisions(), registry.manifests(), registry.blobs());
        String base = node.config().find(Setting.PUBLIC_URL).orElse("");
        var calls = new ScannerCalls(
                database,
                bundle.decisions(),
                new ScannerSecrets(node.master(), secrets.previousMasters()),
                webhooks.signer(),
                webhooks.client(),
                answers,
                ScanAnswers::parse,
                (scan, review, token, expiresAt) -> ScanAnswers.question(base, scan, review, token, expiresAt));
        this.worker = new Worker(database, "scan", AT_ONCE, calls);
    }

    @Override
    public List<Route> routes() {
        return new ScansApi(answers).routes();
    }

    @Override
    public void begin(NodeTimer timer) {
        worker.begin();
        timer.every("asking scanners about pushes", Duration.ofSeconds(2), this::wake);
    }

    /// Announces the questions that no scanner got yet.
    private void wake() {
        node.database()
                .read(tx -> PushScanRows.unasked(tx, BATCH))
                .forEach(scan ->
                        worker.wake(scan.id().toString(), scan.organizationId().toString()));
    }

    @Override
    public void stop() {
        worker.stop();
    }

    @Override
    public List<Last> last() {
        return List.of(new Last("scanners are asked again later", () -> worker.awaitEnd(LAST)));
    }
}
