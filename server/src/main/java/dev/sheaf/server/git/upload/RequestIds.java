package dev.sheaf.server.git.upload;

import dev.sheaf.engine.cpu.Budget;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.transport.PacketLineIn;

/// Checks a request before JGit reads it. JGit stores ids in hash tables and uses a part of the id as its hash.
/// A client that chooses ids with equal parts would keep it busy for minutes, so such a request is refused.
/// Lines that do not affect the answer are dropped: repeated lines, and shallow commits that the repository
/// does not contain.
final class RequestIds {
    private static final int WORDS = Constants.OBJECT_ID_LENGTH / Integer.BYTES;
    private static final int ID = Constants.OBJECT_ID_STRING_LENGTH;

    /// The maximum number of ids with the same 32 bits. Ids of real objects are spread evenly: among 80,000,
    /// even three with the same bits are rare.
    private static final int MOST_ALIKE = 8;

    private static final String SHALLOW = "shallow ";
    private static final String[] WITH_IDS = {"want ", "have ", SHALLOW};
    private static final String[] ONCE = {SHALLOW, "ref-prefix ", "deepen-not "};

    private final Predicate<ObjectId> isCommit;
    private final Set<ObjectId> ids = new TreeSet<>();
    private final Set<String> once = new TreeSet<>();
    private final ByteArrayOutputStream kept;

    private RequestIds(Predicate<ObjectId> isCommit, int length) {
        this.isCommit = isCommit;
        this.kept = new ByteArrayOutputStream(length);
    }

    /// Reads a request; empty if too many of its ids share the same bits.
    ///
    /// @param isCommit returns whether the repository contains this commit
    static Optional<RequestIds> read(byte[] request, Predicate<ObjectId> isCommit, Budget budget) {
        var asked = new RequestIds(isCommit, request.length);
        asked.read(request, budget);
        return asked.hasAlike() ? Optional.empty() : Optional.of(asked);
    }

    /// Returns the request for JGit.
    byte[] request() {
        return kept.toByteArray();
    }

    boolean contains(ObjectId id) {
        return ids.contains(id);
    }

    Set<ObjectId> ids() {
        return ids;
    }

    /// Stops at the first line that is not valid, as JGit does.
    private void read(byte[] request, Budget budget) {
        var in = new ByteArrayInputStream(request);
        var lines = new PacketLineIn(in);
        int from = 0;
        try {
            while (in.available() > 0) {
                budget.check();
                String line = lines.readString();
                int to = request.length - in.available();
                if (isKept(line)) {
                    kept.write(request, from, to - from);
                }
                from = to;
            }
        } catch (IOException | IndexOutOfBoundsException e) {
            kept.write(request, from, request.length - from);
        }
    }

    private boolean isKept(String line) {
        for (String name : WITH_IDS) {
            if (line.startsWith(name)) {
                var id = id(line, name.length());
                id.ifPresent(ids::add);
                if (name.equals(SHALLOW) && id.isPresent() && !isCommit.test(id.get())) {
                    return false;
                }
            }
        }
        return Arrays.stream(ONCE).noneMatch(line::startsWith) || once.add(line);
    }

    /// Returns the id in a line; empty if JGit finds none either. The first line may continue with
    /// capabilities.
    private static Optional<ObjectId> id(String line, int at) {
        if (line.length() < at + ID) {
            return Optional.empty();
        }
        try {
            return Optional.of(ObjectId.fromString(line.substring(at, at + ID)));
        } catch (IllegalArgumentException e) { // other digits, or no ASCII
            return Optional.empty();
        }
    }

    private boolean hasAlike() {
        if (ids.size() <= MOST_ALIKE) {
            return false;
        }
        var words = new int[WORDS][ids.size()];
        var one = new int[WORDS];
        int count = 0;
        for (var id : ids) {
            id.copyRawTo(one, 0);
            for (int i = 0; i < WORDS; i++) {
                words[i][count] = one[i];
            }
            count++;
        }
        return Arrays.stream(words).anyMatch(RequestIds::hasRun);
    }

    private static boolean hasRun(int[] word) {
        Arrays.sort(word);
        for (int i = MOST_ALIKE; i < word.length; i++) {
            if (word[i] == word[i - MOST_ALIKE]) {
                return true;
            }
        }
        return false;
    }
}
