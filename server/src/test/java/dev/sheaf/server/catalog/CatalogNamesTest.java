package dev.sheaf.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which addresses of a registry names can be made of.
class CatalogNamesTest {
    @ParameterizedTest
    @CsvSource({
        "https://sheaf.example, sheaf.example",
        "https://Bundles.Example.ORG, bundles.example.org",
        "http://a.b:8443, a.b",
        "https://sheaf.example/registry, sheaf.example",
        "https://xn--bcher-kva.example, xn--bcher-kva.example"
    })
    void aDomainIsTheHostWithoutItsPort(String site, String host) {
        assertThat(CatalogNames.of(site)).contains(new CatalogNames(host, site));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "http://localhost:8080",
                "https://registry",
                "http://127.0.0.1",
                "http://192.0.2.7:8080",
                "http://[::1]:8080",
                "https://-a.example",
                "https://a..example",
                "https://a_b.example"
            })
    void nothingElseIsADomain(String site) {
        assertThat(CatalogNames.of(site)).isEmpty();
        assertThat(CatalogState.of(true, site).off()).contains("public-url");
    }
}
