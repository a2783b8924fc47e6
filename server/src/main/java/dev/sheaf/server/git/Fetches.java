package dev.sheaf.server.git;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.ClientKind;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.version.VersionWarnings;
import dev.sheaf.server.git.history.Histories;
import dev.sheaf.server.git.history.History;
import dev.sheaf.server.git.repository.RepositoryCache;
import dev.sheaf.server.git.upload.PackCopy;
import dev.sheaf.server.git.upload.PackPlan;
import dev.sheaf.server.git.upload.UploadExchange;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPInputStream;

/// Answers requests for refs and packs. Expensive work runs on the pools, taking turns with other callers. Thread-safe.
public final class Fetches {
    private static final String ADVERTISED = "application/x-git-upload-pack-advertisement";
    private static final String ASKED = "application/x-git-upload-pack-request";
    private static final String ANSWERED = "application/x-git-upload-pack-result";

    /// The maximum size of a request in bytes, both as sent and unpacked; enough for 80,000 object names.
    private static final int MAX_BYTES = 4 << 20;

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// Time that a request may spend on deriving commits. Nothing can be sent meanwhile: the list of refs needs all of
    /// them, and the protocol has no place for progress before it.
    static final Duration TIME = Duration.ofMinutes(5);

    /// Time that a GET may spend on deriving commits; a GET ends after 10 s by default (api-timeout).
    static final Duration TIME_OF_READ = Duration.ofSeconds(8);

    private static final int ATTEMPTS = 3;
    private static final long RETRY_SECONDS = 5;

    /// Approximate bytes that JGit holds per object while it selects objects.
    private static final int BYTES_OF_OBJECT = 300;

    private static final int BYTES_OF_COMMIT = 600;
    private static final int FEW_OBJECTS = 20_000;
    private static final int MAX_OBJECTS = 2_000_000;
    private static final int MAX_NOTICES = 5;
    private static final int MAX_NOTICE = 200; // in characters; a packet of an old client has 995 bytes
    private static final int SHORT_QUESTION = 2_000; // in bytes
    private static final byte[] NAMES = "command=ls-refs".getBytes(StandardCharsets.US_ASCII);

    private final Histories histories;
    private final RepositoryCache cache;
    private final Database database;
    private final CpuPool pool;
    private final PullCounts downloads;

    /// @param pool for work that also queries the database
    public Fetches(Histories histories, RepositoryCache cache, Database database, CpuPool pool, PullCounts downloads) {
        this.histories = histories;
        this.cache = cache;
        this.database = database;
        this.pool = pool;
        this.downloads = downloads;
    }

    /// Answers the first request of a fetch. For version 2 nothing needs to be derived yet.
    Answer advertised(Call call, BundleSnapshot bundle) {
        return advertised(isNew(call) ? capabilities() : names(bundle));
    }

    static Answer advertised(byte[] bytes) {
        return Answer.bytes(200, ADVERTISED, bytes);
    }

    /// The capabilities of version 2, which are the same for every repository.
    private static final class Capabilities {
        static final byte[] BYTES = UploadExchange.capabilities();
    }

    static byte[] capabilities() {
        return Capabilities.BYTES;
    }

    private byte[] names(BundleSnapshot bundle) {
        var history = histories.of(bundle, TIME_OF_READ);
        return history.answer("", () -> new UploadExchange(history, false).advertisement());
    }

    static boolean isNew(Call call) {
        return call.header("Git-Protocol")
                .map(line -> Arrays.asList(line.split(":")).contains("version=2"))
                .orElse(false);
    }

    /// Returns the body of a request for a pack or a list.
    ///
    /// @throws ProblemException unsupported-media-type; those of [#body]
    static byte[] request(Call call) {
        if (!call.header("Content-Type").orElse("").equals(ASKED)) {
            throw new Problem.UnsupportedMediaType(
                            "Content-Type", call.header("Content-Type").orElse(""), ASKED)
                    .raise();
        }
        return body(call);
    }

    Answer answered(Call call, BundleSnapshot bundle) {
        byte[] request = request(call);
        boolean isNew = isNew(call);
        var history = histories.of(bundle, TIME);
        if (isNew && request.length <= SHORT_QUESTION && startsWith(request, NAMES)) {
            String question = new String(request, StandardCharsets.ISO_8859_1);
            return response(history.answer(question, () -> listed(history, request)));
        }
        return fetched(call, history, isNew, request);
    }

