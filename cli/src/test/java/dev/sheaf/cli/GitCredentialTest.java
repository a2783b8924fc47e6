package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.testing.TinySessions;
import org.junit.jupiter.api.Test;

/// What git is given when it asks for a credential.
class GitCredentialTest extends CommandLineFixture {
    private static final String KEY = "shf_0123456789abcdef0123456789abcdef";

    private Ran get(String protocol, String host) {
        return runWith(
                "protocol=" + protocol + "\nhost=" + host + "\nwwwauth[]=Basic realm=\"Sheaf\"\n\n",
                "git-credential",
                "get");
    }

    @Test
    void itGetsTheKeyOfTheRegistryThatIsMeant() {
        environment.put("SHEAF_API_KEY", KEY);

        var ran = get("http", registry.url().authority());

        assertThat(ran.out()).isEqualTo("username=sheaf\npassword=" + KEY + "\n");
        assertThat(ran.status()).isZero();
    }

    @Test
    void noOtherHostIsGivenIt() {
        environment.put("SHEAF_API_KEY", KEY);

        assertThat(get("https", "github.com").out()).isEmpty();
        assertThat(get("https", registry.url().authority()).out()).isEmpty();
        assertThat(get("ssh", registry.url().authority()).out()).isEmpty();
        assertThat(get("http", "").out()).isEmpty();
        assertThat(runWith("", "git-credential", "get").out()).isEmpty();
        assertThat(runWith("host\n=\n\0\n", "git-credential", "get").status()).isZero();
    }

    @Test
    void whatGitWantsKeptOrErasedChangesNothing() {
        environment.put("SHEAF_API_KEY", KEY);

        for (String operation : new String[] {"store", "erase", "capability"}) {
            var ran = runWith(
                    "protocol=http\nhost=" + registry.url().authority() + "\npassword=x\n\n",
                    "git-credential",
                    operation);
            assertThat(ran.status()).isZero();
            assertThat(ran.out()).isEmpty();
        }
        assertThat(get("http", registry.url().authority()).out()).contains(KEY);
    }

    @Test
    void aSessionIsAsGood() {
        new TinySessions(registry).every(0);
        assertThat(run("login", "--device").status()).isZero();

        assertThat(get("http", registry.url().authority()).out()).isEqualTo("username=sheaf\npassword=access1\n");
    }
}
