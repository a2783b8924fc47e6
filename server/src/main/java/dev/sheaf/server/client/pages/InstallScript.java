package dev.sheaf.server.client.pages;

import dev.sheaf.server.client.ClientArchives;
import dev.sheaf.server.client.ClientArchives.Kind;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.ShellQuoting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/// The script that installs the client of this registry for one user.
final class InstallScript {
    private static final String TEXT = read();

    private InstallScript() {}

    /// Returns the script.
    ///
    /// @param base the address of this registry, without a trailing slash
    static String of(ClientArchives.Set all, String base) {
        var archive = all.of(Kind.TAR);
        return TEXT.replace("@SHA256@", archive.digest().hex())
                .replace("@VERSION@", ShellQuoting.quote(all.version()))
                .replace("@SIZE@", "'" + PageFormat.size(archive.length()) + "'")
                .replace("@WITH_JAVA@", withJava(all))
                .replace("@URL@", ShellQuoting.quote(base));
    }

    /// Returns the cases of a shell for each system whose archive has Java.
    private static String withJava(ClientArchives.Set all) {
        return all.every(Kind.WITH_JAVA).stream()
                .map(archive -> archive.system() + ") archive=" + ShellQuoting.quote(archive.name()) + " sha256="
                        + archive.digest().hex() + " size='" + PageFormat.size(archive.length()) + "' ;;\n      ")
                .collect(Collectors.joining());
    }

    private static String read() {
        try (var in = InstallScript.class.getResourceAsStream("install.sh")) {
            if (in == null) {
                throw new IllegalStateException("the program has no install.sh");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
