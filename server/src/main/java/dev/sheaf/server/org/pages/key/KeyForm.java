package dev.sheaf.server.org.pages.key;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.key.KeyPolicyRecord;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The typed fields of the form for a new key.
///
/// @param namespaces, bundles, cidrs, queues separated by commas or spaces
/// @param uses any of `work` and `enqueue`
/// @param expiry an ISO 8601 duration, or `never`; empty if not chosen yet
public record KeyForm(
        String name,
        String description,
        String scope,
        String namespaces,
        String bundles,
        String cidrs,
        String queues,
        List<String> uses,
        String expiry) {
    private static final Pattern BETWEEN = Pattern.compile("[\\s,]+");
    private static final String NEVER = "never";
    private static final List<Integer> PERIODS = List.of(7, 30, 90, 180, 365);
    private static final int USUAL = 90;
    private static final String[] FIELDS = {
        "name", "description", "scopes", "namespaces", "bundles", "cidrs", "queues", "uses", "expiresIn"
    };

    public KeyForm {
        uses = List.copyOf(uses);
    }

    static KeyForm empty(@Nullable String bundle) {
        return new KeyForm("", "", "read", "", bundle == null ? "" : bundle, "", "", List.of(), "");
    }

    static KeyForm of(FormFields form) {
        return new KeyForm(
                form.first("name").orElse(""),
                form.first("description").orElse(""),
                form.first("scope").orElse("read"),
                form.first("namespaces").orElse(""),
                form.first("bundles").orElse(""),
                form.first("cidrs").orElse(""),
                form.first("queues").orElse(""),
                form.all("uses").stream().filter(use -> !use.isEmpty()).toList(),
                form.first("expiry").orElse(NEVER));
    }

    /// Returns the body for the API.
    Map<String, @Nullable Object> members() {
        var members = new HashMap<String, @Nullable Object>();
        members.put("name", name);
        members.put("description", description.isBlank() ? null : description);
        members.put("scopes", List.of(scope));
        members.put("expiresIn", expiry.equals(NEVER) ? null : expiry);
        var confined = new HashMap<String, Object>();
        confine(confined, "namespaces", entries(namespaces));
        confine(confined, "bundles", entries(bundles));
        confine(confined, "cidrs", entries(cidrs));
        confine(confined, "queues", entries(queues));
        confine(confined, "uses", uses);
        members.put("restrictions", confined.isEmpty() ? null : confined);
        return members;
    }

    private static void confine(Map<String, Object> confined, String kind, List<String> entries) {
        if (!entries.isEmpty()) {
            confined.put(kind, entries);
        }
    }

    private static List<String> entries(String typed) {
        return BETWEEN.splitAsStream(typed).filter(entry -> !entry.isEmpty()).toList();
    }

    /// Returns the errors by field; an error in a restriction belongs to the field of that restriction.
    static FormErrors errors(Problem problem) {
        if (!(problem instanceof Problem.ValidationFailed failed)) {
            return problem instanceof Problem.NameTaken
                    ? FormErrors.of(
                                    "name",
                                    "A working key already has this name. Choose another name, or rotate"
                                            + " that key.")
                            .because(problem)
                    : PageCall.errors(problem, FIELDS);
        }
        var errors = new ArrayList<Problem.FieldError>();
        for (var error : failed.errors()) {
            String pointer = error.pointer().startsWith("/restrictions/")
                    ? error.pointer().substring("/restrictions".length())
                    : error.pointer().equals("/expiresAt") ? "/expiresIn" : error.pointer();
            errors.add(new Problem.FieldError(pointer, error.code(), error.detail()));
        }
        return PageCall.errors(new Problem.ValidationFailed(errors), FIELDS);
    }

    /// Returns the possible lifetimes in words; the first is the default.
    static Map<String, String> periods(KeyPolicyRecord policy) {
        Duration most = policy.maxExpiry() == null ? null : Duration.parse(policy.maxExpiry());
        var periods = new LinkedHashMap<String, String>();
        if (policy.defaultExpiry() != null) {
            periods.put(policy.defaultExpiry(), KeyWords.period(policy.defaultExpiry()) + " (usual here)");
        } else if (most == null || most.toDays() >= USUAL) {
            periods.put("P" + USUAL + "D", USUAL + " days");
        }
        if (most != null) {
            periods.putIfAbsent(
                    String.valueOf(policy.maxExpiry()),
                    KeyWords.period(String.valueOf(policy.maxExpiry())) + " (the maximum)");
        }
        PERIODS.stream()
                .filter(days -> most == null || Duration.ofDays(days).compareTo(most) <= 0)
                .forEach(days -> periods.putIfAbsent("P" + days + "D", days + " days"));
        if (policy.defaultExpiry() == null && most == null) {
            periods.put(NEVER, "never: the key works until somebody revokes it");
        }
        return periods;
    }
}
