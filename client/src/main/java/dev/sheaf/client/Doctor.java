package dev.sheaf.client;

import dev.sheaf.model.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Looks at everything that a client needs, one thing at a time, and never fails: what is wrong is a result.
public final class Doctor {
    private static final Duration WAIT = Duration.ofSeconds(10);

    /// A token is refused where clocks differ by more (RFC 7519, 4.1.4 leaves "a few minutes").
    private static final Duration MOST_SKEW = Duration.ofMinutes(1);

    /// How one check went.
    public enum State {
        OK,
        /// It works, and could be better.
        WARNING,
        FAILED
    }

    /// @param name a word that stays the same
    /// @param detail a sentence for people; holds no secret
    public record Check(String name, State state, String detail) {}

    private final RegistryUrl registry;
    private final Credentials credentials;
    private final Directories directories;
    private final Path cache;

    public Doctor(RegistryUrl registry, Credentials credentials, Directories directories, Path cache) {
        this.registry = registry;
        this.credentials = credentials;
        this.directories = directories;
        this.cache = cache;
    }

    /// All checks, always the same ones in the same order.
    public List<Check> run() {
        var checks = new ArrayList<Check>();
        checks.add(ok("versions", "sheaf " + Transport.version() + ", Java " + Runtime.version()));
        connection(checks);
        credential(checks);
        checks.add(cache());
        checks.add(folder("data", directories.data()));
        checks.add(folder("settings", directories.config()));
        return checks;
    }

    private static Check ok(String name, String detail) {
        return new Check(name, State.OK, detail);
    }

    private void connection(List<Check> checks) {
        Instant before = Instant.now();
        try (var http = HttpClient.newBuilder().connectTimeout(WAIT).build()) {
            URI uri = registry.at("/health/ready");
            var answer = http.send(
                    HttpRequest.newBuilder(uri).timeout(WAIT).build(), HttpResponse.BodyHandlers.discarding());
            var took = Duration.between(before, Instant.now());
            boolean ready = answer.statusCode() == 200;
            checks.add(new Check(
                    "connection",
                    ready ? State.OK : State.FAILED,
                    registry
                            + (ready
                                    ? " answered in " + took.toMillis() + " ms"
                                    : " says " + answer.statusCode() + " at " + uri.getPath()
                                            + ": it is not ready, or is no Sheaf")));
            checks.add(clock(answer.headers().firstValue("Date"), before.plus(took.dividedBy(2))));
        } catch (IOException e) {
            checks.add(new Check(
                    "connection",
                    State.FAILED,
                    registry + " was not reached: " + e.getClass().getSimpleName() + ". Does it run, and is the address"
                            + " right (--url, SHEAF_URL)?"));
            checks.add(new Check("clock", State.WARNING, "not compared, since the registry was not reached"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SheafException.Cancelled();
        }
    }

    /// The date of an answer is to the second, so half a second is added.
    static Check clock(Optional<String> date, Instant here) {
        try {
            Instant there = date.map(text -> DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from))
                    .orElse(null);
            if (there == null) {
                return new Check("clock", State.WARNING, "the registry does not tell its time");
            }
            long seconds =
                    Math.round(Duration.between(there.plusMillis(500), here).toMillis() / 1000.0);
            String detail = Math.abs(seconds) <= 2 // which the way may have taken
                    ? "agrees with the registry's"
                    : "is " + Math.abs(seconds) + " s " + (seconds > 0 ? "ahead of" : "behind") + " the registry's";
            return new Check("clock", Math.abs(seconds) > MOST_SKEW.toSeconds() ? State.WARNING : State.OK, detail);
        } catch (DateTimeException e) {
            return new Check("clock", State.WARNING, "the registry tells no time that can be read");
        }
    }

    private void credential(List<Check> checks) {
        Credentials.@Nullable Found found;
        try {
            found = credentials.find().orElse(null);
        } catch (SheafException.Local e) {
            checks.add(new Check("credential", State.FAILED, String.valueOf(e.getMessage())));
            checks.add(new Check("identity", State.WARNING, "not asked for, without a key"));
            return;
        }
        if (found == null) {
            checks.add(new Check(
                    "credential",
                    State.WARNING,
                    "no key in " + Credentials.VARIABLE
                            + ", the keyring or the file; public bundles can be read. To log in:"
                            + " sheaf login --url " + registry));
            checks.add(new Check("identity", State.WARNING, "not asked for, without a key"));
            return;
        }
        checks.add(ok("credential", "from " + found.place()));
        checks.add(identity(found.key()));
    }

    private Check identity(Secret key) {
        try (var client =
                SheafClient.of(registry).key(key).cache(cache).pause(wait -> {}).open()) {
            var identity = client.whoAmI();
            var owner = identity.organization();
            return ok(
                    "identity",
                    Failures.showable(identity.credentialName())
                            + (owner == null ? "" : " of " + Failures.showable(owner.name())));
        } catch (SheafException e) {
            return new Check("identity", State.FAILED, String.valueOf(e.getMessage()));
        }
    }

    private Check cache() {
        var check = folder("cache", cache);
        if (check.state() != State.OK) {
            return check;
        }
        try {
            var entries = Cache.at(cache).entries();
            long size = entries.stream().mapToLong(Cache.Entry::size).sum();
            return ok("cache", check.detail() + ", " + entries.size() + " entries, " + size + " bytes");
        } catch (SheafException e) {
            return new Check("cache", State.FAILED, String.valueOf(e.getMessage()));
        }
    }

    /// Whether what is to be kept there can be, and by nobody else.
    private static Check folder(String name, Path folder) {
        Path existing = folder.toAbsolutePath();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        if (!Files.isDirectory(existing) || !Files.isWritable(existing)) {
            return new Check(name, State.FAILED, folder + " cannot be written to, because of " + existing);
        }
        try {
            boolean open = Files.isDirectory(folder) && !name.equals("settings") && !OwnerOnly.holdsFor(folder);
            return open
                    ? new Check(
                            name, State.WARNING, folder + " can be read by others; to change that: chmod 700 " + folder)
                    : ok(name, folder.toString());
        } catch (IOException e) {
            return new Check(name, State.WARNING, folder + " tells no permissions");
        }
    }
}
