package dev.sheaf.server.http.message;

import dev.sheaf.server.http.entity.Computing;
import dev.sheaf.server.http.policy.BodyLimits;
import dev.sheaf.server.http.policy.Forwarding;
import dev.sheaf.server.http.policy.RateCheck;
import dev.sheaf.server.metrics.RequestTimes;

/// What stands between the network and the routes, the same for all of them.
///
/// @param forwarding whose word about a client's address is believed
/// @param meter how often is too often
/// @param sizes how much is too much
/// @param cors whose pages may call
/// @param computing where work is done that keeps a processor busy
/// @param times what is counted of requests
public record EdgePolicy(
        Forwarding forwarding, RateCheck meter, BodyLimits sizes, Cors cors, Computing computing, RequestTimes times) {}
