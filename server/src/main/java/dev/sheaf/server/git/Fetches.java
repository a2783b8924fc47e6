package dev.sheaf.server.git;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.Downloads;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.version.Advisories;
import dev.sheaf.server.cpu.Budget;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.git.history.Histories;
import dev.sheaf.server.git.history.History;
import dev.sheaf.server.git.pack.Exchange;
import dev.sheaf.server.git.pack.PackPlan;
import dev.sheaf.server.git.pack.PackStream;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// Answers requests for refs and packs. Expensive work runs on the pools, taking turns with other callers; a
/// caller has at most two requests in progress at a time. Thread-safe.
public final class Fetches {
    private static final String ADVERTISED = "application/x-git-upload-pack-advertisement";
    private static final String ASKED = "application/x-git-upload-pack-request";
    private static final String ANSWERED = "application/x-git-upload-pack-result";

    /// The maximum size of a request in bytes, both as sent and unpacked; enough for 80,000 object names.
    private static final int MAX_BYTES = 4 << 20;

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// Time that a request may spend on deriving commits. Nothing can be sent meanwhile: the list of refs needs all of
    /// them, and the protocol has no place for progress before it.
    private static final Duration TIME = Duration.ofMinutes(5);

    /// Time that a GET may spend on deriving commits; a GET ends after 10 s by default (api-timeout).
    private static final Duration TIME_OF_READ = Duration.ofSeconds(8);

    private static final int AT_ONCE = 2;

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
    private final Database database;
    private final AssetBytes contents;
    private final Pools pools;
    private final Downloads downloads;
    private volatile byte @Nullable [] capabilities; // the same for every bundle
    private final FetchTurns turns = new FetchTurns(AT_ONCE);

    /// The pools for expensive work.
    ///
    /// @param cpu for work that keeps a processor busy
    /// @param database for work that also queries the database
    public record Pools(CpuPool cpu, CpuPool database) {}

    public Fetches(Histories histories, Database database, AssetBytes contents, Pools pools, Downloads downloads) {
        this.histories = histories;
        this.database = database;
        this.contents = contents;
        this.pools = pools;
        this.downloads = downloads;
    }

    /// Answers the first request of a fetch. For version 2 nothing needs to be derived yet.
    Answer advertised(Call call, Snapshot bundle) {
        boolean isNew = isNew(call);
        byte[] bytes = isNew ? capabilities() : names(call, bundle);
        return Answer.bytes(200, ADVERTISED, bytes);
    }

    private byte[] capabilities() {
        byte[] known = capabilities;
        if (known == null) {
            known = Exchange.capabilities(database);
            capabilities = known;
        }
        return known;
    }

    private byte[] names(Call call, Snapshot bundle) {
        var history = history(call, bundle, TIME_OF_READ);
        return history.answer("", () -> new Exchange(history, database, false).advertisement(Budget.of(LIMIT)));
    }

    private History history(Call call, Snapshot bundle, Duration time) {
        return histories.isKnown(bundle)
                ? histories.of(bundle, time)
                : turns.take(call.account(), () -> histories.of(bundle, time));
    }

    private static boolean isNew(Call call) {
        return call.header("Git-Protocol")
                .map(line -> Arrays.asList(line.split(":")).contains("version=2"))
                .orElse(false);
    }

    Answer answered(Call call, Snapshot bundle) {
        if (!call.header("Content-Type").orElse("").equals(ASKED)) {
            throw new Problem.UnsupportedMediaType(
                            "Content-Type", call.header("Content-Type").orElse(""), ASKED)
                    .raise();
        }
        boolean isNew = isNew(call);
        byte[] request = body(call);
        var history = history(call, bundle, TIME);
        if (isNew && request.length <= SHORT_QUESTION && startsWith(request, NAMES)) {
            String question = new String(request, StandardCharsets.ISO_8859_1);
            return response(history.answer(question, () -> listed(history, request)));
        }
        var outcome = turns.take(call.account(), () -> outcome(call, history, isNew, request));
        return switch (outcome) {
            case Exchange.Outcome.Text said -> response(said.bytes());
            case Exchange.Outcome.Planned(PackPlan plan) -> packed(call, history, plan);
            case Exchange.Outcome.TooLarge() ->
                throw new Problem.PayloadTooLarge(
                                "the pack (clone with --depth, or fetch fewer tags)", MAX_OBJECTS, "objects")
                        .raise();
        };
    }

    /// Returns whether the request starts with the command, after the four digits of the packet's length.
    private static boolean startsWith(byte[] request, byte[] command) {
        return request.length > command.length + 4
                && Arrays.equals(request, 4, 4 + command.length, command, 0, command.length);
    }

    private byte[] listed(History history, byte[] request) {
        return new Exchange(history, database, true).answer(request, 0, Budget.of(LIMIT))
                        instanceof Exchange.Outcome.Text said
                ? said.bytes()
                : new byte[0];
    }

    private static Answer response(byte[] bytes) {
        return Answer.bytes(200, ANSWERED, bytes);
    }

    /// Returns the outcome of a request. Most fetches are small, so memory for a large one is borrowed only
    /// when it proves to be large.
    private Exchange.Outcome outcome(Call call, History history, boolean isNew, byte[] request) {
        int all = (int) Math.min(history.objects(), MAX_OBJECTS);
        int few = Math.min(all, FEW_OBJECTS);
        var exchange = new Exchange(history, database, isNew);
        call.borrow("the history, for each version,", history.commits(), BYTES_OF_COMMIT);
        call.borrow("a pack of this history, for each of its objects,", few, BYTES_OF_OBJECT);
        var outcome = pools.database().run(LIMIT, budget -> exchange.answer(request, few, budget));
        if (outcome instanceof Exchange.Outcome.TooLarge && few < all) {
            call.borrow("a pack of this history, for each of its objects,", all - few, BYTES_OF_OBJECT);
            return pools.database().run(LIMIT, budget -> exchange.answer(request, all, budget));
        }
        return outcome;
    }

    private Answer packed(Call call, History history, PackPlan plan) {
        var repository = history.bundle().repository();
        var stream = new PackStream(plan, repository, database, contents, pools.cpu());
        var notices = notices(history, plan);
        return Answer.stream(ANSWERED, out -> {
            stream.writeTo(out, notices);
            history.counted(plan.wanted())
                    .ifPresent(manifest -> downloads.pulled(call.caller(), call.address(), repository, manifest));
        });
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
                .map(version -> Advisories.yanked(history.bundle().name() + " " + version.version(), version))
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
