package dev.sheaf.server.identity;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.time.Duration;
import java.util.Base64;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;
import org.jspecify.annotations.Nullable;

/// Passwords as Argon2id hashes (RFC 9106), in the usual encoding `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. Each
/// hash includes a key derived from the master secret, so the database alone is not enough to guess passwords.
///
/// Thread-safe. Each hash takes 19 MiB and tens of milliseconds of a processor, so hashes take turns on the threads of
/// a [CpuPool], at most half of them at a time. If too many wait, callers must try again later.
public final class Passwords {
    /// OWASP Password Storage Cheat Sheet, Argon2id: 19 MiB, two passes, one lane. The tests of this project set the
    /// property to less, because a sixth of their time went into hashes.
    private static final Cost COST = new Cost(Integer.getInteger("sheaf.test.passwordMemory", 19_456), 2, 1);

    private static final int SALT = 16;
    private static final int HASH = 32;
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Pattern ENCODED = Pattern.compile(
            "\\$argon2id\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})\\$([A-Za-z0-9+/]{22})\\$([A-Za-z0-9+/]{43})");

    private final SecureRandom random = new SecureRandom();
    private final byte[] pepper;
    private final Cost cost;
    private final Secret nobodys = Secret.of("");
    private final CpuPool cpu;

    /// @param memory the memory in KiB
    record Cost(int memory, int passes, int lanes) {}

    public Passwords(MasterSecret master, CpuPool cpu) {
        this(master, cpu, COST);
    }

    Passwords(MasterSecret master, CpuPool cpu, Cost cost) {
        this.cpu = cpu;
        this.pepper = master.derive("password-pepper/1");
        this.cost = cost;
    }

    /// Returns the stored form of a password.
    ///
    /// @throws ProblemException rate-limited or service-unavailable if too many are in progress
    public String hash(Secret password) {
        var salt = new byte[SALT];
        random.nextBytes(salt);
        return encode(cost, salt, inTurn(() -> argon2(password, salt, cost)));
    }

    /// Returns whether the password matches. Takes the same time if no password is stored.
    ///
    /// @param stored null if there is none
    /// @throws ProblemException rate-limited or service-unavailable if too many are in progress
    public boolean matches(Secret password, @Nullable String stored) {
        var parts = stored == null ? null : ENCODED.matcher(stored);
        if (parts == null || !parts.matches()) {
            inTurn(() -> argon2(nobodys, new byte[SALT], cost));
            return false;
        }
        var its = new Cost(number(parts.group(1)), number(parts.group(2)), number(parts.group(3)));
        byte[] salt = Base64.getDecoder().decode(parts.group(4));
        byte[] expected = Base64.getDecoder().decode(parts.group(5));
        return MessageDigest.isEqual(expected, inTurn(() -> argon2(password, salt, its)));
    }

    /// Returns whether the stored form was hashed with a different cost than the current one.
    public boolean isOutdated(String stored) {
        return !stored.startsWith(prefix(cost));
    }

    private static int number(String digits) {
        return Integer.parseInt(digits);
    }

    private static String encode(Cost cost, byte[] salt, byte[] hash) {
        var base64 = Base64.getEncoder().withoutPadding();
        return prefix(cost) + base64.encodeToString(salt) + "$" + base64.encodeToString(hash);
    }

    private static String prefix(Cost cost) {
        return "$argon2id$v=19$m=" + cost.memory() + ",t=" + cost.passes() + ",p=" + cost.lanes() + "$";
    }

    private byte[] argon2(Secret password, byte[] salt, Cost its) {
        var generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(its.memory())
                .withIterations(its.passes())
                .withParallelism(its.lanes())
                .withSalt(salt)
                .withSecret(pepper)
                .build());
        var hash = new byte[HASH];
        // Depending on the keyboard, the same password arrives in composed or decomposed Unicode.
        String normal = Normalizer.normalize(password.expose(), Normalizer.Form.NFC);
        generator.generateBytes(normal.getBytes(StandardCharsets.UTF_8), hash);
        return hash;
    }

    private <T> T inTurn(Supplier<T> work) {
        return cpu.runLarge(LIMIT, budget -> work.get());
    }
}
