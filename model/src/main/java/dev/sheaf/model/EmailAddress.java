package dev.sheaf.model;

import java.util.Locale;
import java.util.regex.Pattern;

/// An e-mail address in the one form under which an account is found: ASCII, in lower case, without white space
/// around it. Mail systems of today do not tell upper from lower case before the at sign either, though RFC 5321
/// (section 2.4) would let them. Other scripts are refused, since letters of theirs turn into ASCII ones when a
/// case or a form is changed, and then two mailboxes are one account; their domains have an ASCII form. At most 254
/// characters (section 4.5.3.1). Valid by construction as far as its shape goes; only a mail that arrives could
/// prove more.
public record EmailAddress(String value) {
    /// Characters of an address.
    public static final int MAX_LENGTH = 254;

    private static final Pattern GRAMMAR =
            Pattern.compile("[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
                    + "@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*");

    private static final int MAX_LOCAL = 64;

    public EmailAddress {
        if (value.length() > MAX_LENGTH) {
            throw Problem.invalid("too-long", "an e-mail address has at most " + MAX_LENGTH + " characters");
        }
        if (!GRAMMAR.matcher(value).matches() || value.indexOf('@') > MAX_LOCAL) {
            throw Problem.invalid("format", "must be an e-mail address such as ada@example.org, in ASCII");
        }
    }

    /// @throws ProblemException validation-failed where `text` does not have the shape of an address
    public static EmailAddress parse(String text) {
        return new EmailAddress(isAscii(text) ? text.strip().toLowerCase(Locale.ROOT) : text);
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    /// What stands before the at sign.
    public String local() {
        return value.substring(0, value.indexOf('@'));
    }

    /// What stands behind the at sign.
    public String domain() {
        return value.substring(value.indexOf('@') + 1);
    }

    @Override
    public String toString() {
        return value;
    }
}
