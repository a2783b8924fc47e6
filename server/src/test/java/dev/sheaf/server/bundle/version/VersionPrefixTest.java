package dev.sheaf.server.bundle.version;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Version;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionPrefixTest {
    private static final List<String> ALL = List.of(
            "0.9.0",
            "1.0.0",
            "1.2.0-rc.1",
            "1.2.0-rc.10",
            "1.2.0-beta",
            "1.2.0-1",
            "1.2.0",
            "1.2.0+5",
            "1.2.3",
            "1.20.0",
            "10.0.0");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | 1.0.0 1.2.0-rc.1 1.2.0-rc.10 1.2.0-beta 1.2.0-1 1.2.0 1.2.0+5 1.2.3 1.20.0",
                "v1. | 1.0.0 1.2.0-rc.1 1.2.0-rc.10 1.2.0-beta 1.2.0-1 1.2.0 1.2.0+5 1.2.3 1.20.0",
                "1.2.x | 1.2.0-rc.1 1.2.0-rc.10 1.2.0-beta 1.2.0-1 1.2.0 1.2.0+5 1.2.3",
                "1.2.0 | 1.2.0-rc.1 1.2.0-rc.10 1.2.0-beta 1.2.0-1 1.2.0 1.2.0+5",
                "1.2.0- | 1.2.0-rc.1 1.2.0-rc.10 1.2.0-beta 1.2.0-1 1.2.0 1.2.0+5",
                "1.2.0-r | 1.2.0-rc.1 1.2.0-rc.10",
                "1.2.0-rc.1 | 1.2.0-rc.1",
                "1.2.0-1 | 1.2.0-1",
                "0.9.* | 0.9.0",
                "10 | 10.0.0",
                "* | 0.9.0 1.0.0 1.2.0-rc.1 1.2.0-rc.10 1.2.0-beta 1.2.0-1 1.2.0 1.2.0+5 1.2.3 1.20.0 10.0.0",
            })
    void meansTheVersionsThatBeginSo(String typed, String found) {
        var prefix = VersionPrefix.parse(typed).orElseThrow();

        var matching = ALL.stream().filter(version -> {
            String key = Version.parse(version).sortKey();
            return key.compareTo(prefix.from()) >= 0 && key.compareTo(prefix.to()) < 0;
        });
        assertThat(matching)
                .containsExactlyInAnyOrderElementsOf(Stream.of(found.split(" ")).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "a", "1.2.3.4", "01", "-1", "1..2", "<script>", "latest"})
    void otherTextMeansNone(String typed) {
        assertThat(VersionPrefix.parse(typed)).isEmpty();
    }
}
