package dev.sheaf.client.network;

import dev.sheaf.client.api.SheafException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The certificate authorities that this machine trusts: what an administrator adds there counts for every program.
/// Java
/// has a list of its own and does not read these.
///
/// Immutable and thread-safe.
final class SystemAuthorities {
    /// The variable that names a PEM file in place of the system's, as for OpenSSL, curl and Go.
    static final String VARIABLE = "SSL_CERT_FILE";

    /// Where Linux distributions and BSDs have them; the first that exists is read.
    private static final List<Path> FILES = List.of(
            Path.of("/etc/ssl/certs/ca-certificates.crt"), // Debian, Ubuntu, Arch, Alpine
            Path.of("/etc/pki/tls/certs/ca-bundle.crt"), // Fedora, RHEL
            Path.of("/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"),
            Path.of("/etc/ssl/ca-bundle.pem"), // openSUSE
            Path.of("/etc/ssl/cert.pem"));

    static final SystemAuthorities NONE = new SystemAuthorities(List.of(), List.of());

    private final List<Path> files;
    private final List<String> stores;

    private SystemAuthorities(List<Path> files, List<String> stores) {
        this.files = List.copyOf(files);
        this.stores = List.copyOf(stores);
    }

    static SystemAuthorities of(Map<String, String> environment) {
        return of(environment, FILES, System.getProperty("os.name", ""));
    }

    static SystemAuthorities of(Map<String, String> environment, List<Path> files, String system) {
        var named = named(environment);
        if (named.isPresent()) {
            return new SystemAuthorities(List.of(named.get()), List.of());
        }
        String name = system.toLowerCase(Locale.ROOT);
        if (name.startsWith("mac")) {
            return new SystemAuthorities(List.of(), List.of("KeychainStore-ROOT", "KeychainStore"));
        }
        if (name.startsWith("windows")) {
            return new SystemAuthorities(List.of(), List.of("Windows-ROOT"));
        }
        return new SystemAuthorities(files, List.of());
    }

    /// Returns the file that the environment names.
    static Optional<Path> named(Map<String, String> environment) {
        return Optional.of(environment.getOrDefault(VARIABLE, ""))
                .filter(text -> !text.isBlank())
                .map(Path::of);
    }

    /// Reads them; returns none if there are none, or they cannot be read. A registry that needs them is then
    /// untrusted,
    /// and `sheaf doctor` says why.
    List<Certificate> read() {
        var found = new ArrayList<Certificate>();
        files.stream().filter(Files::isRegularFile).findFirst().ifPresent(file -> {
            try {
                found.addAll(CertificateAuthorities.read(file));
            } catch (SheafException e) {
                // see above
            }
        });
        stores.forEach(name -> found.addAll(store(name)));
        return found;
    }

    /// @param name the type of a store that the JDK has on this system only
    private static List<Certificate> store(String name) {
        var found = new ArrayList<Certificate>();
        try {
            var store = KeyStore.getInstance(name);
            store.load(null, null);
            for (String alias : Collections.list(store.aliases())) {
                @Nullable
                Certificate certificate = store.isCertificateEntry(alias) ? store.getCertificate(alias) : null;
                if (certificate != null) {
                    found.add(certificate);
                }
            }
        } catch (GeneralSecurityException | IOException e) {
            // see read
        }
        return found;
    }
}
