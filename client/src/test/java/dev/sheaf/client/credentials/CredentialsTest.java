package dev.sheaf.client.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.Directories;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {
    private static final RegistryUrl URL = RegistryUrl.parse("http://127.0.0.1:8080");
    private static final Secret KEY = Secret.of("shf_one");

    @TempDir
    Path home;

    /// A working keyring in memory.
    private static final class MemoryKeychain implements Keychain {
        final Map<String, Secret> secrets = new HashMap<>();

        @Override
        public Optional<Secret> find(String service, String account) {
            return Optional.ofNullable(secrets.get(service + " " + account));
        }

        @Override
        public boolean store(String service, String account, Secret secret) {
            secrets.put(service + " " + account, secret);
            return true;
        }

        @Override
        public boolean remove(String service, String account) {
            return secrets.remove(service + " " + account) != null;
        }
    }

    private Credentials credentials(Map<String, String> environment, Keychain keychain) {
        return new Credentials(URL, environment, keychain, Directories.of(Map.of(), "Linux", home));
    }

    private Path file() {
        return home.resolve(".local/share/sheaf/credentials/127.0.0.1_8080/api-key");
    }

    private static Optional<Credentials.Source> source(Credentials credentials) {
        return credentials.find().map(Credentials.Found::source);
    }

    @Test
    void theEnvironmentWinsThenTheKeyringThenTheFile() {
        var keychain = new MemoryKeychain();
        credentials(Map.of(), Keychain.NONE).store(Secret.of("shf_file"));
        assertThat(source(credentials(Map.of(), keychain))).contains(Credentials.Source.FILE);

        keychain.store("sheaf/127.0.0.1:8080", "api-key", Secret.of("shf_ring"));
        assertThat(source(credentials(Map.of(), keychain))).contains(Credentials.Source.KEYRING);

        var all = credentials(Map.of("SHEAF_API_KEY", "shf_env"), keychain).find();
        assertThat(all.map(Credentials.Found::source)).contains(Credentials.Source.ENVIRONMENT);
        assertThat(all.map(found -> found.key().expose())).contains("shf_env");
    }

    @Test
    void thereMayBeNone() {
        assertThat(credentials(Map.of("SHEAF_API_KEY", " "), Keychain.NONE).find())
                .isEmpty();
    }

    @Test
    void withoutKeyringTheKeyGoesToAFileOfTheOwnerOnly() throws IOException {
        var stored = credentials(Map.of(), Keychain.NONE).store(KEY);

        assertThat(stored.source()).isEqualTo(Credentials.Source.FILE);
        assertThat(stored.place()).isEqualTo(file().toString());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(".local/share/sheaf"))))
                .isEqualTo("rwx------");
        assertThat(credentials(Map.of(), Keychain.NONE).find().map(Credentials.Found::key))
                .contains(KEY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----"})
    void aFileThatOthersCanReachIsRefused(String mode) throws IOException {
        var credentials = credentials(Map.of(), Keychain.NONE);
        credentials.store(KEY);
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString(mode));

        assertThatThrownBy(credentials::find)
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContaining("chmod 600 " + file())
                .hasMessageNotContaining("shf_one");
    }

    @Test
    void aKeyInTheKeyringLeavesNoneInTheFile() {
        credentials(Map.of(), Keychain.NONE).store(Secret.of("shf_old"));

        credentials(Map.of(), new MemoryKeychain()).store(KEY);

        assertThat(file()).doesNotExist();
    }

    @Test
    void logoutForgetsBothPlaces() {
        var keychain = new MemoryKeychain();
        credentials(Map.of(), Keychain.NONE).store(KEY);
        keychain.store("sheaf/127.0.0.1:8080", "api-key", KEY);
        var credentials = credentials(Map.of(), keychain);

        assertThat(credentials.forget()).containsExactly(Credentials.Source.KEYRING, Credentials.Source.FILE);
        assertThat(credentials.find()).isEmpty();
        assertThat(credentials.forget()).isEmpty();
    }

    @Test
    void aKeyThatCannotBeSentIsRefusedWithoutShowingIt() {
        var credentials = credentials(Map.of("SHEAF_API_KEY", "shf_a\nX-Evil: 1"), Keychain.NONE);

        assertThatThrownBy(credentials::find)
                .isInstanceOf(SheafException.Local.class)
                .hasMessageNotContaining("shf_a");
    }

    /// The folder's name and the keyring's service only contain host and port.
    @Test
    void whatWasKeptForHttpsIsNotSentInClearText() {
        var keychain = new MemoryKeychain();
        var directories = Directories.of(Map.of(), "Linux", home);
        var secure = RegistryUrl.parse("https://example.com:8443");
        var plain = RegistryUrl.parse("http://example.com:8443");
        for (Keychain ring : List.of(Keychain.NONE, keychain)) {
            new Credentials(secure, Map.of(), ring, directories).store(KEY);

            var credentials = new Credentials(plain, Map.of(), ring, directories);

            assertThatThrownBy(credentials::bearer)
                    .isInstanceOf(SheafException.Local.class)
                    .hasMessageContainingAll("another scheme (http or https)", "log in there")
                    .hasMessageNotContaining(KEY.expose());
            assertThat(new Credentials(secure, Map.of(), ring, directories).bearer())
                    .isPresent();
            credentials.store(Secret.of("shf_plain"));
            assertThat(credentials.bearer()).isPresent();
        }
    }

    @Test
    void noSessionBusMeansNoKeyring() {
        assertThat(Keychain.ofThisUser(Map.of(), "Linux")).isSameAs(Keychain.NONE);
    }

    @Test
    void directoriesFollowThePlatform() {
        assertThat(Directories.of(Map.of("XDG_CACHE_HOME", "/c", "XDG_DATA_HOME", "relative"), "Linux", home))
                .isEqualTo(new Directories(
                        home.resolve(".local/share/sheaf"), home.resolve(".config/sheaf"), Path.of("/c/sheaf")));
        assertThat(Directories.of(Map.of(), "Mac OS X", home).cache()).isEqualTo(home.resolve("Library/Caches/sheaf"));
        assertThat(Directories.of(Map.of(), "Windows 11", home).config())
                .isEqualTo(home.resolve("AppData/Roaming/sheaf"));
    }
}
