package dev.sheaf.client.push;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.PushPlan;
import dev.sheaf.client.api.Pushed;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.bundle.SecretLint;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.PagedList;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.account.Me;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.key.KeyRestrictions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Predicts the registry's reaction to a push from its data about the bundle, its versions, its tags and the
/// credential. It does not consider reserved names, what a scan finds, and later pushes by others.
final class PushOutlook {
    private static final int GONE = 410;
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_DESCRIPTION = 4_000;
    private static final int LONGEST_MESSAGE = 4_000;
    private static final int MOST_TAGS = 100;

    private final RegistryTransport transport;
    private final RegistryLimits limits;
    private final List<FieldError> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    PushOutlook(RegistryTransport transport, RegistryLimits limits) {
        this.transport = transport;
        this.limits = limits;
    }

    PushPlan of(BundlePush.Content content, PushOptions options, Pushed.Route route) {
        var me = transport.json(HttpCall.get(transport.at("/v1/me")), Me.class);
        var before = find(content.repository());
        checkCredential(me, content.repository(), before.isPresent());
        boolean identical = before.isPresent() && checkVersion(content);
        before.ifPresent(found -> checkTags(content, options));
        limits.missing(content).forEach(why -> problem("payload-too-large", why));
        checkTexts(content, options);
        if (!identical) {
            problems.addAll(new PushRoom(transport, me).problems(content, before.isEmpty()));
        }
        checkSecrets(content, options);
        boolean held = !identical && checkPolicy(content.repository(), before.isEmpty());
        if (options.message() != null && route == Pushed.Route.OCI) {
            warnings.add("the message is left out: only a push in one request has one");
        }
        var visibility = visibility(content, before, options, route);
        checkRequirements(options, visibility);
        var files = content.assets().stream()
                .map(asset -> new Asset(
                        asset.path(), asset.type(), new Blob(asset.digest(), asset.size()), asset.executable()))
                .toList();
        var outcome = !problems.isEmpty()
                ? PushPlan.Outcome.REFUSED
                : identical ? PushPlan.Outcome.IDENTICAL : held ? PushPlan.Outcome.HELD : PushPlan.Outcome.CREATED;
        return new PushPlan(
                content.repository(),
                content.version(),
                content.packaging().manifest().digest(),
                outcome,
                visibility,
                before.isEmpty(),
                options.tags(),
                files,
                route,
                problems,
                warnings);
    }

    /// Checks the limits of contract 3.3 and 3.5.
    private void checkTexts(BundlePush.Content content, PushOptions options) {
        checkLength("name", content.name(), LONGEST_NAME);
        checkLength("description", options.description(), LONGEST_DESCRIPTION);
        checkLength("message", options.message(), LONGEST_MESSAGE);
        if (options.tags().size() > MOST_TAGS) {
            problem("validation-failed", "there are " + options.tags().size() + " tags; at most " + MOST_TAGS);
        }
    }

    private void checkLength(String member, @Nullable String text, int most) {
        int length = text == null ? 1 : text.codePointCount(0, text.length());
        if (length > most || (text != null && text.isBlank() && member.equals("name"))) {
            problem("validation-failed", member + ": " + length + " characters; write 1 to " + most);
        }
    }

    private void checkSecrets(BundlePush.Content content, PushOptions options) {
        for (var finding : SecretLint.check(content.files())) {
            if (options.secrets()) {
                warnings.add(finding.toString());
            } else {
                problem(BundlePush.SECRET, finding.toString());
            }
        }
    }

    /// Returns whether the version would wait for approval, whatever is found in it.
    private boolean checkPolicy(RepositoryName name, boolean isNew) {
        String place = isNew ? "/v1/namespaces/" + name.namespace() + "/policy" : "";
        try {
            var policy = transport.json(
                    HttpCall.get(isNew ? transport.at(place) : transport.at(name, "/policy?effective=true")),
                    PolicyRecord.class);
            if (policy.scan() != null) {
                warnings.add("the policy for " + name + " has its files scanned: what is found may refuse the push, or"
                        + " have it wait for approval");
            }
            return policy.review() != null;
        } catch (SheafException.NotFound | SheafException.Forbidden e) {
            return false; // an older registry, or a bundle of others, which is a problem already
        }
    }

