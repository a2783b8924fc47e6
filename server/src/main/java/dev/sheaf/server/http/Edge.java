package dev.sheaf.server.http;

import dev.sheaf.server.cpu.CpuPool;

/// What stands between the network and the routes, the same for all of them.
///
/// @param forwarding whose word about a client's address is believed
/// @param meter how often is too often
/// @param sizes how much is too much
/// @param cors whose pages may call
/// @param computing where work is done that keeps a processor busy
public record Edge(Forwarding forwarding, Meter meter, Sizes sizes, Cors cors, Computing computing) {
    public static final Edge OPEN =
            new Edge(Forwarding.NONE, Meter.OFF, Sizes.USUAL, Cors.OFF, new Computing(CpuPool.ofThisMachine()));
}
