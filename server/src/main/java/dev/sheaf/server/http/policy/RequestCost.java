package dev.sheaf.server.http.policy;

import dev.sheaf.server.rate.RateLimits.Kind;

/// The cost of a request under rate limits (contract 6).
public enum RequestCost {
    /// Not counted: health, documents, and requests whose handler calls [Call#count] itself.
    FREE(Kind.READS, 0),
    READ(Kind.READS, 1),
    WRITE(Kind.WRITES, 1),
    /// A fifth of [#WRITE]: a manifest or a deletion under `/v2`, of which an image with many tags takes one each.
    MANIFEST(Kind.WRITES, 0.2),
    /// One file, blob or manifest. Clients of a large bundle send one such request for each file.
    CONTENT(Kind.CONTENT, 1),
    /// A tenth of [#CONTENT]: answered without reading or storing content, such as a HEAD or the mount of a blob.
    GLANCE(Kind.CONTENT, 0.1),
    /// A call of a program that works on jobs.
    RUNNER(Kind.RUNNER, 1);

    private final Kind kind;
    private final double requests;

    RequestCost(Kind kind, double requests) {
        this.kind = kind;
        this.requests = requests;
    }

    /// Returns the limit that the requests of a credential count under.
    Kind kind() {
        return kind;
    }

    /// Returns for how many requests one counts.
    double requests() {
        return requests;
    }

    /// Returns the cost of a HEAD on a route with this cost.
    public RequestCost ofHead() {
        return this == CONTENT ? GLANCE : this;
    }
}
