package dev.sheaf.server.config;

import dev.sheaf.model.Handle;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Cidr;
import dev.sheaf.server.auth.MasterSecret;
import dev.sheaf.server.http.server.Site;
import dev.sheaf.server.registry.content.Blobs;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;

/// The effective settings: defaults, then the file, the environment and flags, each over the one before. What is
/// unknown or malformed is refused by name, all of it at once.
public final class Config {
    private static final Duration MAX = Duration.ofDays(3_650);
    private static final String SECRET = "[secret]";
    private static final Set<String> OF_OTHERS = Set.of(
            "SHEAF_API_KEY",
            "SHEAF_URL",
            "SHEAF_CONFIG",
            "SHEAF_JAVA_HOME",
            "SHEAF_JAVA_OPTS",
            "SHEAF_CORPUS",
            "SHEAF_CACHE_DIR",
            "SHEAF_DEBUG");

    /// A value and where it came from.
    public record Value(String text, String source) {}

    /// The settings cannot be used; the message lists everything that is wrong.
    public static final class InvalidException extends Exception {
        private static final long serialVersionUID = 1;

        InvalidException(List<String> errors) {
            super(String.join("\n", errors));
        }
    }

    private final Map<Setting, Value> values = new EnumMap<>(Setting.class);
    private final List<String> errors = new ArrayList<>();

    private Config() {
        for (Setting setting : Setting.values()) {
            values.put(setting, new Value(setting.fallback(), "default"));
        }
    }

    /// Reads the settings.
    ///
    /// @param flags key to value, as on the command line; `config` names the file
    /// @throws InvalidException where anything is unknown or malformed
    public static Config load(Map<String, String> flags, Map<String, String> environment) throws InvalidException {
        var config = new Config();
        String file = flags.getOrDefault("config", environment.getOrDefault("SHEAF_CONFIG", ""));
        if (!file.isEmpty()) {
            config.file(Path.of(file));
        }
        environment.forEach(config::variable);
        flags.forEach(config::flag);
        config.check();
        if (!config.errors.isEmpty()) {
            throw new InvalidException(config.errors);
        }
        return config;
    }

