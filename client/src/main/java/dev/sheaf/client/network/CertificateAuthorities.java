package dev.sheaf.client.network;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.Disk;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
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
            throw Disk.failed(
                    "cannot read the file of certificate authorities " + pem + " (--ca-file, SHEAF_CA_FILE)", e);
        } catch (GeneralSecurityException e) {
            throw unusable(pem, "it contains something other than certificates in PEM", e);
        }
    }

    private static SheafException unusable(Path pem, String why, @Nullable Exception cause) {
        return new SheafException.Local(
                "the file of certificate authorities " + pem + " (--ca-file, SHEAF_CA_FILE) cannot be used: " + why,
                cause);
    }

    /// Returns a context that trusts Java's authorities and these.
    static SSLContext trusting(List<X509Certificate> others) {
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (var trust : managers(null).getTrustManagers()) {
                if (trust instanceof X509TrustManager manager) {
                    for (var certificate : manager.getAcceptedIssuers()) {
                        store.setCertificateEntry("java-" + count++, certificate);
                    }
                }
            }
            for (var certificate : others) {
                store.setCertificateEntry("own-" + count++, certificate);
            }
            var context = SSLContext.getInstance("TLS");
            context.init(null, managers(store).getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new SheafException.Local("Java's own certificate authorities cannot be read: " + e.getMessage(), e);
        }
    }

    private static TrustManagerFactory managers(@Nullable KeyStore store) throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }
}
