package dev.sheaf.client.network;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DiskFailures;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Certificate authorities that are trusted in addition to Java's. Java's authorities come from its own file or
/// from `-Djavax.net.ssl.trustStore`.
public final class CertificateAuthorities {
    /// The limit in bytes. The file of a whole distribution has about 250 KiB.
    private static final int LONGEST = 4 << 20;

    private CertificateAuthorities() {}

    /// Reads the certificates of a PEM file.
    ///
    /// @throws SheafException.Local if it is unreadable or contains no certificate
    public static List<X509Certificate> read(Path pem) {
        try (var in = Files.newInputStream(pem)) {
            byte[] bytes = in.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                throw unusable(pem, "it is larger than " + LONGEST + " bytes", null);
            }
            var found = new ArrayList<X509Certificate>();
            for (var certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bytes))) {
                found.add((X509Certificate) certificate);
            }
            if (found.isEmpty()) {
                throw unusable(pem, "it contains no certificate in PEM", null);
            }
            return List.copyOf(found);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read the file of certificate authorities " + pem, e);
        } catch (GeneralSecurityException e) {
            throw unusable(pem, "it contains something other than certificates in PEM", e);
        }
    }

    private static SheafException unusable(Path pem, String why, @Nullable Exception cause) {
        return new SheafException.Local(
                "the file of certificate authorities " + pem + " cannot be used: " + why, cause);
    }

    /// Returns a context that trusts Java's authorities and these, or else the system's.
    static SSLContext trusting(List<X509Certificate> others, SystemAuthorities system) {
        try {
            var first = others.isEmpty() ? manager(null) : manager(withJavas(others));
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustInTurn(first, new FromSystem(system))}, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new SheafException.Local("Java's own certificate authorities cannot be read: " + e.getMessage(), e);
        }
    }

    private static KeyStore withJavas(List<X509Certificate> others) throws GeneralSecurityException, IOException {
        var all = new ArrayList<Certificate>(List.of(manager(null).getAcceptedIssuers()));
        all.addAll(others);
        return store(all);
    }

    private static KeyStore store(List<? extends Certificate> certificates)
            throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int count = 0;
        for (var certificate : certificates) {
            store.setCertificateEntry("authority-" + count++, certificate);
        }
        return store;
    }

    /// @param store null for Java's own
    private static X509ExtendedTrustManager manager(@Nullable KeyStore store) throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        for (var trust : factory.getTrustManagers()) {
            if (trust instanceof X509ExtendedTrustManager manager) {
                return manager;
            }
        }
        throw new GeneralSecurityException("this JDK verifies no certificates");
    }

    /// Reads the system's authorities at the first need.
    private static final class FromSystem implements Supplier<Optional<X509ExtendedTrustManager>> {
        private final SystemAuthorities system;
        private @Nullable Optional<X509ExtendedTrustManager> read;

        private FromSystem(SystemAuthorities system) {
            this.system = system;
        }

        @Override
        public synchronized Optional<X509ExtendedTrustManager> get() {
            var known = read;
            if (known == null) {
                known = make();
                read = known;
            }
            return known;
        }

        private Optional<X509ExtendedTrustManager> make() {
            var certificates = system.read();
            if (certificates.isEmpty()) {
                return Optional.empty(); // which the JDK takes for a bug
            }
            try {
                return Optional.of(manager(store(certificates)));
            } catch (GeneralSecurityException | IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
