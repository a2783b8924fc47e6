package dev.sheaf.server.module;

import dev.sheaf.engine.work.Task;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.server.auth.AccessTokens;
import dev.sheaf.server.auth.SigningKeys;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.auth.secret.PepperRing;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.maintenance.AdminTask;
import dev.sheaf.server.maintenance.InstallationStats;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// The keys that sign and check secrets.
public final class SecretsModule implements FeatureModule {
    private final NodeBase node;
    private final long keyDays;
    private final List<MasterSecret> previousMasters;
    private final PepperRing peppers;
    private final SigningKeys signingKeys;
    private final AccessTokens tokens;

    public SecretsModule(NodeBase node) {
        this.node = node;
        this.keyDays = node.config().number(Setting.TOKEN_KEY_DAYS);
        this.previousMasters = node.config()
                .find(Setting.PREVIOUS_MASTER_KEYS)
                .map(MasterSecret::parseAll)
                .orElse(List.of());
        this.peppers = new PepperRing(node.database(), node.master(), previousMasters);
        this.signingKeys = new SigningKeys(node.database(), node.master());
        if (peppers.isNewMaster()) {
            signingKeys.replace(); // a new master secret derives other keys under the same ids
        }
        this.tokens = new AccessTokens(
                signingKeys, node.config().find(Setting.PUBLIC_URL).orElse(null));
    }

    @Override
    public List<AdminTask> tasks() {
        return List.of(
                new AdminTask(
                        TaskKind.ROTATE_TOKEN_KEYS,
                        () -> List.of("No token and no key ends."),
                        keys(signingKeys::rotate, "signs after ten minutes; tokens issued before stay valid")),
                new AdminTask(
                        TaskKind.REPLACE_TOKEN_KEYS,
                        this::endingTokens,
                        keys(signingKeys::replace, "signs immediately; tokens issued before stop working")));
    }

    /// Tokens are not stored; those who may have some are.
    private List<String> endingTokens() {
        var stats = new InstallationStats(node.database());
        return List.of(
                String.format(
                        Locale.ROOT,
                        "Access tokens of %,d API keys and %,d signed-in sessions end at once, and those of workflows"
                                + " that run now.",
                        stats.count("apiKeys"),
                        stats.count("sessions")),
                "No key and no session ends: programs that have one get a new token by themselves.");
    }

    private static Task keys(Runnable work, String what) {
        return run -> {
            if (!run.isDryRun()) {
                work.run();
            }
            run.find("a new key for access tokens", what);
            run.count("keysMade", 1);
        };
    }

    @Override
    public void begin(NodeTimer timer) {
        timer.every("replacing signing keys", Duration.ofHours(1), () -> {
            if (keyDays > 0) {
                signingKeys.rotateAfter(Duration.ofDays(keyDays));
            }
        });
    }

    List<MasterSecret> previousMasters() {
        return previousMasters;
    }

    PepperRing peppers() {
        return peppers;
    }

    SigningKeys signingKeys() {
        return signingKeys;
    }

    public AccessTokens tokens() {
        return tokens;
    }
}
