package dev.sheaf.server.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// The TLS of this server: versions 1.2 and 1.3, only suites with forward secrecy that HTTP/2 also allows (RFC
/// 9113, section 9.2.2), and the current certificate for each handshake. The HTTP library supports none of this
/// for sockets, and leaves the TCP connection open after TLS has ended. So this context creates its own
/// sockets.
final class ServerTls extends SSLContext {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private ServerTls(SSLContext context) {
        super(new Spi(context), context.getProvider(), context.getProtocol());
    }

    static SSLContext of(Certificates certificates) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new Current(certificates)}, new TrustManager[0], new SecureRandom());
            return new ServerTls(context);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no TLS", e);
        }
    }

    private static boolean isGood(String suite) {
        return suite.startsWith("TLS_AES_")
                || suite.startsWith("TLS_CHACHA20_")
                || suite.startsWith("TLS_ECDHE_") && (suite.contains("_GCM_") || suite.contains("_CHACHA20_"));
    }

    private static final class Spi extends SSLContextSpi {
        private final SSLContext to;

        Spi(SSLContext to) {
            this.to = to;
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
                throws KeyManagementException {
            throw new KeyManagementException("already initialized");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return new Sockets(to.getSocketFactory());
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return to.getServerSocketFactory();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return to.createSSLEngine();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return to.createSSLEngine(host, port);
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return to.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return to.getClientSessionContext();
        }
    }

    /// Creates sockets over accepted connections only.
    private static final class Sockets extends SSLSocketFactory {
        private final SSLSocketFactory to;
        private final String[] suites;

        Sockets(SSLSocketFactory to) {
            this.to = to;
            this.suites = Arrays.stream(to.getDefaultCipherSuites())
                    .filter(ServerTls::isGood)
                    .toArray(String[]::new);
        }

        @Override
        public Socket createSocket(Socket accepted, @Nullable InputStream consumed, boolean autoClose)
                throws IOException {
            var socket = (SSLSocket) to.createSocket(accepted, consumed, true);
            var parameters = socket.getSSLParameters();
            parameters.setProtocols(PROTOCOLS);
            parameters.setCipherSuites(suites);
            parameters.setUseCipherSuitesOrder(true);
            socket.setSSLParameters(parameters);
            return socket;
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return suites.clone();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return suites.clone();
        }

        @Override
        public Socket createSocket(Socket socket, String host, int port, boolean autoClose) {
            throw outgoing();
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw outgoing();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
            throw outgoing();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw outgoing();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
            throw outgoing();
        }

        private static UnsupportedOperationException outgoing() {
            return new UnsupportedOperationException("for server sockets only");
        }
    }

    /// Uses the current certificate for each handshake.
    private static final class Current extends X509ExtendedKeyManager {
        private final Certificates certificates;

        Current(Certificates certificates) {
            this.certificates = certificates;
        }

        @Override
        public @Nullable String chooseServerAlias(
                String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return certificates.keyManager().chooseServerAlias(type, issuers, socket);
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return certificates.keyManager().chooseEngineServerAlias(type, issuers, engine);
        }

        @Override
        public X509Certificate @Nullable [] getCertificateChain(String alias) {
            return certificates.keyManager().getCertificateChain(alias);
        }

        @Override
        public @Nullable PrivateKey getPrivateKey(String alias) {
            return certificates.keyManager().getPrivateKey(alias);
        }

        @Override
        public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
            return certificates.keyManager().getServerAliases(type, issuers);
        }

        @Override
        public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseClientAlias(
                String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }
    }
}
