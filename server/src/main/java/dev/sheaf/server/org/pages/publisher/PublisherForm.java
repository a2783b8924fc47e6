package dev.sheaf.server.org.pages.publisher;

import dev.sheaf.engine.input.FormFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The typed fields of the form for a trusted workflow.
///
/// @param provider `github`, `gitlab` or `oidc`
/// @param claims required claims of a token, one `name=value` per line; a `*` matches anything
/// @param bundles the bundles, separated by commas or spaces
public record PublisherForm(
        String provider,
        String repository,
        String workflow,
        String environment,
        String issuer,
        String claims,
        String bundles) {
    static final String[] FIELDS = {"provider", "repository", "workflow", "environment", "issuer", "claims", "bundles"};
    private static final Pattern BETWEEN = Pattern.compile("[\\s,]+");

    static PublisherForm empty(@Nullable String bundle) {
        return new PublisherForm("github", "", "", "", "", "", bundle == null ? "" : bundle);
    }

    static PublisherForm of(FormFields form) {
        return new PublisherForm(
                form.first("provider").orElse("github"),
                form.first("repository").orElse(""),
                form.first("workflow").orElse(""),
                form.first("environment").orElse(""),
                form.first("issuer").orElse(""),
                form.first("claims").orElse(""),
                form.first("bundles").orElse(""));
    }

    Map<String, @Nullable Object> members() {
        var members = new HashMap<String, @Nullable Object>();
        members.put("provider", provider);
        members.put("repository", typed(repository));
        members.put("workflow", typed(workflow));
        members.put("environment", typed(environment));
        members.put("issuer", typed(issuer));
        var conditions = conditions();
        members.put("claims", conditions.isEmpty() ? null : conditions);
        members.put(
                "bundles",
                BETWEEN.splitAsStream(bundles).filter(entry -> !entry.isEmpty()).toList());
        return members;
    }

    private static @Nullable String typed(String text) {
        return text.isBlank() ? null : text.strip();
    }

    private List<Map<String, String>> conditions() {
        var conditions = new ArrayList<Map<String, String>>();
        for (String line : claims.lines().map(String::strip).toList()) {
            int equals = line.indexOf('=');
            if (!line.isEmpty()) {
                String name = equals < 0 ? line : line.substring(0, equals);
                String value = equals < 0 ? "" : line.substring(equals + 1);
                conditions.add(Map.of("claim", name, value.indexOf('*') < 0 ? "equals" : "matches", value));
            }
        }
        return conditions;
    }
}
