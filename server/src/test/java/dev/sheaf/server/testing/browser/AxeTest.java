package dev.sheaf.server.testing.browser;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What checks pages finds what is wrong with one.
@Tag("programs")
class AxeTest {
    @Test
    void findsWhatIsWrong() {
        Chromium.assumeThere();
        String bad = "<!doctype html><html lang=\"en\"><title>x</title><main><h1>x</h1><img src=\"/-/x\"><input>";

        assertThatThrownBy(() -> Chromium.show(bad, "/shown"))
                .hasMessageContaining("image-alt")
                .hasMessageContaining("label");
    }

    @Test
    void findsWhatCannotBeReadInTheDarkAlone() {
        Chromium.assumeThere();
        String bad = "<!doctype html><html lang=\"en\"><title>y</title><style>:root{color-scheme:light dark}"
                + "body{background:light-dark(#fff,#222)} h1{color:#333}</style><main><h1>In the dark</h1>";

        assertThatThrownBy(() -> Chromium.show(bad, "/dark")).hasMessageContaining("color-contrast");
    }
}
