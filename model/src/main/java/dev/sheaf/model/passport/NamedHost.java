package dev.sheaf.model.passport;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The host of a URL in a text.
record NamedHost(String name, Kind kind) {
    enum Kind {
        NAME,
        PUBLIC_ADDRESS,
        PRIVATE_ADDRESS
    }

    private static final Set<String> SCHEMES = Set.of("http", "https", "ws", "wss", "ftp", "sftp", "ssh", "git");
    private static final Pattern NAME =
            Pattern.compile("(?:[\\p{L}\\p{N}-]{1,63}\\.){1,10}[\\p{L}-][\\p{L}\\p{N}-]{1,62}");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}");
    private static final Pattern NUMBER =
            Pattern.compile("0[xX][0-9a-fA-F]{8}|[0-9]{8,10}"); // another form of an address
    private static final int LONGEST_SCHEME = 5;
    private static final int LONGEST = 300;
    private static final String END = " \t\r\n/?#\"'<>()[]`,;|\\";

    /// Returns the host of the URL whose `://` is at this place; empty if there is none, or if it is reserved for
    /// examples, names a namespace or means this machine.
    static Optional<NamedHost> at(String text, int place) {
        int start = place;
        while (start > 0 && place - start < LONGEST_SCHEME + 1 && Character.isLetter(text.charAt(start - 1))) {
            start--;
        }
        if (!SCHEMES.contains(text.substring(start, place).toLowerCase(Locale.ROOT))) {
            return Optional.empty();
        }
        int from = place + 3;
        if (from < text.length() && text.charAt(from) == '[') {
            return bracketed(text, from);
        }
        int end = from;
        while (end < text.length() && end - from < LONGEST && END.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        String authority = text.substring(from, end);
        String host = authority.substring(authority.lastIndexOf('@') + 1);
        int port = host.indexOf(':');
        String name = (port < 0 ? host : host.substring(0, port)).toLowerCase(Locale.ROOT);
        if (name.endsWith(".")) {
            name = name.substring(0, name.length() - 1);
        }
        if (ADDRESS.matcher(name).matches()) {
            return address(name);
        }
        if (NUMBER.matcher(name).matches()) {
            return Optional.of(new NamedHost(name, Kind.PUBLIC_ADDRESS));
        }
        return NAME.matcher(name).matches() && !isExample(name)
                ? Optional.of(new NamedHost(name, Kind.NAME))
                : Optional.empty();
    }

    private static Optional<NamedHost> bracketed(String text, int from) {
        int end = text.indexOf(']', from);
        if (end < 0 || end - from > 47) {
            return Optional.empty();
        }
        String name = text.substring(from, end + 1).toLowerCase(Locale.ROOT);
        boolean isAddress = name.chars().filter(c -> c == ':').count() >= 2
                && name.chars().allMatch(c -> "0123456789abcdef:.[]".indexOf(c) >= 0);
        if (!isAddress || name.equals("[::1]") || name.equals("[::]") || name.startsWith("[2001:db8")) {
            return Optional.empty();
        }
        boolean isPrivate = name.startsWith("[fe80") || name.startsWith("[fd") || name.startsWith("[fc");
        return Optional.of(new NamedHost(name, isPrivate ? Kind.PRIVATE_ADDRESS : Kind.PUBLIC_ADDRESS));
    }

    private static Optional<NamedHost> address(String name) {
        String[] parts = name.split("\\.", -1);
        int[] numbers = new int[parts.length];
        for (int i = 0; i < parts.length; i++) {
            numbers[i] = Integer.parseInt(parts[i]);
            if (numbers[i] > 255) {
                return Optional.empty();
            }
        }
        int a = numbers[0];
        int b = numbers[1];
        boolean isHere = a == 127 || a == 0;
        boolean isDocumentation = a == 192 && b == 0 && numbers[2] == 2
                || a == 198 && b == 51 && numbers[2] == 100
                || a == 203 && b == 0 && numbers[2] == 113
                || name.equals("1.2.3.4");
        boolean isMetadata = name.equals("169.254.169.254") || name.equals("100.100.100.200"); // has its own rule
        if (isHere || isDocumentation || isMetadata) {
            return Optional.empty();
        }
        boolean isPrivate = a == 10
                || a == 172 && b >= 16 && b < 32
                || a == 192 && b == 168
                || a == 169 && b == 254
                || a == 100 && b >= 64 && b < 128;
        return Optional.of(new NamedHost(name, isPrivate ? Kind.PRIVATE_ADDRESS : Kind.PUBLIC_ADDRESS));
    }

    private static boolean isExample(String name) {
        String[] labels = name.split("\\.", -1);
        String last = labels[labels.length - 1];
        String zone = labels[labels.length - 2] + "." + last;
        return PassportRules.isIn("identifier-hosts", name)
                || PassportRules.isIn("placeholder-hosts", zone)
                || PassportRules.isIn("placeholder-zones", last)
                || PassportRules.isIn("placeholder-zones", zone)
                || name.contains("your-")
                || name.contains("example.");
    }
}
