package dev.sheaf.server.identity;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.text.Quoted;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules for passwords: a minimum length, and not one of the most common passwords (NIST SP 800-63B,
/// section 3.1.1). Rules about kinds of characters would make passwords worse.
public final class PasswordRules {
    /// The limit is in characters.
    public static final int MIN_LENGTH = 12;
    /// The limit is in characters.
    public static final int MAX_LENGTH = 1_000;

    private static final int FEW = 4;
    private static final Set<String> COMMON = Set.of(
            "123456789012",
            "1234567890123",
            "12345678901234",
            "123456789123",
            "1234567891011",
            "0123456789012",
            "qwertyuiop12",
            "qwertyuiop123",
            "qwertyuiop1234",
            "qwertyuiopasdf",
            "qwertyuiopasdfghjkl",
            "qwertyuiopasdfghjklzxcvbnm",
            "1q2w3e4r5t6y",
            "1q2w3e4r5t6y7u",
            "1qaz2wsx3edc",
            "1qaz2wsx3edc4rfv",
            "qazwsxedcrfv",
            "zaq12wsxcde3",
            "abcdefghijkl",
            "abcdefghijklmnopqrstuvwxyz",
            "abcd1234abcd",
            "abc123abc123",
            "password1234",
            "password12345",
            "password123456",
            "passwordpassword",
            "password1password1",
            "passw0rd1234",
            "p@ssw0rd1234",
            "p@ssword1234",
            "mypassword123",
            "mypassword1234",
            "administrator",
            "administrator1",
            "administrator123",
            "changemechangeme",
            "changeme1234",
            "changeme12345",
            "letmeinletmein",
            "letmein12345",
            "welcome12345",
            "welcome123456",
            "iloveyou1234",
            "iloveyouforever",
            "correcthorsebatterystaple",
            "correct horse battery staple",
            "thisisapassword",
            "unbelievable",
            "manchesterunited",
            "basketball123",
            "football1234",
            "princess1234",
            "sheafsheafsheaf");

    private PasswordRules() {}

    /// @param member the member of the request that contains the password
    /// @throws dev.sheaf.model.ProblemException validation-failed that names the broken rule
    public static void check(String member, Secret password, EmailAddress email) {
        String text = password.expose();
        checkLength(text);
        String lower = text.strip().toLowerCase(Locale.ROOT);
        if (lower.equals(email.value()) || lower.equals(email.local())) {
            throw refuse(member, "common", "must not be the e-mail address");
        }
        if (COMMON.contains(lower) || lower.codePoints().distinct().count() <= FEW) {
            throw refuse(member, "common", "is one of the most common passwords; choose another");
        }
    }

    /// Checks the rule that needs only the password.
    ///
    /// @throws ProblemException validation-failed
    public static void checkLength(String password) {
        int length = password.codePointCount(0, password.length());
        if (length < MIN_LENGTH || length > MAX_LENGTH) {
            throw Problem.invalid(
                    "range", "must have " + MIN_LENGTH + " to " + MAX_LENGTH + " characters; a few words work well");
        }
    }

    /// Reads a new password from this member.
    public static Secret parse(RequestFields fields, String member) {
        String text = fields.required(member, MAX_LENGTH);
        if (!text.isBlank()) {
            fields.check(member, () -> checkLength(text));
        }
        return Secret.of(text);
    }

    /// Reads an existing password; null if none was sent. The account decides whether one is required.
    public static @Nullable Secret given(RequestFields fields) {
        String password = fields.optional("password", MAX_LENGTH);
        return password == null ? null : Secret.of(password);
    }

    public static ProblemException refuse(String member, String code, String rule) {
        return new Problem.ValidationFailed(
                        List.of(new Problem.FieldError("/" + member, code, Quoted.of(member) + " " + rule)))
                .raise();
    }
}
