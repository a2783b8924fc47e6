package dev.sheaf.server.db.beat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message from one node to all. The first line is the number of nodes, the second says what the sender read, and
/// each
/// further line is a change. Release 0.2.0 takes the number from a message of one line, and ignores other texts.
///
/// @param nodes how many nodes listen; 0 if it is unknown
/// @param look what the sender read from the table of changes; null if it read nothing
/// @param changes the texts of those that it read, or else of those of its own transactions
public record Beat(int nodes, @Nullable Look look, List<String> changes) {
    private static final int MAX_BYTES = 7_900; // PostgreSQL takes less than 8,000
    private static final int MAX_CHANGE = 900; // with the number of nodes

    public Beat {
        changes = List.copyOf(changes);
    }

    /// One look at the table of changes.
    ///
    /// @param from the snapshot of the look before it
    /// @param to its own snapshot; changes that are visible in this one and not in `from` were read
    /// @param millis a moment just before `to`, by the database's clock
    public record Look(String from, String to, long millis) {
        private static Look parse(String line) {
            String[] words = line.split(" ", -1);
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
    public static List<String> encode(int nodes, @Nullable Look look, Collection<String> changes) {
        String begin = nodes + "\n";
        String end = begin + (look == null ? "" : look);
        var texts = new ArrayList<String>();
        var lines = new StringBuilder();
        for (String change : changes) {
            String line = "\n" + change;
            if (bytes(end) + bytes(lines + line) > MAX_BYTES) {
                texts.add(begin + lines);
                lines.setLength(0);
            }
            lines.append(line);
        }
        texts.add(end + lines);
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
            return new Beat(nodes, null, List.of());
        }
        String look = lines.get(1);
        return new Beat(
                nodes,
                look.isEmpty() ? null : Look.parse(look),
                lines.stream().skip(2).toList());
    }
}
