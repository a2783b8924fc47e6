package dev.sheaf.client.network;

import java.net.Socket;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Trusts a server that the first of two trusts, or else the second. The second is made when it is asked for the first
/// time: most servers do not need it, and it reads a large file. Thread-safe if both are.
final class TrustInTurn extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager first;
    private final Supplier<Optional<X509ExtendedTrustManager>> second;

    /// @param second is asked at each need; empty if there is none
    TrustInTurn(X509ExtendedTrustManager first, Supplier<Optional<X509ExtendedTrustManager>> second) {
        this.first = first;
        this.second = second;
    }

    private interface Check {
        void by(X509ExtendedTrustManager trust) throws CertificateException;
    }

    private void check(Check check) throws CertificateException {
        try {
            check.by(first);
        } catch (CertificateException e) {
            try {
                check.by(second.get().orElseThrow(() -> e));
            } catch (CertificateException other) {
                throw isUnknown(e) ? other : e; // the other may say more than that nobody vouches for it
            }
        }
    }

    private static boolean isUnknown(CertificateException failure) {
        for (@Nullable Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof CertPathBuilderException) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(trust -> trust.checkServerTrusted(chain, type));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        check(trust -> trust.checkServerTrusted(chain, type, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        check(trust -> trust.checkServerTrusted(chain, type, engine));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        first.checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        first.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        first.checkClientTrusted(chain, type, engine);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return first.getAcceptedIssuers();
    }
}