    private Answer fetched(Call call, History known, boolean isNew, byte[] request) {
        var history = known;
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            if (!cache.acquire(history.repository())) {
                histories.forget(history);
            } else {
                var answer = answered(call, history, isNew, request);
                if (answer.isPresent()) {
                    return answer.get();
                }
            }
            history = histories.of(history.bundle(), TIME);
        }
        throw new Problem.Unavailable(
                        Throttle.SIZE,
                        "this node has too little room for the history (git-cache-bytes); try again",
                        RETRY_SECONDS)
                .raise();
    }

    /// Answers from an acquired repository, which is released at the end of the answer. Returns empty if it is damaged.
    private Optional<Answer> answered(Call call, History history, boolean isNew, byte[] request) {
        var release = release(history);
        boolean kept = false;
        try {
            var outcome = outcome(call, history, isNew, request);
            kept = outcome instanceof UploadExchange.Outcome.Planned;
            return switch (outcome) {
                case UploadExchange.Outcome.Text said -> Optional.of(response(said.bytes()));
                case UploadExchange.Outcome.Planned(PackPlan plan) -> Optional.of(packed(call, history, plan, release));
                case UploadExchange.Outcome.TooLarge() ->
                    throw new Problem.PayloadTooLarge(
                                    "the pack (clone with --depth, or fetch fewer tags)", MAX_OBJECTS, "objects")
                            .raise();
                case UploadExchange.Outcome.Damaged() -> {
                    histories.discard(history);
                    yield Optional.empty();
                }
            };
        } finally {
            if (!kept) {
                release.run();
            }
        }
    }

    /// Returns what releases the repository once.
    private Runnable release(History history) {
        var isUsed = new AtomicBoolean(true);
        return () -> {
            if (isUsed.getAndSet(false)) {
                cache.release(history.repository());
            }
        };
    }

    /// Returns whether the request starts with the command, after the four digits of the packet's length.
    private static boolean startsWith(byte[] request, byte[] command) {
        return request.length > command.length + 4
                && Arrays.equals(request, 4, 4 + command.length, command, 0, command.length);
    }

    private static byte[] listed(History history, byte[] request) {
        return new UploadExchange(history, true).listed(request, Budget.of(LIMIT));
    }

    static Answer response(byte[] bytes) {
        return Answer.bytes(200, ANSWERED, bytes);
    }

    /// Returns the outcome of a request. Most fetches are small, so memory for a large one is borrowed only
    /// when it proves to be large.
    private UploadExchange.Outcome outcome(Call call, History history, boolean isNew, byte[] request) {
        int all = (int) Math.min(history.objects(), MAX_OBJECTS);
        int few = Math.min(all, FEW_OBJECTS);
        var exchange = new UploadExchange(history, isNew);
        call.borrow("the history, for each version,", history.commits(), BYTES_OF_COMMIT);
        call.borrow("a pack of this history, for each of its objects,", few, BYTES_OF_OBJECT);
        var outcome = pool.run(LIMIT, budget -> exchange.answer(request, few, budget));
        if (outcome instanceof UploadExchange.Outcome.TooLarge && few < all) {
            call.borrow("a pack of this history, for each of its objects,", all - few, BYTES_OF_OBJECT);
            return pool.run(LIMIT, budget -> exchange.answer(request, all, budget));
        }
        return outcome;
    }

    private Answer packed(Call call, History history, PackPlan plan, Runnable release) {
        var notices = notices(history, plan);
        return Answer.stream(ANSWERED, out -> {
                    try {
                        new PackCopy(plan, history.repository()).writeTo(out, notices);
                    } catch (PackCopy.DamagedException e) {
                        histories.discard(history);
                        throw e;
                    } finally {
                        release.run();
                    }
                    history.counted(plan.wanted())
                            .ifPresent(manifest -> downloads.pulled(
                                    call.caller(),
                                    call.address(),
                                    ClientKind.GIT,
                                    history.bundle().repository(),
                                    manifest));
                })
                .undoneBy(release);
    }

    /// Says which of the newest versions that the client has or gets are yanked. Only an answer with a pack can: a list
    /// of refs has no place for words.
    private List<String> notices(History history, PackPlan plan) {
        var ids = new TreeSet<UUID>(history.yankedAtEnd(plan.had()));
        ids.addAll(history.yankedAtEnd(plan.wanted()));
        if (ids.isEmpty()) {
            return List.of();
        }
        var last = ids.descendingSet().stream().limit(MAX_NOTICES).toList();
        return database.read(tx -> VersionRows.list(tx, last)).stream()
                .filter(VersionRow::isYanked)
                .map(version -> VersionWarnings.yanked(history.bundle().name() + " " + version.version(), version))
                .map(sentence -> Quoted.line(sentence, MAX_NOTICE))
                .toList();
    }

    /// Returns the request body, unpacked if it is gzipped.
    ///
    /// @throws ProblemException payload-too-large or bad-request
    private static byte[] body(Call call) {
        byte[] sent = call.bytes("the request of git", MAX_BYTES);
        if (call.header("Content-Encoding").filter("gzip"::equalsIgnoreCase).isEmpty()) {
            return sent;
        }
        call.borrow("the unpacked git request", MAX_BYTES, 1);
        try (var zip = new GZIPInputStream(new ByteArrayInputStream(sent))) {
            byte[] request = zip.readNBytes(MAX_BYTES + 1);
            if (request.length > MAX_BYTES) {
                throw new Problem.PayloadTooLarge("the unpacked git request", MAX_BYTES, "bytes").raise();
            }
            return request;
        } catch (IOException e) {
            throw new Problem.BadRequest("the body is not valid gzip, although its Content-Encoding says so").raise();
        }
    }
}
