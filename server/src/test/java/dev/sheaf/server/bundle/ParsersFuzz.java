package dev.sheaf.server.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.server.bundle.version.Resolve;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/// npm's ranges, on any text that a selector takes.
class ParsersFuzz {
    private static final List<Version> VERSIONS = Stream.of(
                    "99999999999999999999.0.0",
                    "10.0.0",
                    "2.0.0",
                    "1.3.0-rc.1",
                    "1.2.3+build",
                    "1.2.3",
                    "1.0.0-0A.is.legal",
                    "0.0.0")
            .map(Version::parse)
            .toList();

    @FuzzTest
    void range(byte[] data) {
        try {
            var selector = VersionSelector.parse(new String(data, StandardCharsets.UTF_8));
            if (selector instanceof VersionSelector.ByRange(String range)) {
                Resolve.highest(range, VERSIONS)
                        .ifPresent(found -> assertThat(VERSIONS).contains(found));
            }
        } catch (ProblemException e) {
            assertThat(e.problem().detail()).isNotBlank();
        }
    }
}
