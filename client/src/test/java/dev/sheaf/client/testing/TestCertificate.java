package dev.sheaf.client.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A server certificate, created by the JDK's keytool.
///
/// @param store as PKCS #12, with the password `secret`
/// @param pem the certificate to trust: the server's own, or that of its authority
public record TestCertificate(Path store, Path pem) {
    /// @param names such as `ip:127.0.0.1` or `dns:registry.test`
    public static TestCertificate make(Path folder, String names) throws IOException, GeneralSecurityException {
        Path store = folder.resolve("store-" + Math.abs(names.hashCode()) + ".p12");
        keytool(store, "server", "-ext", "SAN=" + names);
        return new TestCertificate(store, pem(store, "server"));
    }

    /// Creates a certificate signed by an authority, whose certificate is `pem`; always the same authority in a
    /// folder.
    ///
    /// @param start such as `-3d`
    /// @param days of validity
    public static TestCertificate signed(Path folder, String names, String start, int days)
            throws IOException, GeneralSecurityException {
        Path store = folder.resolve("signed-" + Math.abs(names.hashCode()) + start + ".p12");
        Path authority = folder.resolve("authority.p12");
        if (!Files.exists(authority)) {
            keytool(authority, "ca", "-ext", "bc:c");
        }
        Files.copy(authority, store);
        keytool(store, "server", "-ext", "SAN=" + names, "-signer", "ca", "-startdate", start, "-validity", "" + days);
        return new TestCertificate(store, pem(store, "ca"));
    }

    private static void keytool(Path store, String alias, String... more) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair"));
        command.addAll(List.of("-keystore", store.toString(), "-storepass", "secret", "-alias", alias));
        command.addAll(List.of("-keyalg", "EC", "-dname", "CN=tiny-" + alias));
        command.addAll(List.of(more));
        var keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!Files.exists(store)) {
            throw new IllegalStateException("keytool made nothing: " + said);
        }
    }

    private static Path pem(Path store, String alias) throws IOException, GeneralSecurityException {
        byte[] der = open(store).getCertificate(alias).getEncoded();
        return Files.writeString(
                store.resolveSibling(store.getFileName() + ".pem"),
                "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(der)
                        + "\n-----END CERTIFICATE-----\n");
    }

    private static KeyStore open(Path store) throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(store.toFile(), "secret".toCharArray());
    }

    /// Returns a context for a server with this certificate.
    public SSLContext server() throws IOException, GeneralSecurityException {
        var own = open(store);
        own.deleteEntry("ca");
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, "secret".toCharArray());
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
