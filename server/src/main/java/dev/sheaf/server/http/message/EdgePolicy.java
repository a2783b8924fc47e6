package dev.sheaf.server.http.message;

import dev.sheaf.engine.metrics.RequestTimes;
import dev.sheaf.engine.trace.Tracing;
import dev.sheaf.server.http.entity.RequestComputing;
import dev.sheaf.server.http.policy.BodyLimits;
import dev.sheaf.server.http.policy.ClientAddress;
import dev.sheaf.server.http.policy.RateCheck;
import org.jspecify.annotations.Nullable;

/// The policies between the network and the routes, the same for all routes.
///
/// @param forwarding finds the client's address behind trusted proxies
/// @param meter rate limits
/// @param sizes size limits
/// @param cors the origins whose pages may call the API
/// @param computing runs work that keeps a processor busy
/// @param times counts and times requests
/// @param access is notified of every request
/// @param tracing records traces of requests; null if this is off
public record EdgePolicy(
        ClientAddress forwarding,
        RateCheck meter,
        BodyLimits sizes,
        CorsOrigins cors,
        RequestComputing computing,
        RequestTimes times,
        AccessNote access,
        @Nullable Tracing tracing) {}
