package dev.sheaf.server.http.message;

import dev.sheaf.server.http.entity.Computing;
import dev.sheaf.server.http.policy.BodyLimits;
import dev.sheaf.server.http.policy.Forwarding;
import dev.sheaf.server.http.policy.RateCheck;
import dev.sheaf.server.metrics.RequestTimes;

/// The policies between the network and the routes, the same for all routes.
///
/// @param forwarding which proxies are trusted to name the client's address
/// @param meter rate limits
/// @param sizes size limits
/// @param cors origins whose pages may call
/// @param computing runs work that keeps a processor busy
/// @param times counts and times requests
public record EdgePolicy(
        Forwarding forwarding, RateCheck meter, BodyLimits sizes, Cors cors, Computing computing, RequestTimes times) {}
