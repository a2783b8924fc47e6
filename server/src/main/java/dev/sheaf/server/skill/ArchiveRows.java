package dev.sheaf.server.skill;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.server.skill.archive.SkillArchive;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Digests and sizes of archives, by what the archives are made of.
final class ArchiveRows {
    private static final int SUM = 8; // digits of a CRC-32

    private ArchiveRows() {}

    private record Row(Digest content, Digest digest, long size, String sums) {
        SkillArchive.Facts facts() {
            var each = new ArrayList<Long>();
            for (int at = 0; at < sums.length(); at += SUM) {
                each.add(HexFormat.fromHexDigitsToLong(sums, at, at + SUM));
            }
            return new SkillArchive.Facts(digest, size, each);
        }
    }

    static Map<Digest, SkillArchive.Facts> find(Tx tx, Collection<Digest> contents) {
        return tx
                .list(
                        "SELECT content, digest, size, sums FROM skill_archive WHERE content IN (<contents>)",
                        Row.class,
                        "contents",
                        contents)
                .stream()
                .collect(Collectors.toMap(Row::content, Row::facts));
    }

    /// Does nothing if another node was first: the same files give the same result.
    static void insert(Tx tx, Digest content, SkillArchive.Facts facts) {
        String sums = facts.sums().stream().map(sum -> "%08x".formatted(sum)).collect(Collectors.joining());
        tx.change("""
                INSERT INTO skill_archive (content, digest, size, sums, created_at)
                VALUES (:content, :digest, :size, :sums, :now) ON CONFLICT DO NOTHING
                """, new Row(content, facts.digest(), facts.size(), sums));
    }

    /// Deletes some rows from before a time and returns how many.
    static int sweep(Tx tx, Instant before, int limit) {
        List<Digest> old = tx.list(
                "SELECT content FROM skill_archive WHERE created_at < :before ORDER BY created_at LIMIT :limit",
                Digest.class,
                "before",
                before,
                "limit",
                limit);
        return tx.change("DELETE FROM skill_archive WHERE content IN (<old>)", "old", old);
    }
}
