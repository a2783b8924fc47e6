package dev.sheaf.engine.net;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;

/// A block of addresses such as `10.0.0.0/8` or `2001:db8::/32` (RFC 4632, RFC 4291).
public record Cidr(List<Byte> network, int prefix) {
    /// Stricter than Java, which would read "10" as 0.0.0.10.
    private static final Pattern SHAPE =
            Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3}){3}|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)(?:/([0-9]{1,3}))?");

    public Cidr {
        network = List.copyOf(network);
    }

    /// Parses a literal address block. A host name is never looked up.
    ///
    /// @throws ProblemException validation-failed if `text` is not a block, or has bits set beyond its prefix
    public static Cidr parse(String text) {
        try {
            var shape = SHAPE.matcher(text);
            if (shape.matches()) {
                byte[] bytes = InetAddress.ofLiteral(shape.group(1)).getAddress();
                String length = shape.group(2);
                int prefix = length == null ? bytes.length * 8 : Integer.parseInt(length);
                if (prefix <= bytes.length * 8 && noBitsBeyond(bytes, prefix)) {
                    return new Cidr(boxed(bytes), prefix);
                }
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw Problem.invalid(
                "format", Quoted.of(text) + " is not an address block; write one such as 10.0.0.0/8 or 2001:db8::/32");
    }

    private static boolean noBitsBeyond(byte[] bytes, int prefix) {
        for (int bit = prefix; bit < bytes.length * 8; bit++) {
            if ((bytes[bit / 8] >> (7 - bit % 8) & 1) != 0) {
                return false;
            }
        }
        return true;
    }

    private static List<Byte> boxed(byte[] bytes) {
        var boxed = new Byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            boxed[i] = bytes[i];
        }
        return List.of(boxed);
    }

    /// Returns whether the block contains the address. No block contains the unspecified address (RFC 4291,
    /// section 2.5.2), which is used for an unknown address.
    public boolean contains(InetAddress address) {
        return !address.isAnyLocalAddress() && matches(boxed(address.getAddress()));
    }

    public boolean covers(Cidr other) {
        return other.prefix >= prefix && matches(other.network);
    }

    private boolean matches(List<Byte> bytes) {
        if (bytes.size() != network.size()) {
            return false;
        }
        for (int bit = 0; bit < prefix; bit++) {
            if (((bytes.get(bit / 8) ^ network.get(bit / 8)) >> (7 - bit % 8) & 1) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        var bytes = new byte[network.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = network.get(i);
        }
        try {
            return InetAddress.getByAddress(bytes).getHostAddress() + "/" + prefix;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }
}
