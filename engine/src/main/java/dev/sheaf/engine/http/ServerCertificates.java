package dev.sheaf.engine.http;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server's certificate and key, in PEM files that may be replaced while the server runs. Thread-safe.
public final class ServerCertificates {
    private static final Logger LOG = LoggerFactory.getLogger(ServerCertificates.class);
    private static final Pattern KEY = Pattern.compile(
            "-----BEGIN ((?:RSA |EC )?)PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END (?:RSA |EC )?PRIVATE KEY-----");
    private static final byte[] VERSION = {2, 1, 0};
    private static final List<String> SUITES = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;

    private final Path chain;
    private final Path key;
    private volatile byte[] tried;
    private volatile Current current;

    /// What handshakes use, without and with HTTP/2.
    private record Current(SslContext http1, SslContext http2, Instant end) {}

    /// @throws IllegalArgumentException if the files cannot be used; the message says why
    public ServerCertificates(Path chain, Path key) {
        this.chain = chain;
        this.key = key;
        try {
            this.tried = bytes();
            this.current = load();
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException(said(e), e);
        }
    }

    /// Reads the files if they have changed. Unusable files are logged once, and the previous certificate stays
    /// in use: often only one of the two files has been replaced yet.
    public void reload() {
        try {
            byte[] now = bytes();
            if (!Arrays.equals(now, tried)) {
                tried = now;
                current = load();
                LOG.info("a new certificate is in use, from {}", chain);
            }
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            LOG.error("the new certificate cannot be used; the previous one stays in use: {}", said(e));
        }
    }

    /// Returns the time when the current certificate expires.
    public Instant end() {
        return current.end();
    }

    /// Returns what a handshake that begins now uses.
    ///
    /// @param http2 whether clients may choose HTTP/2
    SslContext context(boolean http2) {
        return http2 ? current.http2() : current.http1();
    }

    private String said(Exception e) {
        return "the certificate " + chain + " with the key " + key + " cannot be used: " + e.getMessage();
    }

    private byte[] bytes() throws IOException {
        byte[] first = Files.readAllBytes(chain);
        byte[] second = Files.readAllBytes(key);
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    private Current load() throws IOException, GeneralSecurityException {
        var certificates = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(chain)))
                .toArray(X509Certificate[]::new);
        if (certificates.length == 0) {
            throw new IllegalArgumentException("the certificate file contains no certificate");
        }
        var secret = privateKey(Files.readString(key, StandardCharsets.ISO_8859_1), certificates[0]);
        checkPair(secret, certificates[0]);
        return new Current(
                context(secret, certificates, List.of(ApplicationProtocolNames.HTTP_1_1)),
                context(
                        secret,
                        certificates,
                        List.of(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1)),
                certificates[0].getNotAfter().toInstant());
    }

    /// Returns TLS with a certificate: versions 1.2 and 1.3, only suites with forward secrecy that HTTP/2 also allows
    /// (RFC 9113, section 9.2.2).
    private static SslContext context(PrivateKey secret, X509Certificate[] chain, List<String> protocols)
            throws SSLException {
        return SslContextBuilder.forServer(secret, chain)
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .ciphers(SUITES, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.FATAL_ALERT,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        protocols))
                .build();
    }

    private static PrivateKey privateKey(String pem, X509Certificate certificate) throws GeneralSecurityException {
        var matcher = KEY.matcher(pem);
        if (!matcher.find()) {
            throw new IllegalArgumentException("the key file contains no private key in PEM format without a password");
        }
        byte[] der = Base64.getMimeDecoder().decode(matcher.group(2));
        byte[] pkcs8 = matcher.group(1).isEmpty() ? der : wrapped(der, certificate);
        return KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
                .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    }

    /// Converts a bare RSA key (PKCS #1) or EC key (RFC 5915) to PKCS #8. The algorithm identifier is copied
    /// from the certificate's public key (RFC 5280, section 4.1).
    private static byte[] wrapped(byte[] der, X509Certificate certificate) {
        var info = ByteBuffer.wrap(certificate.getPublicKey().getEncoded());
        info.get();
        length(info);
        int from = info.position();
        info.get();
        int length = length(info);
        byte[] algorithm = Arrays.copyOfRange(info.array(), from, info.position() + length);
        byte[] octets = element(OCTET_STRING, der);
        return element(
                SEQUENCE,
                ByteBuffer.allocate(VERSION.length + algorithm.length + octets.length)
                        .put(VERSION)
                        .put(algorithm)
                        .put(octets)
                        .array());
    }

    private static int length(ByteBuffer der) {
        int first = der.get() & 0xff;
        int length = first < 0x80 ? first : 0;
        for (int i = first < 0x80 ? 0 : first & 0x7f; i > 0; i--) {
            length = length << 8 | der.get() & 0xff;
        }
        return length;
    }

    private static byte[] element(int tag, byte[] content) {
        byte[] length = BigInteger.valueOf(content.length).toByteArray();
        // a DER length has no sign byte
        int lead = content.length < 0x80 ? 0 : length[0] == 0 ? 1 : 0;
        int bytes = length.length - lead;
        var element = ByteBuffer.allocate(2 + bytes + content.length).put((byte) tag);
        if (content.length >= 0x80) {
            element.put((byte) (0x80 | bytes));
        }
        element.put(length, lead, bytes).put(content);
        return Arrays.copyOf(element.array(), element.position());
    }

    private static void checkPair(PrivateKey secret, X509Certificate certificate) throws GeneralSecurityException {
        String algorithm = switch (secret.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> secret.getAlgorithm();
        };
        var signature = Signature.getInstance(algorithm);
        signature.initSign(secret);
        signature.update(VERSION);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(VERSION);
        if (!signature.verify(signed)) {
            throw new IllegalArgumentException("the key does not belong to the certificate");
        }
    }
}
