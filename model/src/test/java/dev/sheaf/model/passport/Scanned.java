package dev.sheaf.model.passport;

import dev.sheaf.model.passport.Passport.Entry;
import dev.sheaf.model.text.ScanEffort;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Files that a test scans.
final class Scanned {
    private final List<PassportScan.Source> sources = new ArrayList<>();
    private final Map<String, byte[]> contents = new HashMap<>();

    Scanned file(String path, String text) {
        return file(path, false, text.getBytes(StandardCharsets.UTF_8));
    }

    Scanned executable(String path, String text) {
        return file(path, true, text.getBytes(StandardCharsets.UTF_8));
    }

    Scanned file(String path, boolean executable, byte[] bytes) {
        sources.add(new PassportScan.Source(path, bytes.length, executable));
        contents.put(path, bytes);
        return this;
    }

    Passport passport() {
        return PassportScan.of(sources).scan(path -> Optional.ofNullable(contents.get(path)), () -> {});
    }

    Passport passport(ScanEffort effort) {
        return PassportScan.of(sources).scan(path -> Optional.ofNullable(contents.get(path)), () -> {}, effort);
    }

    /// Returns the entries of a rule as `what`, in their order.
    List<String> found(String rule) {
        return entries(rule).stream().map(Entry::what).toList();
    }

    List<Entry> entries(String rule) {
        return passport()
                .rows()
                .all()
                .filter(entry -> entry.rule().equals(rule))
                .toList();
    }
}
