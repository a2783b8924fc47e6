package dev.sheaf.server.module;

import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.model.wire.admin.OperationsReport;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.maintenance.operations.Operations;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.ops.Health;
import dev.sheaf.server.queue.JobCounts;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.rate.NodeCount;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;

/// Where the state of a node is read from: the counters and features that have it.
final class OperationSources {
    private static final int SHOWN = 10;

    private OperationSources() {}

    static Operations.Sources of(NodeBase node, FeatureModules features, Health health, LongSupplier nodes) {
        var database = node.database();
        var failures = features.webhooks().failures();
        var times = node.metrics().requests();
        return new Operations.Sources(
                NodeBase.version(),
                health::report,
                () -> times.totals(OperationSources::isTimed),
                nodes,
                () -> database.dialect() == SqlDialect.POSTGRES ? NodeCount.running(database) : List.of(),
                () -> database.read(JobCounts::all).getOrDefault(JobState.QUEUED, 0L),
                () -> database.read(tx -> JobCounts.deepest(tx, SHOWN)).stream()
                        .map(queue -> new OperationsReport.QueueDepth(
                                handle(features, queue.organizationId()), queue.slug(), queue.waiting()))
                        .toList(),
                failures::waiting,
                () -> failures.ofAll(SHOWN).stream()
                        .map(webhook -> new OperationsReport.FailingWebhook(
                                handle(features, webhook.organizationId()),
                                webhook.host(),
                                webhook.since(),
                                webhook.failures()))
                        .toList(),
                () -> disk(node),
                () -> features.registry().scrub().checkedSince().orElse(null),
                changed(node));
    }

    /// Returns whether the duration of a route's requests says how fast the node is. Some wait for
    /// something to happen.
    private static boolean isTimed(String route) {
        return !route.endsWith(":claim") && !route.endsWith("/events");
    }

    private static String handle(FeatureModules features, UUID organization) {
        return features.org().organizations().get(organization).handle();
    }

    /// Returns the space on the disk of the data directory.
    static Operations.DiskSpace disk(NodeBase node) {
        var folder = node.dataDir().root().toFile();
        return new Operations.DiskSpace(
                folder.getTotalSpace(), folder.getUsableSpace(), node.config().number(Setting.MIN_FREE_BYTES));
    }

    private static List<OperationsReport.ChangedSetting> changed(NodeBase node) {
        var config = node.config();
        return Arrays.stream(Setting.values())
                .filter(setting -> !config.text(setting).equals(setting.fallback()))
                .map(setting -> new OperationsReport.ChangedSetting(
                        setting.key(),
                        config.shown(setting),
                        config.value(setting).source()))
                .toList();
    }
}
