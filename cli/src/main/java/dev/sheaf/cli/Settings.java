package dev.sheaf.cli;

import dev.sheaf.client.RegistryUrl;
import dev.sheaf.client.SheafException;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;

/// The user's settings: `config.properties` in the user's config folder. The one key is `url`.
final class Settings {
    private static final String URL = "url";

    private final Path file;

    Settings(Path folder) {
        this.file = folder.resolve("config.properties");
    }

    Path file() {
        return file;
    }

    Optional<String> url() {
        return Optional.ofNullable(read().getProperty(URL));
    }

    /// Remembers the address; other settings stay.
    void remember(RegistryUrl url) {
        var properties = read();
        properties.setProperty(URL, url.toString());
        var text = new StringWriter();
        try {
            properties.store(text, null);
            Files.createDirectories(file.toAbsolutePath().getParent());
            Path fresh = Files.createTempFile(file.toAbsolutePath().getParent(), ".config", "");
            Files.writeString(fresh, text.toString());
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new SheafException.Local("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private Properties read() {
        var properties = new Properties();
        try {
            properties.load(new StringReader(Files.readString(file)));
        } catch (NoSuchFileException e) {
            // nothing is set
        } catch (IOException | IllegalArgumentException e) {
            throw new SheafException.Local("cannot read " + file + ": " + e.getMessage(), e);
        }
        return properties;
    }
}
