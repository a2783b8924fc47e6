package dev.sheaf.client.network;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// TLS, created at the first connection that needs it. By default the JDK's HTTP client creates it
/// immediately: this reads all certificate authorities and takes longer than a request to a registry without
/// TLS. Thread-safe.
final class LazyTls extends SSLContextSpi {
    private final Supplier<SSLContext> maker;
    private @Nullable SSLContext made;

    private LazyTls(Supplier<SSLContext> maker) {
        this.maker = maker;
    }

    /// Returns a context that later delegates to the one that `maker` then makes.
    static SSLContext context(Supplier<SSLContext> maker) {
        return new SSLContext(new LazyTls(maker), null, "TLS") {};
    }

    private synchronized SSLContext tls() {
        var known = made;
        if (known == null) {
            known = maker.get();
            made = known;
        }
        return known;
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
