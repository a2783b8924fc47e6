package dev.sheaf.client.http;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.network.NetworkSettings;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/// Turns failed connections into exceptions with messages that say what to change.
final class BrokenWays {
    private static final int MOST_CAUSES = 10;
    private static final Pattern WANTS_TLS = Pattern.compile("status line|received no bytes|reset");

    private final RegistryUrl registry;
    private final NetworkSettings network;
    private volatile boolean reached;
    private final AtomicBoolean probed = new AtomicBoolean();

    BrokenWays(RegistryUrl registry, NetworkSettings network) {
        this.registry = registry;
        this.network = network;
    }

    /// Returns the failure of a request to `uri` that received no answer.
    SheafException unreached(URI uri, IOException e) {
        String there = origin(uri);
        if (Thread.currentThread().isInterrupted()) {
            return new SheafException.Cancelled();
        }
        return switch (e) {
            case HttpConnectTimeoutException slow -> cannotConnectInTime(uri, e);
            case ConnectException refused -> cannotConnect(uri, e);
            case HttpTimeoutException slow -> new SheafException.Network(there + " did not answer in time", e);
            case SSLException untrusted -> tls(there, e);
            case IOException plain
            when wantsTls(uri, e) ->
                SheafException.Network.lasting(
                        there + " uses TLS: write its address with https:// instead of http://", e);
            // The JDK's client throws this for heads that are too long and for responses other than HTTP.
            case ProtocolException invalid ->
                new SheafException.Server(there + " sent no valid HTTP response, or one that is too long" + reason(e)
                        + "; check the address: is it right, and should it begin with https://?");
            default -> broken(there, e);
        };
    }

    /// Returns whether the port expects TLS. Such a server closes a plain HTTP connection, or answers something
    /// other than HTTP. The port is probed only once.
    private boolean wantsTls(URI uri, IOException e) {
        return WANTS_TLS.matcher(String.valueOf(e.getMessage())).find()
                && "http".equals(uri.getScheme())
                && network.proxy(uri).isEmpty()
                && probed.compareAndSet(false, true)
                && TlsProbe.speaksTls(uri);
    }

    /// Records that the registry, or a proxy for it, has answered: it is reachable.
    void reached() {
        reached = true;
    }

    /// Returns the failure of a connection attempt that timed out. It is lasting if no request has ever
    /// succeeded: a second attempt would only repeat the same wait.
    private SheafException cannotConnectInTime(URI uri, IOException e) {
        var failure = cannotConnect(uri, e);
        return reached ? failure : SheafException.Network.lasting(failure.getMessage() + " within 10 s", e);
    }

    private SheafException cannotConnect(URI uri, IOException e) {
        String through = network.proxy(uri)
                .map(via -> " through the proxy " + via + " from " + via.variable())
                .orElse("");
        String why = cause(e, UnresolvedAddressException.class).isPresent() ? " (unknown host)" : reason(e);
        return new SheafException.Network("cannot connect to " + origin(uri) + through + why, e);
    }

    /// Returns the failure of a connection in the middle of a response.
    SheafException broken(IOException e) {
        return broken(registry.toString(), e);
    }

    private static SheafException broken(String there, IOException e) {
        return Thread.currentThread().isInterrupted()
                ? new SheafException.Cancelled()
                : new SheafException.Network("the connection to " + there + " broke" + reason(e), e);
    }

    /// Returns the failure for a request to `uri` that a proxy answered with 407.
    SheafException refusedByProxy(URI uri) {
        var via = network.proxy(uri);
        String place = via.map(found -> found.variable()).orElse("https_proxy or http_proxy");
        String proxy = via.map(found -> found + " ").orElse("");
        boolean said = via.filter(found -> found.login() != null).isPresent();
        return SheafException.Network.lasting(
                said
                        ? "the proxy " + proxy + "does not accept the user and password in " + place
                                + "; if they are right, start Java with -Djdk.http.auth.tunneling.disabledSchemes="
                        : "the proxy " + proxy + "requires a user and a password: write them in " + place
                                + " as http://user:password@host:port",
                null);
    }

    private static SheafException tls(String there, IOException e) {
        if (cause(e, CertificateExpiredException.class).isPresent()) {
            return SheafException.Network.lasting(
                    "the certificate of " + there + " has expired; its operator has to renew it (if the clock of this"
                            + " machine is right)",
                    e);
        }
        if (cause(e, CertificateNotYetValidException.class).isPresent()) {
            return SheafException.Network.lasting(
                    "the certificate of " + there + " is not valid yet; check the clock of this machine", e);
        }
        String said = String.valueOf(e.getMessage());
        if (said.contains("No name matching") || said.contains("No subject alternative")) {
            return SheafException.Network.lasting(
                    "the certificate of " + there + " is for another host" + reason(e), e);
        }
        if (cause(e, CertPathValidatorException.class).isPresent() || said.contains("PKIX path")) {
            return SheafException.Network.lasting(
                    "the certificate of " + there + " is not trusted here. If it is from your own authority, name its"
                            + " certificate (PEM) in " + NetworkSettings.CA_VARIABLE,
                    e);
        }
        if (said.contains("SSL message")) {
            return SheafException.Network.lasting(
                    there + " does not use TLS; should its address begin with http://?", e);
        }
        return new SheafException.Network("no secure connection to " + there + reason(e), e);
    }

    private static <T extends Throwable> Optional<T> cause(Throwable failure, Class<T> type) {
        Throwable at = failure;
        for (int i = 0; i < MOST_CAUSES && at != null; i++) {
            if (type.isInstance(at)) {
                return Optional.of(type.cast(at));
            }
            at = at.getCause();
        }
        return Optional.empty();
    }

    private String origin(URI uri) {
        return registry.isOriginOf(uri)
                ? registry.toString()
                : uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? "" : " (" + ErrorResponses.showable(e.getMessage()) + ")";
    }
}
