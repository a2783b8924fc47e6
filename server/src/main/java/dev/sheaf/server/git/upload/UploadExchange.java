package dev.sheaf.server.git.upload;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.git.history.History;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.errors.PackProtocolException;
import org.eclipse.jgit.internal.storage.dfs.DfsRepositoryDescription;
import org.eclipse.jgit.internal.storage.dfs.InMemoryRepository;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.storage.pack.PackConfig;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.PreUploadHook;
import org.eclipse.jgit.transport.RefAdvertiser.PacketLineOutRefAdvertiser;
import org.eclipse.jgit.transport.ServiceMayNotContinueException;
import org.eclipse.jgit.transport.UploadPack;
import org.eclipse.jgit.transport.UploadPack.RequestPolicy;
import org.eclipse.jgit.transport.UserAgent;

/// A conversation of JGit with a git client. A client may request any object by its id, because everything in a
/// repository is reachable from refs that every reader sees.
public final class UploadExchange {
    private static final String SERVICE = "git-upload-pack";
    private static final String LARGE = "side-band-64k";
    private static final DfsRepositoryDescription NO_NAME = new DfsRepositoryDescription("bundle");

    /// The maximum number of visited commits: a walk for each wanted commit may visit every commit.
    private static final long MAX_LOOKS = 50_000_000;

    /// Why a request is refused whose ids were chosen to be slow.
    static final String ALIKE =
            "the request has too many ids that begin with the same digits, unlike ids of real objects;"
                    + " fetch again from a fresh clone";

    private final History history;
    private final boolean isNew;

    /// @param isNew whether the client speaks version 2
    public UploadExchange(History history, boolean isNew) {
        this.history = history;
        this.isNew = isNew;
    }

    /// The outcome of a request.
    public sealed interface Outcome {
        /// A text answer without a pack.
        final class Text implements Outcome {
            private final byte[] bytes;

            Text(byte[] bytes) {
                this.bytes = bytes;
            }

            public byte[] bytes() {
                return bytes;
            }
        }

        /// A pack.
        record Planned(PackPlan plan) implements Outcome {}

        /// A pack with more objects than the limit.
        record TooLarge() implements Outcome {}

        /// The repository lacks an object.
        record Damaged() implements Outcome {}
    }

    /// Returns the refs and capabilities; for version 0.
    public byte[] advertisement() {
        return advertisement(pack(new InMemoryRepository(NO_NAME), history.refs(), isNew));
    }

    static byte[] advertisement(UploadPack asked) {
        var out = new ByteArrayOutputStream();
        try (var pack = asked) {
            pack.sendAdvertisedRefs(new PacketLineOutRefAdvertiser(new PacketLineOut(out)), SERVICE);
        } catch (IOException e) {
            throw new IllegalStateException("memory can always be written", e);
        }
        return out.toByteArray();
    }

    /// Returns the capabilities of version 2, which are the same for every bundle.
    public static byte[] capabilities() {
        return advertisement(pack(new InMemoryRepository(NO_NAME), new TreeMap<>(), true));
    }

    /// What JGit sees of a repository: its objects. The refs are those of the request's state of the bundle.
    static final class View extends InMemoryRepository {
        private final ObjectReader reader;

        View(ObjectReader reader) {
            super(NO_NAME);
            this.reader = reader;
        }

        @Override
        public ObjectReader newObjectReader() {
            return reader;
        }
    }

    static UploadPack pack(InMemoryRepository repository, SortedMap<String, Ref> refs, boolean isNew) {
        repository.getConfig().setBoolean("uploadpack", null, "allowfilter", true);
        UserAgent.set("sheaf");
        var pack = new UploadPack(repository);
        pack.setBiDirectionalPipe(false);
        pack.setAdvertisedRefs(refs);
        pack.setRequestPolicy(RequestPolicy.ANY);
        pack.setExtraParameters(isNew ? List.of("version=2") : List.of());
        var config = new PackConfig();
        config.setDeltaCompress(false);
        config.setReuseDeltas(false);
        config.setReuseObjects(false);
        config.setBuildBitmaps(false);
        config.setThreads(1);
        pack.setPackConfig(config);
        return pack;
    }

