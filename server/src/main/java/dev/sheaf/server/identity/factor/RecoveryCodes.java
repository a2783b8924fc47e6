package dev.sheaf.server.identity.factor;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Codes that replace a lost authenticator. Each has 140 random bits and works once. Only keyed hashes are
/// stored.
final class RecoveryCodes {
    private static final int COUNT = 10;
    private static final int GROUPS = 7;
    private static final int GROUP = 4;
    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"; // no 0 and o, no 1 and l
    private static final SecureRandom RANDOM = new SecureRandom();

    private final MasterSecret master;

    RecoveryCodes(MasterSecret master) {
        this.master = master;
    }

    static List<Secret> generate() {
        return Stream.generate(RecoveryCodes::one).limit(COUNT).map(Secret::of).toList();
    }

    private static String one() {
        return IntStream.range(0, GROUPS)
                .mapToObj(group -> RANDOM.ints(GROUP, 0, LETTERS.length())
                        .mapToObj(letter -> LETTERS.substring(letter, letter + 1))
                        .collect(Collectors.joining()))
                .collect(Collectors.joining("-"));
    }

    /// Hashes a code without regard to case, spaces and hyphens.
    String hash(UUID account, Secret code) {
        String normal = code.expose().toLowerCase(Locale.ROOT).replaceAll("[\\s-]", "");
        return master.hashOf("recovery-code/1", Secret.of(account + " " + normal));
    }
}
