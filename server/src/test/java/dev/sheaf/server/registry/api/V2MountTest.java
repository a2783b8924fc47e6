package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import org.junit.jupiter.api.Test;

/// Mounts by clients whose token was made for one of the two repositories.
class V2MountTest extends V2Scenario {
    private static final String BOTH = "scope=\"repository:%s:pull,push repository:%s:pull\"";

    private String token(String key, String scopes) {
        return callAs(key, "GET", "/v2/token?scope=" + scopes.replace(" ", "&scope="), null)
                .json()
                .get("token")
                .stringValue();
    }

    private Reply mount(String token, String to, Digest digest, String from) {
        return callAs(token, "POST", "/v2/" + to + "/blobs/uploads/?mount=" + digest + "&from=" + from, null);
    }

    @Test
    void aTokenForTheTargetAloneIsToldToReadTheSourceToo() {
        var digest = pushBlob("mount/source", random(5_000));
        String narrow = token(app().admin(), "repository:mount/target:pull,push");

        var refused = mount(narrow, "mount/target", digest, "mount/source");

        assertRefused(refused, 401, "UNAUTHORIZED");
        assertThat(refused.header("WWW-Authenticate"))
                .contains(BOTH.formatted("mount/target", "mount/source"))
                .endsWith(",error=\"insufficient_scope\"");
        String both = token(app().admin(), "repository:mount/target:pull,push repository:mount/source:pull");
        assertThat(mount(both, "mount/target", digest, "mount/source").status()).isEqualTo(201);
    }

    @Test
    void aTokenForTheSourceAloneIsToldBothToo() {
        var digest = pushBlob("mount/source-2", random(5_001));
        pushBlob("mount/target-2", random(1));
        String narrow = token(app().admin(), "repository:mount/source-2:pull");

        var refused = mount(narrow, "mount/target-2", digest, "mount/source-2");

        assertRefused(refused, 401, "UNAUTHORIZED");
        assertThat(refused.header("WWW-Authenticate")).contains(BOTH.formatted("mount/target-2", "mount/source-2"));
    }

    /// A token tells nothing of what it was not made for: not whether there is such a repository or blob.
    @Test
    void whatIsMissingIsRefusedAsWhatIsThere() {
        pushBlob("mount/source-3", random(5_002));
        String narrow = token(app().admin(), "repository:mount/target-3:pull,push");
        var unknown = Digest.sha256(random(9));

        var blob = mount(narrow, "mount/target-3", unknown, "mount/source-3");
        var repository = mount(narrow, "mount/target-3", unknown, "mount/nothing");

        assertRefused(blob, 401, "UNAUTHORIZED");
        assertRefused(repository, 401, "UNAUTHORIZED");
        String both = token(app().admin(), "repository:mount/target-3:pull,push repository:mount/nothing:pull");
        assertThat(mount(both, "mount/target-3", unknown, "mount/nothing").status())
                .isEqualTo(202);
    }

    @Test
    void whatTheHolderMayNotReadEitherIsAnUpload() {
        var digest = pushBlob("mount/source-4", random(5_003));
        String stranger = app().secondOrganization("mounting" + Math.abs(seed));
        String target = "mounting" + Math.abs(seed) + "/kit";
        String narrow = token(stranger, "repository:" + target + ":pull,push");
        String restricted = app().secret("""
                {"name": "mounts%d", "scopes": ["write"], "restrictions": {"bundles": ["mount/own"]}}""".formatted(seed));
        String own = token(restricted, "repository:mount/own:pull,push");

        assertThat(mount(narrow, target, digest, "mount/source-4").status()).isEqualTo(202);
        assertThat(mount(own, "mount/own", digest, "mount/source-4").status()).isEqualTo(202);
        assertThat(mount(own, "mount/own", digest, "no-name").status()).isEqualTo(202);
    }

    @Test
    void whatIsPublicNeedsNoWordForTheSource() {
        app().push("mount/open", "1.0.0", "public", "# Open");
        var digest = Digest.sha256(utf8("# Open"));
        String narrow = token(app().admin(), "repository:mount/target-5:pull,push");

        assertThat(mount(narrow, "mount/target-5", digest, "mount/open").status())
                .isEqualTo(201);
    }
}