    /// Answers a request for names, which needs no objects.
    ///
    /// @throws ProblemException bad-request if the request is invalid
    public byte[] listed(byte[] request, Budget budget) {
        var out = new ByteArrayOutputStream();
        var asked = RequestIds.read(request, history::isCommit, budget);
        if (asked.isPresent()) {
            try (var pack = pack(new InMemoryRepository(NO_NAME), history.refs(), true)) {
                pack.uploadWithExceptionPropagation(
                        new ByteArrayInputStream(asked.get().request()), out, null);
            } catch (PackProtocolException e) {
                return refused(String.valueOf(e.getMessage())).bytes();
            } catch (IOException | RuntimeException e) {
                throw new Problem.BadRequest("the body is not a valid git request").raise();
            }
        }
        return out.toByteArray();
    }

    /// Answers a request.
    ///
    /// @param most the maximum number of objects
    /// @throws ProblemException bad-request if the request is invalid
    public Outcome answer(byte[] request, int most, Budget budget) {
        var recorder = new PackPlan.Recorder(most);
        var wanted = new HashSet<ObjectId>();
        var had = new HashSet<ObjectId>();
        var asked = RequestIds.read(request, history::isCommit, budget);
        if (asked.isEmpty()) {
            return refused(ALIKE);
        }
        var repository = history.repository();
        try (var reader = repository.reader();
                var pack = pack(
                        new View(new RecordingReader(reader, repository.entries(), recorder, budget)),
                        history.refs(),
                        isNew)) {
            pack.setPreUploadHook(noting(wanted, had));
            pack.uploadWithExceptionPropagation(
                    new ByteArrayInputStream(asked.get().request()), recorder.out(), null);
        } catch (PackPlan.TooManyObjects e) {
            return new Outcome.TooLarge();
        } catch (MissingObjectException | PackProtocolException e) {
            return isDamage(e, asked.get()) ? new Outcome.Damaged() : refused(String.valueOf(e.getMessage()));
        } catch (ServiceMayNotContinueException e) {
            return refused(String.valueOf(e.getMessage()));
        } catch (UnsupportedOperationException e) {
            return refused("deepen-relative is not supported here; fetch with --depth or --unshallow");
        } catch (EOFException | UncheckedIOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new Problem.BadRequest("the body is not a valid git request").raise();
        } catch (IOException e) {
            if (!repository.isWhole()) {
                return new Outcome.Damaged();
            }
            throw new Problem.BadRequest("the body is not a valid git request: " + e.getMessage()).raise();
        }
        return recorder.hasPack()
                ? new Outcome.Planned(recorder.plan(isNew || hasLarge(request), wanted, had))
                : new Outcome.Text(recorder.output());
    }

    /// Returns whether the repository lacks an object that it should have: the commit of a version, or one of which the
    /// client knows nothing.
    private boolean isDamage(IOException e, RequestIds asked) {
        return !history.repository().isWhole()
                || e instanceof MissingObjectException missing && !asked.contains(missing.getObjectId())
                || asked.ids().stream().filter(history::isCommit).anyMatch(this::isUnreadable);
    }

    private boolean isUnreadable(ObjectId id) {
        try (var reader = history.repository().reader()) {
            reader.open(id);
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private PreUploadHook noting(Set<ObjectId> wanted, Set<ObjectId> had) {
        return new PreUploadHook() {
            @Override
            public void onBeginNegotiateRound(UploadPack pack, Collection<? extends ObjectId> wants, int offered)
                    throws ServiceMayNotContinueException {
                if (offered > 0 && (long) wants.size() * history.commits() > MAX_LOOKS) {
                    throw new ServiceMayNotContinueException("the request needs too much work; fetch fewer tags");
                }
            }

            @Override
            public void onEndNegotiateRound(
                    UploadPack pack, Collection<? extends ObjectId> wants, int common, int missing, boolean ready) {
                // needs no action
            }

            @Override
            public void onSendPack(
                    UploadPack pack, Collection<? extends ObjectId> wants, Collection<? extends ObjectId> haves) {
                wants.forEach(want -> wanted.add(want.copy()));
                haves.forEach(have -> had.add(have.copy()));
            }
        };
    }

    /// Returns whether the client takes large packets. A client of version 0 lists its capabilities in the first
    /// line.
    private static boolean hasLarge(byte[] request) {
        int length = Math.min(request.length, 1_000);
        return new String(request, 0, length, StandardCharsets.ISO_8859_1).contains(LARGE);
    }

    /// Returns an error that git shows to its user.
    static Outcome.Text refused(String why) {
        var out = new ByteArrayOutputStream();
        try {
            new PacketLineOut(out).writeString("ERR " + why + "\n");
        } catch (IOException e) {
            throw new IllegalStateException("memory can always be written", e);
        }
        return new Outcome.Text(out.toByteArray());
    }
}
