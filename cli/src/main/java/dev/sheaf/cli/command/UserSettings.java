package dev.sheaf.cli.command;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DiskFailures;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

/// The user's settings: `config.properties` in the user's config folder. Its only key is `url`.
public final class UserSettings {
    private static final Pattern URL_LINE = Pattern.compile("(?m)^\\s*url\\s*[=:].*(?:\\R|\\z)");

    private final Path folder;
    private final Path file;

    UserSettings(Path folder) {
        this.folder = folder;
        this.file = folder.resolve("config.properties");
    }

    Optional<String> url() {
        var properties = new Properties();
        try {
            properties.load(new StringReader(read()));
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + file, e);
        } catch (IllegalArgumentException e) {
            throw new SheafException.Local("cannot read " + file + ": " + e.getMessage(), e);
        }
        return Optional.ofNullable(properties.getProperty("url"));
    }

    /// Remembers the address; other lines stay as they are.
    public void remember(RegistryUrl url) {
        try {
            String others = URL_LINE.matcher(read()).replaceAll("");
            String end = others.isEmpty() || others.endsWith("\n") ? "" : "\n";
            Files.createDirectories(folder);
            Path fresh = Files.createTempFile(folder, ".config", "");
            Files.writeString(fresh, others + end + "url=" + url + "\n");
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot write " + file, e);
        }
    }

    /// The path of the file.
    @Override
    public String toString() {
        return file.toString();
    }

    private String read() throws IOException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            return "";
        }
    }
}
