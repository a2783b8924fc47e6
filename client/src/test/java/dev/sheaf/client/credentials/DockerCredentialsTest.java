package dev.sheaf.client.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.Directories;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Docker's credentials, and helpers that misbehave. A helper's output is never shown.
@Tag("programs")
class DockerCredentialsTest {
    private static final RegistryUrl URL = RegistryUrl.parse("https://bundles.example.com");
    private static final String SECRET = "shf_inDocker";

    @TempDir
    Path folder;

    @BeforeEach
    void programs() {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "there is no /bin/sh here");
    }

    private Map<String, String> environment() {
        return Map.of(
                "DOCKER_CONFIG",
                folder.toString(),
                "PATH",
                "relative:" + folder + ":/bin:/usr/bin",
                "SHEAF_API_KEY",
                "");
    }

    private DockerCredentials docker() {
        return new DockerCredentials(environment(), Duration.ofSeconds(30));
    }

    private void config(String json) throws IOException {
        Path file = Files.writeString(folder.resolve("config.json"), json.replace('\'', '"'));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private void helper(String name, String script) throws IOException {
        Path file = Files.writeString(folder.resolve("docker-credential-" + name), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private static String auth(String userAndPassword) {
        return Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aPasswordInTheFileIsFound() throws IOException {
        config("{'auths': {'bundles.example.com': {'auth': '" + auth("me:" + SECRET + ":x") + "'}}}");

        var login = docker().find(URL).orElseThrow();

        assertThat(login.username()).isEqualTo("me");
        assertThat(login.secret()).isEqualTo(Secret.of(SECRET + ":x"));
        assertThat(login.place()).isEqualTo(folder.resolve("config.json").toString());
        assertThat(login.toString()).doesNotContain(SECRET);
    }

    @Test
    void anIdentityTokenGoesBeforeAPassword() throws IOException {
        config("{'auths': {'https://bundles.example.com/v1/': {'auth': '" + auth("me:other") + "', 'identitytoken': '"
                + SECRET + "'}}}");

        var login = docker().find(URL).orElseThrow();

        assertThat(login.isToken()).isTrue();
        assertThat(login.secret()).isEqualTo(Secret.of(SECRET));
    }

    /// Docker stores no scheme, so its credential for a host is never sent there in clear text.
    @ParameterizedTest
    @CsvSource({
        "bundles.example.com, https://bundles.example.com, true",
        "bundles.example.com:443, https://bundles.example.com, true",
        "bundles.example.com:8443, https://bundles.example.com:8443, true",
        "bundles.example.com, https://bundles.example.com:8443, false",
        "bundles.example.com:8443, https://bundles.example.com, false",
        "bundles.example.com, https://example.com, false",
        "example.com, https://bundles.example.com, false",
        "bundles.example.com, http://bundles.example.com, false",
        "bundles.example.com:80, http://bundles.example.com, false",
        "bundles.example.com:8080, http://bundles.example.com:8080, false",
        "127.0.0.1:8080, http://127.0.0.1:8080, true",
        "localhost:8080, http://localhost:8080, true",
        "localhost:8080, http://127.0.0.1:8080, false"
    })
    void onlyTheSameHostAndPortIsMeant(String kept, String url, boolean found) throws IOException {
        config("{'auths': {'" + kept + "': {'auth': '" + auth("me:" + SECRET) + "'}}}");

        assertThat(docker().find(RegistryUrl.parse(url)).isPresent()).isEqualTo(found);
    }

    @Test
    void aHelperOfOneRegistryIsAsked() throws IOException {
        config("{'credHelpers': {'bundles.example.com': 'one'}, 'credsStore': 'missing'}");
        helper("one", """
                read host; [ "$1 $host" = "get bundles.example.com" ] || exit 3
                [ -z "${SHEAF_API_KEY+set}" ] || exit 4
                echo "{\\"ServerURL\\":\\"$host\\",\\"Username\\":\\"<token>\\",\\"Secret\\":\\"%s\\"}"
                """.formatted(SECRET));

        var login = docker().find(URL).orElseThrow();

        assertThat(login.isToken()).isTrue();
        assertThat(login.secret()).isEqualTo(Secret.of(SECRET));
        assertThat(login.place()).isEqualTo("docker-credential-one");
    }

    @Test
    void theStoreIsAskedOnlyForWhatDockerKnows() throws IOException {
        helper("store", """
                touch '%s/asked'; cat >/dev/null
                echo '{"Username":"me","Secret":"%s"}'""".formatted(folder, SECRET));
        config("{'auths': {'other.example.com': {}}, 'credsStore': 'store'}");
        assertThat(docker().find(URL)).isEmpty();
        assertThat(folder.resolve("asked")).doesNotExist();

        config("{'auths': {'bundles.example.com': {}}, 'credsStore': 'store'}");
        assertThat(docker().find(URL).map(DockerCredentials.Login::secret)).contains(Secret.of(SECRET));
    }

    @Test
    void aHelperMayHaveNothing() throws IOException {
        config("{'credHelpers': {'bundles.example.com': 'one'}}");
        helper("one", "echo 'credentials not found in native keychain'; exit 1");

        assertThat(docker().find(URL)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exit 5                                                     | ended with status 5",
                "echo shf_leak; echo shf_leak >&2; exit 5                   | ended with status 5",
                "echo shf_leak                                              | not a credential",
                "echo '[1,2]'                                               | not a credential",
                "echo '{\"Username\":\"me\",\"Secret\":7}'                  | not a credential",
                "yes shf_leak                                               | wrote more than",
                "head -c 70000 /dev/zero                                    | wrote more than",
            })
    void aHelperThatMisbehavesIsNoUse(String script, String why) throws IOException {
        assertRefused(docker(), script, why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep 300",
                "sleep 300 & exec sleep 300",
                "echo '{\"Username\":\"me\",\"Secret\":\"x\"}'; exec 1>&-; sleep 300",
            })
    @Timeout(60)
    void aHelperThatHangsEndsInTime(String script) throws IOException {
        assertRefused(new DockerCredentials(environment(), Duration.ofSeconds(1)), script, "did not answer within");
    }

    private void assertRefused(DockerCredentials docker, String script, String why) throws IOException {
        config("{'credHelpers': {'bundles.example.com': 'one'}}");
        helper("one", script);

        assertThatThrownBy(() -> docker.find(URL))
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContainingAll("docker-credential-one", why, "log in to the registry")
                .hasMessageNotContaining("shf_leak")
                .hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../one", "/bin/sh", "", "a b", "-x", "one\\u0000"})
    void aHelperOfAStrangeNameIsNotStarted(String name) throws IOException {
        config("{'credHelpers': {'bundles.example.com': '" + name + "'}}");

        assertThatThrownBy(() -> docker().find(URL)).hasMessageContaining("name of the credential helper");
    }

    /// Neither from the current folder nor from a relative part of the PATH.
    @Test
    void aHelperThatIsMissingIsNamed() throws IOException {
        config("{'credHelpers': {'bundles.example.com': 'nobody'}}");

        assertThatThrownBy(() -> docker().find(URL))
                .hasMessageContaining("docker-credential-nobody is not on the PATH");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "words",
                "{'auths': 7}",
                "{'auths': {'bundles.example.com': []}}",
                "{'credHelpers': []}"
            })
    void aDamagedFileIsAsNone(String json) throws IOException {
        config(json);

        assertThat(docker().find(URL)).isEmpty();
    }

    @Test
    void aDamagedEntryIsSaidToBeOne() throws IOException {
        config("{'auths': {'bundles.example.com': {'auth': '%%%'}}}");
        assertThatThrownBy(() -> docker().find(URL)).hasMessageContaining("not base64");

        config("{'auths': {'bundles.example.com': {'auth': '" + auth("nocolon") + "'}}}");
        assertThatThrownBy(() -> docker().find(URL))
                .hasMessageContaining("not contain a user and a password")
                .hasMessageNotContaining("nocolon");
    }

    @Test
    void aFileThatOthersCanReadIsRefused() throws IOException {
        config("{'auths': {'bundles.example.com': {'auth': '" + auth("me:" + SECRET) + "'}}}");
        Files.setPosixFilePermissions(folder.resolve("config.json"), PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> docker().find(URL))
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContaining("chmod 600")
                .hasMessageNotContaining(SECRET);
        assertThat(docker().find(RegistryUrl.DEFAULT)).isEmpty();
    }

    @Test
    void itComesAfterAllThatSheafKeepsItself() throws IOException {
        config("{'auths': {'bundles.example.com': {'auth': '" + auth("me:" + SECRET) + "'}}}");
        var directories = Directories.of(Map.of(), "Linux", folder.resolve("home"));
        var credentials = new Credentials(URL, environment(), Keychain.NONE, directories);

        assertThat(credentials.bearer().orElseThrow().token()).isEqualTo(Secret.of(SECRET));
        credentials.store(Secret.of("shf_own"));
        assertThat(credentials.bearer().orElseThrow().token()).isEqualTo(Secret.of("shf_own"));
    }
}
