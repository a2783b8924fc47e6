package dev.sheaf.client.credentials;

import com.github.javakeyring.Keyring;
import com.github.javakeyring.PasswordAccessException;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.key.Secret;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keyring of the desktop. It may hang, for example in a prompt that is not visible. So it is called on its
/// own thread, which is abandoned after a timeout; then it is not called again. Thread-safe.
///
/// The library java-keyring is optional. No other class uses it.
final class SystemKeychain implements Keychain {
    private static final Logger LOG = LoggerFactory.getLogger(SystemKeychain.class);

    /// The time limit. A person may have to unlock the keyring first.
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    private volatile boolean mute;

    private SystemKeychain() {}

    /// Returns the keyring; one that is always unavailable if the program has no library for it.
    static Keychain orNone() {
        try {
            Objects.requireNonNull(Keyring.class); // loads it
            return new SystemKeychain();
        } catch (NoClassDefFoundError e) {
            return new NoKeychain("this program has no library for it (com.github.javakeyring:java-keyring)");
        }
    }

    private interface Question<T> {
        T ask(Keyring keyring) throws PasswordAccessException;
    }

    @Override
    public Optional<Secret> find(String service, String account) {
        return ask(keyring -> Secret.of(keyring.getPassword(service, account)));
    }

    @Override
    public boolean store(String service, String account, Secret secret) {
        return ask(keyring -> {
                    keyring.setPassword(service, account, secret.expose());
                    return secret.expose().equals(keyring.getPassword(service, account));
                })
                .orElse(false);
    }

    @Override
    public boolean remove(String service, String account) {
        return ask(keyring -> {
                    keyring.deletePassword(service, account);
                    return true;
                })
                .orElse(false);
    }

    @Override
    public Optional<String> unavailable() {
        if (ask(keyring -> true).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(mute ? "the keyring did not answer in time" : "no keyring is available");
    }

    private <T> Optional<T> ask(Question<T> question) {
        if (mute) {
            return Optional.empty();
        }
        var task = new FutureTask<T>(() -> {
            var keyring = Keyring.create();
            try {
                return question.ask(keyring);
            } finally {
                keyring.close();
            }
        });
        Thread.ofPlatform().daemon().name("sheaf-keyring").start(task);
        try {
            return Optional.ofNullable(task.get(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            // Callers treat these cases alike: no keyring, no such entry, or access refused. Only the type is
            // logged, which contains no secret.
            LOG.debug(
                    "the keyring returned nothing: {}",
                    String.valueOf(e.getCause()).split(":")[0]);
            return Optional.empty();
        } catch (TimeoutException e) {
            mute = true;
            LOG.warn("the keyring did not answer within {} s and is not used", LONGEST_WAIT.toSeconds());
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SheafException.Cancelled();
        }
    }
}
