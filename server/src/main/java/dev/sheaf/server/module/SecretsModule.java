package dev.sheaf.server.module;

import dev.sheaf.server.auth.SigningKeys;
import dev.sheaf.server.auth.Tokens;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.auth.secret.Peppers;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.node.Node;
import dev.sheaf.server.node.Timer;
import dev.sheaf.server.work.Task;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The keys that sign and check secrets.
public final class SecretsModule implements Module {
    private final long keyDays;
    private final List<MasterSecret> previousMasters;
    private final Peppers peppers;
    private final SigningKeys signingKeys;
    private final Tokens tokens;

    public SecretsModule(Node node) {
        this.keyDays = node.config().number(Setting.TOKEN_KEY_DAYS);
        this.previousMasters = node.config()
                .find(Setting.PREVIOUS_MASTER_KEYS)
                .map(MasterSecret::parseAll)
                .orElse(List.of());
        this.peppers = new Peppers(node.database(), node.master(), previousMasters);
        this.signingKeys = new SigningKeys(node.database(), node.master());
        if (peppers.isNewMaster()) {
            signingKeys.replace(); // a new master secret derives other keys under the same ids
        }
        this.tokens =
                new Tokens(signingKeys, node.config().find(Setting.PUBLIC_URL).orElse(null));
    }

    @Override
    public Map<String, Task> tasks() {
        return Map.of(
                "rotate-token-keys",
                keys(signingKeys::rotate, "signs after ten minutes; tokens issued before stay valid"),
                "replace-token-keys",
                keys(signingKeys::replace, "signs immediately; tokens issued before stop working"));
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
    public void begin(Timer timer) {
        timer.every("replacing signing keys", Duration.ofHours(1), () -> {
            if (keyDays > 0) {
                signingKeys.rotateAfter(Duration.ofDays(keyDays));
            }
        });
    }

    List<MasterSecret> previousMasters() {
        return previousMasters;
    }

    Peppers peppers() {
        return peppers;
    }

    SigningKeys signingKeys() {
        return signingKeys;
    }

    public Tokens tokens() {
        return tokens;
    }
}
