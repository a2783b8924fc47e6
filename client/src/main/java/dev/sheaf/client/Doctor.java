package dev.sheaf.client;

import dev.sheaf.client.api.Directories;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.credentials.CredentialPlace;
import dev.sheaf.client.credentials.Credentials;
import dev.sheaf.client.http.ErrorResponses;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.network.CertificateAuthorities;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.client.network.NoProxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks everything that a client needs, one thing at a time. Problems are results, not exceptions.
public final class Doctor {
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final String CATALOG = "ai-catalog";
    private static final int LARGEST_CATALOG = 16 << 20; // bytes

    /// The largest clock difference that still works for tokens (RFC 7519, section 4.1.4, allows "a few
    /// minutes").
    private static final Duration MOST_SKEW = Duration.ofMinutes(1);

    /// The result of a check.
    public enum State {
        OK,
        /// It works, but could be improved.
        WARNING,
        FAILED
    }

    /// @param name a stable name for programs
    /// @param detail a sentence for people, without secrets
    /// @param next the next step for the user; null if there is nothing to do
    public record Check(
            String name,
            State state,
            String detail,
            @Nullable String next) {
        static Check ok(String name, String detail) {
            return new Check(name, State.OK, detail, null);
        }

        static Check warning(String name, String detail, @Nullable String next) {
            return new Check(name, State.WARNING, detail, next);
        }

        static Check failed(String name, String detail, String next) {
            return new Check(name, State.FAILED, detail, next);
        }
    }

    private final RegistryUrl registry;
    private final NetworkSettings network;
    private final Credentials credentials;
    private final Directories directories;
    private final Path cache;

    /// @param credentials the credentials for `registry`
    /// @param cache the cache folder, which need not exist
    public Doctor(
            RegistryUrl registry,
            NetworkSettings network,
            Credentials credentials,
            Directories directories,
            Path cache) {
        this.registry = registry;
        this.network = network;
        this.credentials = credentials;
        this.directories = directories;
        this.cache = cache;
    }

    /// Runs all checks, always in the same order.
    public List<Check> run() {
        var checks = new ArrayList<Check>();
        checks.add(proxy());
        checks.add(certificates());
        connection(checks);
        checks.add(
                checks.stream().noneMatch(check -> check.name().equals("connection") && check.state() == State.FAILED)
                        ? catalog()
                        : Check.warning(CATALOG, "not checked, because the registry was not reached", null));
        credential(checks);
        checks.add(keyring());
        checks.add(docker());
        checks.add(FolderChecks.cache(cache));
        checks.add(FolderChecks.folder("data", directories.data()));
        checks.add(FolderChecks.folder("settings", directories.config()));
        checks.addFirst(versions(checks));
        return checks;
    }

    /// Reports the versions. The registry reports its version only to callers with a key.
    private Check versions(List<Check> others) {
        String own = "sheaf " + RegistryTransport.version() + ", Java " + Runtime.version();
        boolean known = others.stream().anyMatch(check -> check.name().equals("identity") && check.state() == State.OK);
        return Check.ok("versions", own + (known ? ", the registry " + there() : ""));
    }

    private String there() {
        try (var client = client()) {
            String version = client.me().serverVersion();
            return version == null ? "does not report its version" : ErrorResponses.showable(version);
        } catch (SheafException.Cancelled e) {
            throw e;
        } catch (SheafException e) {
            return "does not report its version";
        }
    }

    private SheafClient client() {
        return SheafClient.of(registry)
                .bearer(credentials.bearer().orElse(null))
                .network(network)
                .cache(cache)
                .pause(wait -> {})
                .open();
    }

    private Check proxy() {
        try {
            return Check.ok(
                    "proxy", network.describedProxy(registry.at("/")).orElse("none: the registry is reached directly"));
        } catch (SheafException e) {
            return Check.failed("proxy", String.valueOf(e.getMessage()), "correct the variable");
        }
    }

    private Check certificates() {
        try {
            String own = network.authorities()
                    .map(file -> " and " + CertificateAuthorities.read(file).size() + " of " + file)
                    .orElse("");
            var unreadable = network.unreadableSystemFile();
            if (unreadable.isPresent()) {
                return Check.warning(
                        "certificates",
                        "the file " + unreadable.get() + " (SSL_CERT_FILE) cannot be read, so that only Java's"
                                + " certificate authorities are trusted" + own,
                        "correct the variable, or unset it");
            }
            if (registry.scheme().equals("https") || NoProxy.isLoopback(registry.host())) {
                return Check.ok(
                        "certificates", "trusted: the certificate authorities of Java and of this system" + own);
            }
            return Check.warning(
                    "certificates",
                    registry
                            + " does not use https: others on the network can read everything that is sent, including the key",
                    "use the https:// address of the registry, or ask its operator to set up a certificate");
        } catch (SheafException e) {
            return Check.failed(
                    "certificates",
                    String.valueOf(e.getMessage()),
                    "set it to a file of certificates in PEM, or unset it");
        }
    }

