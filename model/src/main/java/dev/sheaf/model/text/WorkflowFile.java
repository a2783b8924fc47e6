package dev.sheaf.model.text;

import dev.sheaf.model.wire.org.TrustedPublisher;
import org.jspecify.annotations.Nullable;

/// Writes a CI workflow that publishes without a key, ready to be added to the trusted repository.
public final class WorkflowFile {
    private WorkflowFile() {}

    /// Returns the path of the file, for people to read; null if there is no sample for this provider.
    public static @Nullable String place(TrustedPublisher publisher) {
        return switch (publisher.provider()) {
            case "github" ->
                ".github/workflows/" + (publisher.workflow() == null ? "publish.yml" : publisher.workflow());
            case "gitlab" -> publisher.workflow() == null ? ".gitlab-ci.yml" : publisher.workflow();
            default -> null;
        };
    }

    /// Returns the content of the file.
    ///
    /// @param url the registry's URL
    /// @param authority the authority of that URL, which is the audience of the id_tokens
    /// @throws IllegalArgumentException if [#place] returns null
    public static String text(TrustedPublisher publisher, String url, String authority) {
        String first = publisher.bundles().getFirst();
        String bundle = first.endsWith("*") ? first.substring(0, first.indexOf('/') + 1) + "BUNDLE" : first;
        return switch (publisher.provider()) {
            case "github" -> github(publisher.environment(), bundle, url);
            case "gitlab" -> gitlab(publisher.environment(), bundle, url, authority);
            default -> throw new IllegalArgumentException(publisher.provider());
        };
    }

    private static String github(@Nullable String environment, String bundle, String url) {
        return """
                # Publishes each tag v1.2.3 as version 1.2.3. No key is needed: the registry trusts this workflow.
                name: Publish
                on:
                  push:
                    tags: ["v*.*.*"]
                permissions:
                  contents: read
                  id-token: write
                jobs:
                  publish:
                    runs-on: ubuntu-latest
                %s    env:
                      SHEAF_URL: %s
                    steps:
                      - uses: actions/checkout@v4
                      - uses: actions/setup-java@v4
                        with:
                          distribution: temurin
                          java-version: 25
                      - run: curl -fsSL "$SHEAF_URL/client/install.sh" | sh
                      - run: ~/.local/bin/sheaf push . "%s:${GITHUB_REF_NAME#v}"
                """.formatted(environment == null ? "" : "    environment: " + environment + "\n", url, bundle);
    }

    private static String gitlab(@Nullable String environment, String bundle, String url, String authority) {
        return """
                # Publishes each tag v1.2.3 as version 1.2.3. No key is needed: the registry trusts this project.
                publish:
                  image: eclipse-temurin:25
                  rules:
                    - if: $CI_COMMIT_TAG =~ /^v\\d+\\.\\d+\\.\\d+/
                %s  id_tokens:
                    SHEAF_ID_TOKEN:
                      aud: %s
                  variables:
                    SHEAF_URL: %s
                  script:
                    - curl -fsSL "$SHEAF_URL/client/install.sh" | sh
                    - ~/.local/bin/sheaf push . "%s:${CI_COMMIT_TAG#v}"
                """.formatted(environment == null ? "" : "  environment: " + environment + "\n", authority, url, bundle);
    }
}
