package dev.sheaf.model.passport;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Files of any bytes have a passport, the same each time, whose entries are short and point to lines.
class ParsersFuzz {
    private static final int LONGEST = 250;

    @FuzzTest
    void passport(byte[] data) {
        for (String path : new String[] {"skills/a/SKILL.md", "hooks/hooks.json", "scripts/a.sh"}) {
            var scanned = new Scanned().file(path, true, data);
            var passport = scanned.passport();
            assertThat(scanned.passport()).isEqualTo(passport);
            assertThat(passport.rows().all())
                    .allMatch(entry -> entry.what().length() <= LONGEST
                            && entry.count() > 0
                            && entry.places().stream().allMatch(place -> place.line() > 0));
        }
    }
}