    private void connection(List<Check> checks) {
        Instant before = Instant.now();
        URI uri = registry.at("/health/ready");
        try (var transport = RegistryTransport.anonymous(registry, network)) {
            var answer = transport.attempt(HttpCall.get(uri).answeredWithin(WAIT));
            var took = Duration.between(before, Instant.now());
            checks.add(Check.ok("connection", registry + " answered in " + took.toMillis() + " ms"));
            checks.add(clock(answer.header("Date").orElse(null), before.plus(took.dividedBy(2))));
        } catch (SheafException.Cancelled e) {
            throw e;
        } catch (SheafException.Network | SheafException.Local e) {
            checks.add(Check.failed(
                    "connection",
                    String.valueOf(e.getMessage()),
                    e instanceof SheafException.Network network && network.isLasting()
                            ? "fix this first; until then, nothing is sent to the registry"
                            : "check that it is running, and that the address is right (--url, SHEAF_URL)"));
            checks.add(Check.warning("clock", "not checked, because the registry was not reached", null));
        } catch (SheafException e) {
            checks.add(Check.failed(
                    "connection",
                    registry + " answers at " + uri.getPath() + ": " + e.getMessage(),
                    "it is not ready, or not Sheaf: check the address (--url, SHEAF_URL), or ask its operator"));
            checks.add(Check.warning("clock", "not checked", null));
        }
    }

    /// Tells whether the registry has an AI Catalog, and if not, why. A registry without one works as well.
    private Check catalog() {
        URI uri = registry.at("/.well-known/ai-catalog.json");
        try (var transport = RegistryTransport.anonymous(registry, network)) {
            transport.attemptBytes(HttpCall.get(uri).answeredWithin(WAIT), LARGEST_CATALOG);
            return Check.ok(CATALOG, "on, at " + uri);
        } catch (SheafException.NotFound e) {
            return Check.ok(CATALOG, "off: " + e.getMessage());
        } catch (SheafException.Cancelled e) {
            throw e;
        } catch (SheafException e) {
            return Check.warning(CATALOG, "cannot be read: " + e.getMessage(), null);
        }
    }

    /// Compares the clocks. The date of a response is in whole seconds, so half a second is added.
    static Check clock(@Nullable String date, Instant here) {
        if (date == null) {
            return Check.warning("clock", "the registry does not report its time", null);
        }
        try {
            Instant there = DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
            long seconds =
                    Math.round(Duration.between(there.plusMillis(500), here).toMillis() / 1000.0);
            String detail = Math.abs(seconds) <= 2 // the network may take that long
                    ? "agrees with the registry's clock"
                    : "is " + Math.abs(seconds) + " s " + (seconds > 0 ? "ahead of" : "behind")
                            + " the registry's clock";
            return Math.abs(seconds) > MOST_SKEW.toSeconds()
                    ? Check.warning(
                            "clock",
                            detail,
                            "set the clock of this machine, or ask the operator of the registry to set its clock")
                    : Check.ok("clock", detail);
        } catch (DateTimeException e) {
            return Check.warning("clock", "the time that the registry reports is malformed", null);
        }
    }

    /// Checks the credential in use, lists the other places, and asks the registry for the credential's owner.
    private void credential(List<Check> checks) {
        var places = credentials.survey();
        var first = places.stream()
                .filter(place ->
                        place.state() == CredentialPlace.State.USED || place.state() == CredentialPlace.State.UNUSABLE)
                .findFirst();
        boolean broken = first.filter(place -> place.state() == CredentialPlace.State.UNUSABLE)
                .isPresent();
        checks.add(first.map(place -> broken
                        ? Check.failed(
                                "credential",
                                place.detail(),
                                "fix this, or log in again: sheaf login --url " + registry)
                        : Check.ok("credential", "from " + place.detail()))
                .orElseGet(() -> Check.warning(
                        "credential",
                        "no key in " + Credentials.VARIABLE
                                + ", the keyring, the file or docker's configuration; only public bundles can be"
                                + " read",
                        "to log in: sheaf login --url " + registry)));
        for (var place : places) {
            boolean unused = place.state() == CredentialPlace.State.UNUSABLE;
            String detail =
                    place.name() + ": " + (place.state() == CredentialPlace.State.USED ? "in use" : place.detail());
            checks.add(
                    unused
                            ? Check.warning("credential-" + word(place), detail, "fix it, or remove it")
                            : Check.ok("credential-" + word(place), detail));
        }
        checks.add(
                first.isPresent() && !broken
                        ? identity()
                        : Check.warning("identity", "not checked, because there is no key", null));
    }

    private static String word(CredentialPlace place) {
        return switch (place.name()) {
            case Credentials.VARIABLE -> "variable";
            default -> place.name().replaceFirst("^the ", "").replaceFirst("'.*", "");
        };
    }

    private Check identity() {
        try (var client = client()) {
            var identity = client.whoAmI();
            var owner = identity.organization();
            return Check.ok(
                    "identity",
                    ErrorResponses.showable(identity.credentialName())
                            + (owner == null ? "" : " of " + ErrorResponses.showable(owner.name())));
        } catch (SheafException.Unauthenticated e) {
            return Check.failed(
                    "identity",
                    String.valueOf(e.getMessage()),
                    "the registry does not accept this key; log in again: sheaf login --url " + registry);
        } catch (SheafException.Cancelled e) {
            throw e;
        } catch (SheafException e) {
            return Check.failed("identity", String.valueOf(e.getMessage()), "see the check of the connection");
        }
    }

    private Check keyring() {
        return credentials
                .keychain()
                .unavailable()
                .map(why -> Check.warning(
                        "keyring", why + "; sheaf login stores the key in a file that only you can read", null))
                .orElseGet(() -> Check.ok("keyring", "available"));
    }

    private Check docker() {
        var docker = credentials.dockers();
        return docker.damage()
                .map(why -> Check.warning("docker", why + ", so it is not used", "docker login creates a new one"))
                .orElseGet(() -> Check.ok("docker", docker.exists() ? docker.place() : "docker is not configured"));
    }
}
