package dev.sheaf.server.http;

/// What stands between the network and the routes, the same for all of them.
///
/// @param forwarding whose word about a client's address is believed
/// @param meter how often is too often
/// @param sizes how much is too much
/// @param cors whose pages may call
public record Edge(Forwarding forwarding, Meter meter, Sizes sizes, Cors cors) {
    public static final Edge OPEN = new Edge(Forwarding.NONE, Meter.OFF, Sizes.USUAL, Cors.OFF);
}
