package dev.sheaf.server.http;

/// What stands between the network and the routes, the same for all of them.
///
/// @param forwarding whose word about a client's address is believed
public record Edge(Forwarding forwarding) {}
