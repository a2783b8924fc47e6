package dev.sheaf.server.db.beat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A message from one node to all. The first line is the number of nodes, the second says what the sender read, and
/// each further line is a change. Release 0.2.0 takes the number from a message of one line, and ignores other texts.
///
/// Any role of the database can send a message, and one that claims to have read the changes would hide them from all
/// nodes. So a look has a seal, which only nodes with the same master secret can make.
///
/// @param nodes how many nodes listen; 0 if it is unknown
/// @param look what the sender read from the table of changes; null if it read nothing
/// @param changes the texts of those that it read, or else of those of its own transactions
/// @param seal the seal of a message with a look; empty if there is none
public record Beat(int nodes, @Nullable Look look, List<String> changes, String seal) {
    private static final int MAX_BYTES = 7_900; // PostgreSQL takes less than 8,000
    private static final int MAX_CHANGE = 1_000; // with the number of nodes and the seal
    private static final int SEAL = 65; // with the space before it

    public Beat {
        changes = List.copyOf(changes);
    }

    /// One look at the table of changes.
    ///
    /// @param from the snapshot of the look before it
    /// @param to its own snapshot; changes that are visible in this one and not in `from` were read
    /// @param millis a moment just before `to`, by the database's clock
    public record Look(String from, String to, long millis) {
        private static Look parse(String[] words) {
            Snapshot.parse(words[0]);
            Snapshot.parse(words[1]);
            return new Look(words[0], words[1], Long.parseLong(words[2]));
        }

        /// Returns whether it fits into a message. If hundreds of transactions run, it may not.
        public boolean fits() {
            return toString().length() <= MAX_BYTES - MAX_CHANGE;
        }

        @Override
        public String toString() {
            return from + " " + to + " " + millis;
        }
    }

    /// Returns texts that are to be sent in this order. Only the last one has the look, so who receives it has
    /// received all changes.
    ///
    /// @param sealer makes the seal of a text, 64 letters
    public static List<String> encode(
            int nodes, @Nullable Look look, Collection<String> changes, UnaryOperator<String> sealer) {
        int empty = bytes(new Beat(nodes, look, List.of(), "").toString()) + SEAL;
        int size = empty;
        var texts = new ArrayList<String>();
        var some = new ArrayList<String>();
        for (String change : changes) {
            int more = 1 + bytes(change);
            if (size + more > MAX_BYTES) {
                texts.add(new Beat(nodes, null, some, "").toString());
                some.clear();
                size = empty;
            }
            some.add(change);
            size += more;
        }
        var last = new Beat(nodes, look, some, "");
        texts.add((look == null ? last : new Beat(nodes, look, some, sealer.apply(last.toString()))).toString());
        return texts;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /// Reads a message. Any role of the database can send one.
    ///
    /// @throws RuntimeException if it is none
    public static Beat parse(String text) {
        var lines = text.lines().toList();
        int nodes = Integer.parseInt(lines.getFirst());
        if (lines.size() == 1) {
            return new Beat(nodes, null, List.of(), "");
        }
        String[] words = lines.get(1).split(" ", -1);
        return new Beat(
                nodes,
                lines.get(1).isEmpty() ? null : Look.parse(words),
                lines.stream().skip(2).toList(),
                words.length > 3 ? words[3] : "");
    }

    /// Returns whether a node of this installation has sent it.
    ///
    /// @param sealer that of [#encode]
    public boolean isSealed(UnaryOperator<String> sealer) {
        String expected = sealer.apply(new Beat(nodes, look, changes, "").toString());
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), seal.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        var text = new StringBuilder().append(nodes).append('\n');
        if (look != null) {
            text.append(look).append(seal.isEmpty() ? "" : " " + seal);
        }
        changes.forEach(change -> text.append('\n').append(change));
        return text.toString();
    }
}
