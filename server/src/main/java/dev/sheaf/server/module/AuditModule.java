package dev.sheaf.server.module;

import dev.sheaf.engine.work.Task;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.server.audit.AuditChain;
import dev.sheaf.server.audit.AuditLog;
import dev.sheaf.server.audit.RefusedCalls;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.maintenance.AdminTask;
import dev.sheaf.server.maintenance.AuditRemoval;
import dev.sheaf.server.maintenance.api.AuditApi;
import dev.sheaf.server.maintenance.fsck.AuditCheck;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The audit log.
public final class AuditModule implements FeatureModule {
    private static final Logger LOG = LoggerFactory.getLogger(AuditModule.class);

    private final NodeBase node;
    private final OrgModule org;
    private final RefusedCalls refusals;
    private final AuditChain chain;
    private final AuditLog log;

    AuditModule(NodeBase node, OrgModule org) {
        this.node = node;
        this.org = org;
        this.refusals = new RefusedCalls(node.database());
        this.chain = new AuditChain(node.database(), node.master());
        this.log = new AuditLog(node.database());
    }

    @Override
    public List<Route> routes() {
        return new AuditApi(log).routes();
    }

    @Override
    public List<AdminTask> tasks() {
        return List.of(new AdminTask(
                TaskKind.AUDIT_VERIFY,
                () -> List.of("It reads the whole log, and changes nothing."),
                new AuditCheck(chain)));
    }

    @Override
    public List<Task> expiring() {
        var config = node.config();
        var folder = config.find(Setting.AUDIT_ARCHIVE)
                .map(Path::of)
                .orElseGet(() -> node.dataDir().auditArchive());
        return config
                .retention(Setting.AUDIT_RETENTION)
                .map(kept -> (Task) new AuditRemoval(node.database(), chain, kept, folder, AuditApi::line))
                .stream()
                .toList();
    }

    @Override
    public void begin(NodeTimer timer) {
        timer.every("writing refused calls to the audit log", Duration.ofSeconds(2), refusals::flush);
        chain.begin();
        timer.every("sealing this node's entries of the audit log", Duration.ofSeconds(1), chain::sealOwn);
        // entries whose node died before it sealed them
        timer.every("sealing the audit log", Duration.ofMinutes(1), chain::seal);
        timer.every("noting the end of the audit log", Duration.ofDays(1), this::noteEnd);
    }

    /// Writes the end of the chain to the log, because an attacker with access to the database cannot change
    /// the log.
    private void noteEnd() {
        LOG.info("the audit log ends at {}", chain.end());
    }

    @Override
    public List<Last> last() {
        return List.of(
                new Last("the audit log lacks the calls that were refused in the last seconds", refusals::flush),
                new Last("the last entries of the audit log are sealed later", chain::seal));
    }

    AuditLog log() {
        return log;
    }

    public RefusedCalls refusals() {
        return refusals;
    }
}