    private void file(Path file) {
        var properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            errors.add("the settings file " + file + (Files.exists(file) ? " cannot be read: " + e : " is missing"));
        }
        for (String key : properties.stringPropertyNames()) {
            set(key, properties.getProperty(key), "file " + file, key);
        }
    }

    private void variable(String name, String value) {
        if (name.startsWith("SHEAF_") && !OF_OTHERS.contains(name)) {
            String key =
                    name.substring("SHEAF_".length()).toLowerCase(Locale.ROOT).replace('_', '-');
            set(key, value, "environment " + name, name);
        }
    }

    private void flag(String key, String value) {
        if (!key.equals("config")) {
            set(key, value, "flag --" + key, "--" + key);
        }
    }

    private void set(String key, String text, String source, String spelled) {
        var setting = Setting.find(key);
        if (setting.isPresent()) {
            String stripped = text.strip();
            boolean site = setting.get() == Setting.PUBLIC_URL || setting.get() == Setting.S3_ENDPOINT;
            values.put(setting.get(), new Value(site ? stripped.replaceFirst("/+$", "") : stripped, source));
        } else {
            errors.add("unknown setting " + spelled + "; `sheaf config` lists all of them");
        }
    }

    private void check() {
        numbers();
        durations();
        texts();
        together();
    }

    private void numbers() {
        number(Setting.PORT, 0, 65_535);
        number(Setting.DATABASE_CONNECTIONS, 2, 1_000);
        number(Setting.MAX_LIVE_KEYS, 1, 1_000_000);
        number(Setting.S3_REDIRECT_MIN_BYTES, 0, Long.MAX_VALUE);
        number(Setting.TOKEN_KEY_DAYS, 0, 3_650);
        number(Setting.MAX_BLOB_BYTES, 1, Long.MAX_VALUE);
        number(Setting.MAX_OPEN_UPLOADS, 1, 1_000_000);
        number(Setting.MAX_OPEN_UPLOADS_PER_CREDENTIAL, 1, 1_000_000);
        number(Setting.MAX_ASSET_BYTES, 1, Long.MAX_VALUE);
        number(Setting.MAX_BUNDLE_BYTES, 1, Long.MAX_VALUE);
        number(Setting.MAX_ASSETS, 1, 100_000);
        number(Setting.MAX_MANIFEST_BYTES, 1_024, 64 << 20);
        number(Setting.MAX_README_BYTES, 1, 16 << 20);
        number(Setting.MAX_TEXT_BYTES, 1, 64 << 20);
        number(Setting.MAX_PUSH_BYTES, 1_024, 1 << 30);
        number(Setting.MAX_JSON_BYTES, 1_024, 64 << 20);
        number(Setting.QUOTA_BYTES, 0, Long.MAX_VALUE);
        number(Setting.QUOTA_BUNDLES, 0, Long.MAX_VALUE);
        number(Setting.QUOTA_VERSIONS, 0, Long.MAX_VALUE);
        for (Setting rate : List.of(
                Setting.RATE_ANONYMOUS_READS,
                Setting.RATE_READS,
                Setting.RATE_WRITES,
                Setting.RATE_FAILED_AUTHENTICATIONS)) {
            number(rate, 0, 1_000_000_000);
        }
        number(Setting.MAX_REMEMBERED_REQUESTS, 1, 10_000_000);
        number(Setting.MAX_CONNECTIONS, 0, 60_000);
        number(Setting.MAX_CONNECTIONS_PER_ADDRESS, 0, 60_000);
        number(Setting.MIN_BODY_RATE, 0, 1 << 20);
        number(Setting.MEMORY_BUDGET_BYTES, 0, Long.MAX_VALUE);
        number(Setting.MIN_FREE_BYTES, 0, Long.MAX_VALUE);
        number(Setting.SCRUB_DAYS, 0, 3_650);
        number(Setting.SHUTDOWN_SECONDS, 0, 3_600);
        number(Setting.BACKUP_KEEP, 0, 1_000_000);
    }

    private void durations() {
        duration(Setting.INVITATION_LIFETIME, Duration.ofMinutes(1));
        duration(Setting.SESSION_IDLE, Duration.ofMinutes(1));
        duration(Setting.SESSION_LIFETIME, Duration.ofMinutes(1));
        duration(Setting.API_TIMEOUT, Duration.ZERO);
        duration(Setting.TRANSFER_TIMEOUT, Duration.ofMillis(1));
        duration(Setting.PUSH_LEASE, Duration.ofSeconds(1));
        duration(Setting.GC_INTERVAL, Duration.ZERO);
        duration(Setting.DELETION_GRACE, Duration.ZERO);
        duration(Setting.SWEEP_INTERVAL, Duration.ZERO);
        duration(Setting.STRAY_AGE, Duration.ZERO);
        duration(Setting.STRAY_RETENTION, Duration.ZERO);
        if (!text(Setting.UNTAGGED_RETENTION).equals("forever")) {
            duration(Setting.UNTAGGED_RETENTION, Duration.ZERO);
        }
    }

    private void texts() {
        words();
        addresses();
        secrets();
        parsed(Setting.S3_REGION, "must not be empty", text -> !text.isEmpty());
        parsed(Setting.HOST, "must not be empty", text -> !text.isEmpty());
        parsed(Setting.BOOTSTRAP_ORG, "must be a handle such as acme", text -> isRead(() -> Handle.parse(text)));
    }

    private void words() {
        for (Setting setting : Setting.values()) {
            if (List.of("true", "false").contains(setting.fallback())) {
                oneOf(setting, "true", "false");
            }
        }
        oneOf(Setting.FORWARDED_HEADER, "x-forwarded", "forwarded");
        oneOf(Setting.S3_CHECKSUMS, "auto", "when-supported", "when-required");
        oneOf(Setting.LOG_LEVEL, "error", "warn", "info", "debug", "trace");
    }

    private void addresses() {
        parsed(
                Setting.CORS_ORIGINS,
                "must be * alone, or origins such as https://app.example.org, with commas between them",
                text -> text.equals("*") || list(text).stream().allMatch(origin -> isSiteOrEmpty(origin)));
        for (Setting blocks : List.of(Setting.TRUSTED_PROXIES, Setting.METRICS_READERS)) {
            parsed(
                    blocks,
                    "must be addresses or blocks such as 10.0.0.0/8, with commas between them",
                    text -> list(text).stream().allMatch(block -> isRead(() -> Cidr.parse(block))));
        }
        parsed(
                Setting.OIDC_ISSUER,
                "must begin with https:// or http://",
                text -> text.isEmpty() || text.startsWith("https://") || text.startsWith("http://"));
        parsed(
                Setting.ALLOWED_HOSTS,
                "must be hosts such as bundles.example.org or bundles.example.org:8080, with commas between them",
                text -> list(text).stream().allMatch(Site::isHost));
        parsed(Setting.PUBLIC_URL, "must be http(s)://host[:port] without path", Config::isSiteOrEmpty);
        parsed(Setting.S3_ENDPOINT, "must be http(s)://host[:port] without path", Config::isSiteOrEmpty);
        parsed(
                Setting.TRUSTED_ISSUERS,
                "must be https addresses separated by spaces, or http ones of this machine",
                text -> list(text).stream().allMatch(Config::isIssuer));
        for (Setting database : List.of(Setting.DATABASE_URL, Setting.POSTGRES_LISTEN_URL)) {
            parsed(
                    database,
                    "must begin with jdbc:postgresql:",
                    text -> text.isEmpty() || text.startsWith("jdbc:postgresql:"));
        }
    }

    private void secrets() {
        parsed(
                Setting.MASTER_KEY,
                "must be 32 bytes in base64",
                text -> text.isEmpty() || isRead(() -> MasterSecret.parse(text)));
        parsed(
                Setting.PREVIOUS_MASTER_KEYS,
                "must be keys of 32 bytes in base64, separated by commas",
                text -> text.isEmpty() || isRead(() -> MasterSecret.parseAll(text)));
    }

    /// Settings that mean something only with others: half of a bucket's would quietly store content elsewhere.
    private void together() {
        if (find(Setting.OIDC_ISSUER).isPresent()
                != find(Setting.OIDC_CLIENT_ID).isPresent()) {
            errors.add("oidc-issuer and oidc-client-id come together; set both or neither");
        }
        if (find(Setting.TLS_CERTIFICATE).isPresent() != find(Setting.TLS_KEY).isPresent()) {
            errors.add("tls-certificate and tls-key come together; set both or neither");
        }
        if (find(Setting.S3_ACCESS_KEY_ID).isPresent()
                != find(Setting.S3_SECRET_ACCESS_KEY).isPresent()) {
            errors.add("s3-access-key-id and s3-secret-access-key come together; set both or neither");
        }
        if (find(Setting.POSTGRES_LISTEN_URL).isPresent()
                && find(Setting.DATABASE_URL).isEmpty()) {
            errors.add("postgres-listen-url has no effect without database-url");
        }
        if (find(Setting.S3_BUCKET).isEmpty()) {
            for (Setting setting :
                    List.of(Setting.S3_ENDPOINT, Setting.S3_ACCESS_KEY_ID, Setting.S3_REDIRECT_MIN_BYTES)) {
                if (!text(setting).equals(setting.fallback())) {
                    errors.add(setting.key() + " has no effect without s3-bucket ("
                            + value(setting).source() + ")");
                }
            }
        }
        boolean redirects = errors.isEmpty() && number(Setting.S3_REDIRECT_MIN_BYTES) > 0;
        if (redirects && duration(Setting.DELETION_GRACE).compareTo(Blobs.URL_LIFETIME) <= 0) {
            errors.add("deletion-grace must be longer than " + Blobs.URL_LIFETIME
                    + ", how long a redirect to the bucket works, or s3-redirect-min-bytes 0");
        }
    }

    private static boolean isRead(Runnable parse) {
        try {
            parse.run();
            return true;
        } catch (ProblemException | IllegalArgumentException e) {
            return false;
        }
    }

    /// The entries of a list with commas or spaces between them.
    public static List<String> list(String text) {
        return Arrays.stream(text.split("[,\\s]+"))
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    /// As it stands in tokens (OpenID Connect Core 1.0, section 2). Without TLS whoever sits between could be
    /// anybody.
    private static boolean isIssuer(String text) {
        try {
            var uri = URI.create(text);
            boolean plain = uri.getRawQuery() == null && uri.getRawFragment() == null && uri.getHost() != null;
            boolean local = List.of("localhost", "127.0.0.1", "[::1]").contains(String.valueOf(uri.getHost()));
            return plain && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()) && local);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isSiteOrEmpty(String text) {
        try {
            var uri = URI.create(text);
            boolean site = ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null;
            return text.isEmpty()
                    || site
                            && uri.getRawUserInfo() == null
                            && text.equals(uri.getScheme() + "://" + uri.getRawAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void number(Setting setting, long min, long max) {
        parsed(setting, "must be a number from " + min + " to " + max, text -> {
            try {
                long number = Long.parseLong(text);
                return number >= min && number <= max;
            } catch (NumberFormatException e) {
                return false;
            }
        });
    }

    /// Ten years are enough for everyone, and can be added to any date.
    private void duration(Setting setting, Duration min) {
        parsed(setting, "must be an ISO 8601 duration such as PT10M or P30D, from " + min + " to " + MAX, text -> {
            try {
                var duration = Duration.parse(text);
                return duration.compareTo(min) >= 0 && duration.compareTo(MAX) <= 0;
            } catch (DateTimeParseException e) {
                return false;
            }
        });
    }

    private void oneOf(Setting setting, String... words) {
        parsed(setting, "must be one of " + String.join(", ", words), List.of(words)::contains);
    }

    private void parsed(Setting setting, String rule, Function<String, Boolean> check) {
        var value = value(setting);
        if (!check.apply(value.text())) {
            String shown = setting.isSecret() ? "" : ", not \"" + withoutPassword(value.text()) + "\"";
            errors.add(setting.key() + " " + rule + shown + " (" + value.source() + ")");
        }
    }

    /// An address, such as that of a database, may hold one where it is no place for it.
    private static String withoutPassword(String text) {
        return text.replaceAll("(?i)(password=)[^&\\s]+", "$1" + SECRET)
                .replaceAll("://[^/@\\s]*@", "://" + SECRET + "@");
    }

    public Value value(Setting setting) {
        Value value = values.get(setting);
        if (value == null) {
            throw new IllegalStateException("every setting has a value");
        }
        return value;
    }

    public String text(Setting setting) {
        return value(setting).text();
    }

    /// The text, or empty where the setting is empty.
    public Optional<String> find(Setting setting) {
        return Optional.of(text(setting)).filter(text -> !text.isEmpty());
    }

    public long number(Setting setting) {
        return Long.parseLong(text(setting));
    }

    public Duration duration(Setting setting) {
        return Duration.parse(text(setting));
    }

    public boolean isOn(Setting setting) {
        return text(setting).equals("true");
    }

    public Path dataDir() {
        return Path.of(text(Setting.DATA_DIR)).toAbsolutePath().normalize();
    }

    /// Every setting with its value, secrets hidden, and its source.
    public String describe() {
        var lines = new StringBuilder();
        for (Setting setting : Setting.values()) {
            var value = value(setting);
            boolean hidden = setting.isSecret() && !value.text().isEmpty();
            String shown = hidden ? SECRET : withoutPassword(value.text());
            lines.append(
                    "# %s%n%-21s = %-30s # %s%n".formatted(setting.meaning(), setting.key(), shown, value.source()));
        }
        return lines.toString();
    }
}
