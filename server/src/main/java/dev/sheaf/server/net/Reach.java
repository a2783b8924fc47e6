package dev.sheaf.server.net;

/// Where calls may go.
///
/// @param plain whether by http, too, which anybody on the way can read
/// @param inside whether to addresses that are not of the public internet, too
public record Reach(boolean plain, boolean inside) {
    /// Everywhere: for what the operator of this server has set.
    public static final Reach OPERATOR = new Reach(true, true);

    /// Servers of the public internet, by https: for what anybody else has set.
    public static final Reach PUBLIC = new Reach(false, false);
}
