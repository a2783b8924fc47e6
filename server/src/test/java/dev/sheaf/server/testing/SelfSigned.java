package dev.sheaf.server.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A certificate for 127.0.0.1 and for [#NAME], and its key, made by the JDK's keytool.
public record SelfSigned(X509Certificate certificate, PrivateKey key) {
    /// A host that no network has.
    public static final String NAME = "registry.example";

    private static final AtomicInteger COUNT = new AtomicInteger();

    private static final class Shared {
        static final SelfSigned ONE = temporary();

        private static SelfSigned temporary() {
            try {
                Path folder = Files.createTempDirectory("certificate");
                var made = make(folder, "EC");
                try (var files = Files.list(folder)) {
                    for (Path file : files.toList()) {
                        Files.delete(file);
                    }
                }
                Files.delete(folder);
                return made;
            } catch (IOException | GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// Returns the one that all tests of this process share, with a key of the kind EC: keytool takes a second or two.
    public static SelfSigned shared() {
        return Shared.ONE;
    }

    /// @param algorithm RSA, EC or Ed25519
    public static SelfSigned make(Path folder, String algorithm) throws IOException, GeneralSecurityException {
        return make(folder, algorithm, 90);
    }

    /// @param days how long it is valid
    public static SelfSigned make(Path folder, String algorithm, int days)
            throws IOException, GeneralSecurityException {
        Path file = folder.resolve("store-" + COUNT.incrementAndGet());
        var keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        "-genkeypair",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        "secret",
                        "-validity",
                        Integer.toString(days),
                        "-alias",
                        "server",
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=test-" + COUNT.get(),
                        "-ext",
                        "SAN=ip:127.0.0.1,dns:" + NAME)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!Files.exists(file)) {
            throw new IllegalStateException("keytool made nothing: " + said);
        }
        var store = KeyStore.getInstance(file.toFile(), "secret".toCharArray());
        return new SelfSigned((X509Certificate) store.getCertificate("server"), (PrivateKey)
                store.getKey("server", "secret".toCharArray()));
    }

    /// A server's context that shows this.
    public SSLContext showing() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", key, new char[0], new Certificate[] {certificate});
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /// The certificate as PEM.
    public String chain() throws GeneralSecurityException {
        return pem("CERTIFICATE", certificate.getEncoded());
    }

    /// The key as PEM: PKCS #8.
    public String secret() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    /// The key as PEM in the form that is older than PKCS #8.
    ///
    /// @param what RSA or EC
    public String oldSecret(String what) {
        byte[] der = key.getEncoded();
        for (int i = 0; i < der.length - 4; i++) { // PKCS #8 ends in an octet string that holds it
            int length = der[i + 1] == (byte) 0x82 ? (der[i + 2] & 0xff) << 8 | der[i + 3] & 0xff : der[i + 1] & 0xff;
            int from = i + (der[i + 1] == (byte) 0x82 ? 4 : der[i + 1] == (byte) 0x81 ? 3 : 2);
            int end = der[i + 1] == (byte) 0x81 ? from + (der[i + 2] & 0xff) : from + length;
            if (der[i] == 4 && end == der.length && der[from] == 0x30) {
                return pem(what + " PRIVATE KEY", Arrays.copyOfRange(der, from, end));
            }
        }
        throw new IllegalStateException("no PKCS #8");
    }

    /// A client's context that trusts nothing but this.
    public SSLContext trusting() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("server", certificate);
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    static String pem(String what, byte[] der) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + what
                + "-----\n";
    }
}
