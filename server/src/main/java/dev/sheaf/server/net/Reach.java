package dev.sheaf.server.net;

/// The addresses that calls may reach.
///
/// @param plain whether http is allowed too, which is not encrypted
/// @param inside whether addresses outside the public internet are allowed too
public record Reach(boolean plain, boolean inside) {
    /// Allows every address. For addresses that the operator of this server has set.
    public static final Reach OPERATOR = new Reach(true, true);

    /// Allows servers of the public internet over https. For all other addresses.
    public static final Reach PUBLIC = new Reach(false, false);
}
