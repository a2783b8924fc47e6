package dev.sheaf.model;

import java.util.Locale;
import java.util.regex.Pattern;

/// An e-mail address in the one form that identifies an account: ASCII, lower case, without surrounding white
/// space, at most 254 characters (RFC 5321, section 4.5.3.1). The constructor checks only the format. Only a
/// delivered mail shows that the address exists.
///
/// Case is ignored before the at sign too: RFC 5321 (section 2.4) allows mail systems to distinguish it, but
/// today's systems do not. Other scripts are refused, because changing the case or the normal form turns some
/// of their letters into ASCII. Two mailboxes would then share an account. Domains in other scripts have an
/// ASCII form.
public record EmailAddress(String value) {
    /// The limit in characters.
    public static final int MAX_LENGTH = 254;

    private static final Pattern GRAMMAR =
            Pattern.compile("[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
                    + "@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*");

    private static final int MAX_LOCAL = 64;

    public EmailAddress {
        if (value.length() > MAX_LENGTH) {
            throw Problem.invalid("too-long", "an e-mail address may have at most " + MAX_LENGTH + " characters");
        }
        if (!GRAMMAR.matcher(value).matches() || value.indexOf('@') > MAX_LOCAL) {
            throw Problem.invalid("format", "must be an e-mail address such as ada@example.org, in ASCII");
        }
    }

    /// Parses an address.
    ///
    /// @throws ProblemException validation-failed if `text` does not have the format of an address
    public static EmailAddress parse(String text) {
        return new EmailAddress(isAscii(text) ? text.strip().toLowerCase(Locale.ROOT) : text);
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    /// Returns the part before the `@`.
    public String local() {
        return value.substring(0, value.indexOf('@'));
    }

    /// Returns the part after the `@`.
    public String domain() {
        return value.substring(value.indexOf('@') + 1);
    }

    @Override
    public String toString() {
        return value;
    }
}
