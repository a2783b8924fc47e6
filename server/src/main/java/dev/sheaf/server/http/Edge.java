package dev.sheaf.server.http;

/// What stands between the network and the routes, the same for all of them.
///
/// @param forwarding whose word about a client's address is believed
/// @param meter how much is too much
public record Edge(Forwarding forwarding, Meter meter) {
    public static final Edge OPEN = new Edge(Forwarding.NONE, Meter.OFF);
}
