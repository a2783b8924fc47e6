package dev.sheaf.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sheaf.server.auth.secret.MasterSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTest {
    /// What operators rely on. A line that changes here is a change that they must be told of.
    private static final String DEFAULTS = """
                        host=127.0.0.1
                        port=8080
                        data-dir=./data
                        public-url=
                        allowed-hosts=
                        ai-catalog=false
                        tls-certificate=
                        tls-key=
                        http2=false
                        cors-origins=
                        trusted-proxies=
                        forwarded-header=x-forwarded
                        metrics-readers=
                        database-url=
                        database-user=
                        database-password= (secret)
                        database-connections=16
                        postgres-listen-url=
                        s3-bucket=
                        s3-region=us-east-1
                        s3-endpoint=
                        s3-access-key-id=
                        s3-secret-access-key= (secret)
                        s3-path-style=false
                        s3-checksums=auto
                        s3-redirect-min-bytes=0
                        master-key= (secret)
                        previous-master-keys= (secret)
                        bootstrap-org=default
                        claim-by-push=true
                        max-live-keys=100
                        token-key-days=90
                        self-service=false
                        invitation-lifetime=P7D
                        oidc-issuer=
                        oidc-client-id=
                        oidc-client-secret= (secret)
                        oidc-domains=
                        oidc-auto-provision=false
                        oidc-link-by-email=false
                        oidc-skips-totp=false
                        oidc-name=
                        session-idle=P7D
                        session-lifetime=P30D
                        trusted-issuers=https://token.actions.githubusercontent.com https://gitlab.com
                        trusted-audiences=
                        delete-enabled=true
                        sparse-manifests=false
                        max-blob-bytes=10737418240
                        max-open-uploads=200
                        max-open-uploads-per-credential=100
                        max-asset-bytes=104857600
                        max-bundle-bytes=536870912
                        max-assets=2000
                        max-manifest-bytes=4194304
                        max-readme-bytes=524288
                        max-text-bytes=4194304
                        max-push-bytes=67108864
                        max-json-bytes=1048576
                        api-timeout=PT10S
                        transfer-timeout=PT1M
                        quota-bytes=0
                        quota-bundles=0
                        quota-versions=0
                        read-only=false
                        rate-anonymous-reads=300
                        rate-reads=3000
                        rate-writes=300
                        rate-content=6000
                        rate-runner=6000
                        rate-failed-authentications=20
                        max-remembered-requests=20000
                        max-connections=0
                        max-connections-per-address=0
                        max-followers=0
                        min-body-rate=1024
                        push-lease=PT24H
                        gc-interval=PT10M
                        deletion-grace=PT24H
                        untagged-retention=forever
                        sweep-interval=P1D
                        stray-age=PT48H
                        stray-retention=P7D
                        event-retention=P90D
                        tag-history-retention=forever
                        download-retention=P396D
                        ended-retention=P365D
                        audit-retention=forever
                        audit-archive=
                        webhooks=true
                        webhook-http=false
                        webhook-private-addresses=false
                        memory-budget-bytes=0
                        min-free-bytes=268435456
                        git-cache-bytes=10737418240
                        backup-dir=
                        backup-keep=0
                        backup-hours=0
                        scrub-days=7
                        start-wait-seconds=60
                        drain-seconds=0
                        shutdown-seconds=20
                        trace-endpoint=
                        trace-headers= (secret)
                        trace-ratio=1
                        access-log=0
                        log-format=text
                        log-level=info""";

    @Test
    void recordsEverySettingAndItsDefault() {
        assertThat(Arrays.stream(Setting.values())
                        .map(setting ->
                                setting.key() + "=" + setting.fallback() + (setting.isSecret() ? " (secret)" : ""))
                        .collect(Collectors.joining("\n")))
                .isEqualTo(DEFAULTS);
    }

    @Test
    void hasDefaultsThatItWouldTakeItself() throws Exception {
        var config = load(Map.of(), Map.of());

        assertThat(Setting.values())
                .allSatisfy(setting ->
                        assertThat(config.value(setting)).isEqualTo(new Config.Value(setting.fallback(), "default")));
    }

    @Test
    void spellsEverySettingAlikeInTheEnvironment() {
        assertThat(Setting.DATA_DIR.variable()).isEqualTo("SHEAF_DATA_DIR");
        assertThat(Setting.MAX_LIVE_KEYS.variable()).isEqualTo("SHEAF_MAX_LIVE_KEYS");
    }

    @Test
    void letsTheEnvironmentWinOverTheFileAndFlagsOverBoth(@TempDir Path folder) throws Exception {
        var file = file(folder, "port = 1\nhost = file\nlog-level=warn\n");

        var config = load(
                Map.of("config", file.toString(), "port", "3"), Map.of("SHEAF_PORT", "2", "SHEAF_HOST", "environment"));

        assertThat(config.value(Setting.PORT)).isEqualTo(new Config.Value("3", "flag --port"));
        assertThat(config.value(Setting.HOST)).isEqualTo(new Config.Value("environment", "environment SHEAF_HOST"));
        assertThat(config.value(Setting.LOG_LEVEL)).isEqualTo(new Config.Value("warn", "file " + file));
    }

    @Test
    void findsItsFileByTheEnvironmentToo(@TempDir Path folder) throws Exception {
        var file = file(folder, "port = 1\n");

        assertThat(load(Map.of(), Map.of("SHEAF_CONFIG", file.toString())).number(Setting.PORT))
                .isEqualTo(1);
    }

    @Test
    void refusesEverythingThatIsWrongAtOnceAndByName(@TempDir Path folder) throws Exception {
        var file = file(folder, "prot = 1\nmax-live-keys = many\n");

        String message = refusal(
                Map.of("config", file.toString(), "hots", "x", "port", "65536"),
                Map.of("SHEAF_DATADIR", "x", "SHEAF_LOG_LEVEL", "loud"));

        assertThat(message.lines())
                .containsExactlyInAnyOrder(
                        "unknown setting prot in " + file + ", line 1; `sheaf config` lists all of them",
                        "unknown setting SHEAF_DATADIR; `sheaf config` lists all of them",
                        "unknown setting --hots; `sheaf config` lists all of them",
                        "port must be a number from 0 to 65535, not \"65536\" (flag --port)",
                        "max-live-keys must be a number from 1 to 1000000, not \"many\" (file " + file + ")",
                        "log-level must be one of error, warn, info, debug, trace, not \"loud\""
                                + " (environment SHEAF_LOG_LEVEL)");
    }

    /// In the forms that other programs take, and that drivers do.
    @Test
    void showsNoPasswordThatStandsInAnAddress() throws Exception {
        assertThat(refusal(Map.of("database-url", "postgres://sheaf:hunter2@db/sheaf"), Map.of()))
                .contains("must begin with jdbc:postgresql:", "not \"postgres://[secret]@db/sheaf\"");
        assertThat(load(Map.of("database-url", "jdbc:postgresql://db/sheaf?password=hunter2&user=sheaf"), Map.of())
                        .describe())
                .contains("jdbc:postgresql://db/sheaf?password=[secret]&user=sheaf")
                .doesNotContain("hunter2");
    }

    /// The client's and the launcher's own variables may stand in the same shell.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SHEAF_API_KEY",
                "SHEAF_URL",
                "SHEAF_CACHE_DIR",
                "SHEAF_DEBUG",
                "SHEAF_CONFIG",
                "SHEAF_JAVA_HOME",
                "SHEAF_JAVA_OPTS"
            })
    void leavesTheVariablesOfOthersAlone(String variable) throws Exception {
        assertThat(load(Map.of(), Map.of(variable, "")).number(Setting.PORT)).isEqualTo(8080);
    }

    @ParameterizedTest
    @CsvSource({
        "allowed-hosts, https://bundles.example.org",
        "allowed-hosts, 'bundles.example.org, *'",
        "public-url, bundles.example.org",
        "public-url, ftp://example.org",
        "public-url, https://example.org/?q",
        "public-url, https://user@example.org",
        "public-url, https://example.org/path",
        "public-url, https://",
        "public-url, https://a b",
        "database-url, jdbc:mysql://x",
        "database-connections, 1",
        "host, ''",
        "port, ''",
        "port, -1",
        "claim-by-push, yes",
        "s3-endpoint, s3.example.org",
        "s3-endpoint, https://example.org/bucket",
        "s3-region, ''",
        "s3-path-style, yes",
        "s3-checksums, never",
        "bootstrap-org, Not A Handle",
        "bootstrap-org, ''",
        "shutdown-seconds, 3601",
        "push-lease, PT0S",
        "gc-interval, 10",
        "gc-interval, -PT1S",
        "deletion-grace, P11Y",
        "deletion-grace, P3651D",
        "untagged-retention, never",
        "tag-history-retention, PT23H",
        "download-retention, P90D",
        "ended-retention, ''",
        "audit-retention, P29D",
        "max-blob-bytes, 0",
        "trusted-proxies, proxy.example.org",
        "trusted-proxies, '10.0.0.0/8, 10.0.0.1/8'",
        "forwarded-header, Via",
        "rate-reads, -1",
        "cors-origins, 'https://a.example, *'",
        "cors-origins, https://a.example/",
        "max-assets, 0",
        "transfer-timeout, PT0S"
    })
    void refusesMalformedValues(String key, String value) {
        assertThat(refusal(Map.of(key, value), Map.of())).startsWith(key + " ").contains("(flag --" + key + ")");
    }

    @Test
    void refusesAMasterKeyThatIsNoneWithoutShowingIt() {
        assertThat(refusal(Map.of("master-key", "hush-hush"), Map.of()))
                .contains("master-key must be 32 bytes in base64")
                .doesNotContain("hush");
        assertThat(refusal(Map.of("previous-master-keys", MasterSecret.generate() + ",hush-hush"), Map.of()))
                .contains("previous-master-keys must be keys of 32 bytes in base64")
                .doesNotContain("hush");
    }

    @Test
    void refusesHalfOfABucketsSettings() {
        assertThat(refusal(Map.of("s3-bucket", "b", "s3-access-key-id", "id"), Map.of()))
                .isEqualTo("s3-access-key-id and s3-secret-access-key belong together; set both or neither");
        assertThat(refusal(Map.of("s3-bucket", "b"), Map.of("SHEAF_S3_SECRET_ACCESS_KEY", "hush-hush")))
                .contains("belong together")
                .doesNotContain("hush");
        assertThat(refusal(Map.of(), Map.of("SHEAF_S3_ENDPOINT", "https://s3.example.org")))
                .isEqualTo("s3-endpoint has no effect without s3-bucket (environment SHEAF_S3_ENDPOINT)");
        assertThat(refusal(Map.of("s3-redirect-min-bytes", "1"), Map.of()))
                .isEqualTo("s3-redirect-min-bytes has no effect without s3-bucket (flag --s3-redirect-min-bytes)");
        assertThat(refusal(Map.of("s3-bucket", "b", "s3-redirect-min-bytes", "1", "deletion-grace", "PT15M"), Map.of()))
                .startsWith("deletion-grace must be longer than PT15M");
        assertThat(refusal(Map.of("s3-access-key-id", "id", "s3-secret-access-key", "hush-hush"), Map.of()))
                .isEqualTo("s3-access-key-id has no effect without s3-bucket (flag --s3-access-key-id)");
    }

    @Test
    void takesABucketWithTheSdksOwnCredentials() throws Exception {
        assertThat(load(Map.of("s3-bucket", "b", "s3-region", "eu-central-1"), Map.of())
                        .find(Setting.S3_BUCKET))
                .contains("b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://bundles.example.org", "http://localhost:8080", "http://[::1]:8080"})
    void takesPublicAddresses(String url) throws Exception {
        assertThat(load(Map.of("public-url", url), Map.of()).find(Setting.PUBLIC_URL))
                .contains(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://bundles.example.org/", "https://bundles.example.org//"})
    void takesAddressesWithSlashesBehindThem(String url) throws Exception {
        assertThat(load(Map.of("public-url", url), Map.of()).find(Setting.PUBLIC_URL))
                .contains("https://bundles.example.org");
        assertThat(load(Map.of("s3-bucket", "b", "s3-endpoint", url), Map.of()).find(Setting.S3_ENDPOINT))
                .contains("https://bundles.example.org");
    }

    @Test
    void saysWhichFileItCannotRead(@TempDir Path folder) {
        assertThat(refusal(Map.of("config", folder.resolve("none").toString()), Map.of()))
                .contains("the settings file " + folder.resolve("none") + " is missing");
    }

    @Test
    void describesEverySettingWithItsSourceButNoSecret() throws Exception {
        String key = MasterSecret.generate();

        String described = load(Map.of("master-key", key, "port", "1"), Map.of("SHEAF_DATABASE_PASSWORD", "hunter2"))
                .describe();

        assertThat(described).doesNotContain(key, "hunter2").containsPattern("port += 1 +# flag --port");
        assertThat(described).containsPattern("master-key += \\[secret\\] +# flag --master-key");
        assertThat(Setting.values())
                .allSatisfy(setting ->
                        assertThat(described).contains("\n" + setting.key()).contains(setting.meaning()));
    }

    private static Config load(Map<String, String> flags, Map<String, String> environment)
            throws Config.InvalidException {
        return Config.load(flags, environment);
    }

    private static String refusal(Map<String, String> flags, Map<String, String> environment) {
        var thrown = catchThrowableOfType(Config.InvalidException.class, () -> load(flags, environment));
        assertThat(thrown).as("a refusal of " + flags).isNotNull();
        return String.valueOf(thrown.getMessage());
    }

    private static Path file(Path folder, String text) throws IOException {
        return Files.writeString(folder.resolve("sheaf.properties"), text);
    }
}
