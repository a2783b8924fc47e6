package dev.sheaf.server.git;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.git.marketplace.GitMarketplaces;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import java.time.Duration;

/// Answers requests for the refs and the pack of a marketplace. Thread-safe.
public final class MarketplaceFetches {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final GitMarketplaces marketplaces;
    private final CpuPool pool;

    /// @param pool for heavy work
    public MarketplaceFetches(GitMarketplaces marketplaces, CpuPool pool) {
        this.marketplaces = marketplaces;
        this.pool = pool;
    }

    /// Refuses a caller for whom the namespace does not exist.
    ///
    /// @throws ProblemException those of [GitMarketplaces#require]
    void require(Call call, Namespace namespace) {
        marketplaces.require(call.caller(), namespace);
    }

    /// Answers the first request of a fetch.
    Answer advertised(Call call, Namespace namespace) {
        if (Fetches.isNew(call)) {
            require(call, namespace);
            return Fetches.advertised(Fetches.capabilities());
        }
        var repository = marketplaces.of(call.caller(), namespace, call.baseUrl(), Fetches.TIME_OF_READ);
        return Fetches.advertised(repository.advertisement());
    }

    Answer answered(Call call, Namespace namespace) {
        require(call, namespace); // before anything else of the request
        byte[] request = Fetches.request(call);
        boolean isNew = Fetches.isNew(call);
        var repository = marketplaces.of(call.caller(), namespace, call.baseUrl(), Fetches.TIME);
        return Fetches.response(pool.run(LIMIT, budget -> repository.answer(request, isNew, budget)));
    }
}