    private void checkRequirements(PushOptions options, Visibility visibility) {
        for (Requirement requirement : options.requires()) {
            var required = find(requirement.bundle());
            boolean hides = required.isPresent()
                    && visibility == Visibility.PUBLIC
                    && required.get().visibility().equals(Visibility.PRIVATE.toString());
            if (required.isEmpty() || hides) {
                problem(
                        "requirement-not-readable",
                        "the required bundle " + requirement.bundle()
                                + (hides
                                        ? " is private, so not everybody who gets this bundle could read it"
                                        : " does not exist, or this credential cannot read it"));
            }
        }
    }

    private void problem(String code, String detail) {
        problems.add(new FieldError("", code, detail));
    }

    /// @param seen whether the credential can see the bundle; if not, the registry does not disclose the reason
    /// for a refusal
    private void checkCredential(Me me, RepositoryName name, boolean seen) {
        if (!me.scopes().contains(Scope.WRITE.toString())) {
            problem("forbidden", "the credential " + me.credentialName() + " has no scope 'write'");
        }
        var restrictions = me.restrictions();
        if (restrictions != null && !reach(restrictions, name)) {
            problem(
                    seen ? "forbidden" : "bundle-not-found",
                    "the credential " + me.credentialName() + " cannot access " + name);
        }
    }

    private static boolean reach(KeyRestrictions restrictions, RepositoryName name) {
        String whole = name.toString();
        boolean namespace = restrictions.namespaces() == null
                || restrictions.namespaces().contains(name.namespace().value());
        boolean bundle = restrictions.bundles() == null
                || restrictions.bundles().stream()
                        .anyMatch(entry -> entry.endsWith("*")
                                ? whole.startsWith(entry.substring(0, entry.length() - 1))
                                : whole.equals(entry));
        return namespace && bundle;
    }

    private Optional<BundleRecord> find(RepositoryName bundle) {
        try {
            return Optional.of(transport.json(HttpCall.get(transport.at(bundle, "")), BundleRecord.class));
        } catch (SheafException.NotFound e) {
            return Optional.empty();
        }
    }

    /// Returns whether the version exists with this content.
    private boolean checkVersion(BundlePush.Content content) {
        try {
            var version = transport.at(
                    content.repository(),
                    "/versions/" + HttpCall.encode(content.version().toString()));
            var there = transport.json(HttpCall.get(version), VersionDetail.class);
            String digest = content.packaging().manifest().digest().toString();
            var plain = content.packaging().withoutModes().manifest().digest();
            boolean modesOnly = plain.toString().equals(there.ociDigest())
                    && there.manifest().assets().stream().allMatch(asset -> asset.executable() == null);
            if (digest.equals(there.ociDigest()) || modesOnly) {
                if (modesOnly && !digest.equals(there.ociDigest())) {
                    warnings.add("version " + content.version() + " of " + content.repository()
                            + " was published before executable bits were kept, and stays without them");
                }
                content.yanked(there).ifPresent(warnings::add);
                return true;
            }
            problem(
                    "version-exists",
                    "version " + content.version() + " of " + content.repository() + " exists with different content ("
                            + there.ociDigest() + "); a version never changes, so publish a new one");
        } catch (SheafException.NotFound e) {
            if (e.status() == GONE) {
                problem("version-deleted", String.valueOf(e.getMessage()));
            }
        }
        return false;
    }

    private void checkTags(BundlePush.Content content, PushOptions options) {
        if (options.tags().isEmpty()) {
            return;
        }
        var there = PagedList.read(
                transport, RegistryTransport.path(content.repository()) + "/tags", TagStatus.class, Integer.MAX_VALUE);
        for (Tag tag : options.tags()) {
            there.stream()
                    .filter(status -> status.name().equals(tag.value()))
                    .filter(TagStatus::isProtected)
                    .filter(status -> !status.version().equals(content.version().toString()))
                    .forEach(status -> problem(
                            "tag-protected",
                            "the tag " + tag + " of " + content.repository() + " is protected, and points to "
                                    + status.version()));
        }
    }

    private Visibility visibility(
            BundlePush.Content content, Optional<BundleRecord> before, PushOptions options, Pushed.Route route) {
        var asked = options.visibility();
        if (before.isEmpty()) {
            return asked == null ? Visibility.PRIVATE : asked;
        }
        var now = Visibility.parse(before.get().visibility());
        if (asked == Visibility.PRIVATE && now == Visibility.PUBLIC && route == Pushed.Route.JSON) {
            problem(
                    "visibility-mismatch",
                    "bundle " + content.repository() + " is public and this push says private; leave visibility out");
        } else if (asked != null && asked != now) {
            warnings.add(content.repository() + " is " + now + " and stays that way: a push does not change it");
        }
        return now;
    }
}
