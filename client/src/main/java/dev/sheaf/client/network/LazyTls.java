package dev.sheaf.client.network;

import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/// The JDK's TLS, created at the first connection that needs it. By default the JDK's HTTP client creates it
/// immediately: this reads all certificate authorities and takes longer than a request to a registry without
/// TLS. Thread-safe.
final class LazyTls extends SSLContextSpi {
    private LazyTls() {}

    /// Returns a context that later delegates to [SSLContext#getDefault].
    static SSLContext context() {
        return new SSLContext(new LazyTls(), null, "TLS") {};
    }

    private static SSLContext tls() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
            throws KeyManagementException {
        throw new KeyManagementException("the default cannot be initialized");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        return tls().getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        return tls().getServerSocketFactory();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
        return tls().createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
        return tls().createSSLEngine(host, port);
    }

    /// Returns empty parameters; engines start with the parameters of their own context.
    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
        return new SSLParameters();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        return tls().getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        return tls().getClientSessionContext();
    }
}
