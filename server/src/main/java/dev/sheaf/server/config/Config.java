package dev.sheaf.server.config;

import dev.sheaf.server.registry.content.Blobs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The effective settings: defaults, overridden by the file, the environment and the flags, in this order. Unknown
/// or malformed settings are refused by name, all in one message.
public final class Config {
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

    /// A value and its source.
    public record Value(String text, String source) {}

    /// Thrown if the settings are invalid. The message lists every error.
    public static final class InvalidException extends Exception {
        private static final long serialVersionUID = 1;

        InvalidException(List<String> errors) {
            super(String.join("\n", errors));
        }
    }

    private final Map<String, String> flags;
    private final Map<String, String> environment;
    private final Map<Setting, Value> values = new EnumMap<>(Setting.class);
    private final List<String> errors = new ArrayList<>();

    private Config(Map<String, String> flags, Map<String, String> environment) {
        this.flags = Map.copyOf(flags);
        this.environment = Map.copyOf(environment);
        for (Setting setting : Setting.values()) {
            values.put(setting, new Value(setting.fallback(), "default"));
        }
    }

    /// Reads the settings.
    ///
    /// @param flags key to value, as on the command line; `config` names the file
    /// @throws InvalidException if anything is unknown or malformed
    public static Config load(Map<String, String> flags, Map<String, String> environment) throws InvalidException {
        return load(flags, environment, Files::newBufferedReader);
    }

    private interface Opening {
        Reader open(Path file) throws IOException;
    }

    private static Config load(Map<String, String> flags, Map<String, String> environment, Opening opening)
            throws InvalidException {
        var config = new Config(flags, environment);
        config.source().ifPresent(file -> config.file(file, opening));
        environment.forEach(config::variable);
        flags.forEach(config::flag);
        config.check();
        if (!config.errors.isEmpty()) {
            throw new InvalidException(config.errors);
        }
        return config;
    }

    /// Returns the settings with another content of the file, and the same environment and flags.
    ///
    /// @throws InvalidException if anything is now unknown or malformed
    public Config again(byte[] content) throws InvalidException {
        return load(
                flags,
                environment,
                file -> new InputStreamReader(new ByteArrayInputStream(content), StandardCharsets.UTF_8.newDecoder()));
    }

    /// Returns the file that the settings come from, if any.
    public Optional<Path> source() {
        String file = flags.getOrDefault("config", environment.getOrDefault("SHEAF_CONFIG", ""));
        return file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file));
    }

    private void file(Path file, Opening opening) {
        var properties = new Properties();
        String content = "";
        try (Reader reader = opening.open(file)) {
            content = reader.readAllAsString();
            properties.load(new StringReader(content));
        } catch (IOException | IllegalArgumentException e) {
            errors.add("the settings file " + file
                    + (Files.exists(file)
                            ? " cannot be read: " + FileFailure.words(e)
                            : " is missing; create it, or name another with --config"));
        }
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            String spelled = Setting.find(key).isPresent() ? key : key + " in " + file + line(content, key);
            set(key, properties.getProperty(key), "file " + file, spelled);
        }
    }

    /// Returns the number of the line that sets a key; empty if it cannot be found, as with escapes in the
    /// key.
    private static String line(String content, String key) {
        var set = Pattern.compile("\\s*" + Pattern.quote(key) + "\\s*(?:[=:\\s].*|$)");
        var lines = content.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (set.matcher(lines.get(i)).matches()) {
                return ", line " + (i + 1);
            }
        }
        return "";
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
        values.forEach((setting, value) -> {
            if (!setting.rule().holds().test(value.text())) {
                String shown = setting.isSecret() ? "" : ", not \"" + withoutPassword(value.text()) + "\"";
                errors.add(setting.key() + " " + setting.rule().words() + shown + " (" + value.source() + ")");
            }
        });
        together();
    }

    /// Checks settings that only make sense together. With half of the bucket's settings, content would
    /// silently be stored elsewhere.
    private void together() {
        if (find(Setting.OIDC_ISSUER).isPresent()
                != find(Setting.OIDC_CLIENT_ID).isPresent()) {
            errors.add("oidc-issuer and oidc-client-id belong together; set both or neither");
        }
        if (find(Setting.TLS_CERTIFICATE).isPresent() != find(Setting.TLS_KEY).isPresent()) {
            errors.add("tls-certificate and tls-key belong together; set both or neither");
        }
        if (find(Setting.S3_ACCESS_KEY_ID).isPresent()
                != find(Setting.S3_SECRET_ACCESS_KEY).isPresent()) {
            errors.add("s3-access-key-id and s3-secret-access-key belong together; set both or neither");
        }
        if (find(Setting.POSTGRES_LISTEN_URL).isPresent()
                && find(Setting.DATABASE_URL).isEmpty()) {
            errors.add("postgres-listen-url has no effect without database-url");
        }
        if (find(Setting.TRACE_HEADERS).isPresent()
                && find(Setting.TRACE_ENDPOINT).isEmpty()) {
            errors.add("trace-headers has no effect without trace-endpoint");
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
                    + ", the lifetime of a redirect to the bucket; otherwise set s3-redirect-min-bytes to 0");
        }
    }

    /// Returns the entries of a list separated by commas or white space.
    public static List<String> list(String text) {
        return Arrays.stream(text.split("[,\\s]+"))
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    /// Hides passwords in addresses, such as the address of a database. They do not belong there, but people
    /// write them.
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

    /// Returns the text, or empty if the setting is empty.
    public Optional<String> find(Setting setting) {
        return Optional.of(text(setting)).filter(text -> !text.isEmpty());
    }

    public long number(Setting setting) {
        return Long.parseLong(text(setting));
    }

    /// Returns the value of a setting from 0 to 1.
    public double share(Setting setting) {
        return Double.parseDouble(text(setting));
    }

    public Duration duration(Setting setting) {
        return Duration.parse(text(setting));
    }

    /// Returns a retention time; empty if it is `forever`.
    public Optional<Duration> retention(Setting setting) {
        return Optional.of(text(setting))
                .filter(text -> !text.equals("forever"))
                .map(Duration::parse);
    }

    public boolean isOn(Setting setting) {
        return text(setting).equals("true");
    }

    public Path dataDir() {
        return Path.of(text(Setting.DATA_DIR)).toAbsolutePath().normalize();
    }

    /// Returns the value of a setting as it may be shown, without secrets.
    public String shown(Setting setting) {
        String text = text(setting);
        return setting.isSecret() && !text.isEmpty() ? SECRET : withoutPassword(text);
    }

    /// Returns every setting with its value and its source; secrets are hidden.
    public String describe() {
        var lines = new StringBuilder();
        for (Setting setting : Setting.values()) {
            var value = value(setting);
            lines.append("# %s%n%-21s = %-30s # %s%n"
                    .formatted(setting.meaning(), setting.key(), shown(setting), value.source()));
        }
        return lines.toString();
    }
}
