package dev.sheaf.engine.net;

/// The addresses that calls may reach.
///
/// @param plain whether http is allowed too, which is not encrypted
/// @param inside whether addresses outside the public internet are allowed too
public record AllowedTargets(boolean plain, boolean inside) {
    /// Allows every address. For addresses that the operator of this server has set.
    public static final AllowedTargets OPERATOR = new AllowedTargets(true, true);

    /// Allows servers of the public internet over https. For all other addresses.
    public static final AllowedTargets PUBLIC = new AllowedTargets(false, false);
}
