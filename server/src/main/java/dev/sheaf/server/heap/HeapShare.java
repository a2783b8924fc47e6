package dev.sheaf.server.heap;

import dev.sheaf.engine.heap.HeapPlan;
import java.util.stream.Stream;

/// The share of each cache in [HeapPlan#caches]. Every cache in memory has one, so that all of them together fit the
/// heap. On a large heap a cache stops at its own limit.
///
/// A weigher counts all bytes that an entry keeps from the collector, including its key and its place in the cache
/// ([#ENTRY]); a cache that counts entries states the bytes of one.
public enum HeapShare {
    BLOB_CONTENT(90, 64),
    MANIFEST_CONTENT(80, 64),
    BUNDLES(50, 64),
    BUNDLE_LISTS(10, 16),
    RESOLVED_VERSIONS(70, 128),
    RESOLUTIONS(30, 8),
    DIFFS(30, 16),
    PASSPORTS(15, 16),
    COMPRESSED_ANSWERS(30, 16),
    README_PAGES(45, 16),
    README_PARTS(45, 16),
    CONSOLE_PAGES(30, 16),
    CONSOLE_OVERVIEWS(35, 32),
    SKILLS(25, 32),
    SKILL_INDEXES(20, 8),
    SKILL_ARCHIVES(25, 16),
    SKILL_ARCHIVE_FACTS(10, 16),
    PLUGINS(12, 32),
    CATALOGS(15, 16),
    APM_ARCHIVES(10, 8),
    SKILL_NAMES(10, 16),
    FRONT_MATTERS(15, 8),
    IMAGES(20, 8),
    GIT_HISTORIES(30, 32),
    MARKETPLACES(8, 16),
    TEMPLATES(10, 16),
    ACCESS_TOKENS(25, 32),
    CREDENTIALS(60, 256),
    SESSIONS(10, 8),
    RATES(60, 120),
    REPOSITORIES(60, 112),
    HUB_COUNTS(10, 4),
    BLOB_ROWS(50, 96),
    CLOSED_BLOBS(5, 8),
    MANIFEST_ROWS(60, 192),
    ADVISORIES(20, 72),
    ORGANIZATIONS(10, 32),
    NAMESPACES(5, 8),
    UPLOAD_HASHES(10, 16),
    PUSH_LEASES(15, 32),
    FEEDS(8, 16);

    /// The bytes of an entry's key and of its place in a cache, about.
    public static final int ENTRY = 250;

    private static final long MIB = 1 << 20;
    private static final long WHOLE_REGIONS = 512 << 10; // larger arrays take whole regions of the heap

    private final int parts;
    private final long most;

    /// @param parts relative to those of the others
    /// @param most in MiB
    HeapShare(int parts, long most) {
        this.parts = parts;
        this.most = most * MIB;
    }

    /// Returns the limit of this cache in bytes.
    public long bytes() {
        return bytes(HeapPlan.OF_THIS_PROCESS);
    }

    long bytes(HeapPlan plan) {
        return Math.min(most, plan.caches() * parts / all());
    }

    private static long all() {
        return Stream.of(values()).mapToLong(share -> share.parts).sum();
    }

    /// Returns the limit of a cache that has a part of this share and counts its entries.
    ///
    /// @param caches how many caches have such a part
    /// @param each the bytes of an entry
    public int entries(int caches, int each) {
        return (int) Math.max(1, bytes() / caches / each);
    }

    /// Returns the bytes that an array with this number of bytes takes.
    public static int ofArray(long length) {
        long taken = length < WHOLE_REGIONS ? length : (length + MIB) / MIB * MIB;
        return (int) Math.min(Integer.MAX_VALUE / 2, taken);
    }

    /// Returns the bytes that a text takes at most.
    public static int ofText(String text) {
        return ofArray(2L * text.length());
    }
}
