package dev.sheaf.client.push;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.PagedList;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.ByteSizes;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.account.Me;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.org.OrganizationUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checks before a push that the namespace belongs to the organization or is free, and that the quota is
/// sufficient. If a registry does not report these, it refuses the push itself.
final class PushRoom {
    private final RegistryTransport transport;
    private final Me me;
    private final List<FieldError> problems = new ArrayList<>();

    PushRoom(RegistryTransport transport, Me me) {
        this.transport = transport;
        this.me = me;
    }

    /// Returns the problems, with the same codes as a refusal and similar words.
    ///
    /// @param newBundle whether the push creates the bundle
    List<FieldError> problems(BundlePush.Content content, boolean newBundle) {
        if (newBundle) {
            checkNamespace(content.repository());
        }
        usage().ifPresent(usage -> checkQuota(usage, content, newBundle));
        return List.copyOf(problems);
    }

    /// Checks that the namespace is not foreign: a namespace with a bundle that this caller can see is taken. A
    /// foreign namespace that contains only private bundles seems free.
    private void checkNamespace(RepositoryName name) {
        boolean own = me.namespaces() != null
                && me.namespaces().stream()
                        .anyMatch(mine -> mine.handle().equals(name.namespace().value()));
        if (!own && !isEmpty("/v1/namespaces/" + name.namespace() + "/bundles")) {
            problems.add(new FieldError(
                    "",
                    "bundle-not-found",
                    "the namespace " + name.namespace()
                            + (me.restrictions() == null
                                    ? " belongs to another organization; publish under one of your own"
                                    : " is not one that this key may publish to; use another key or another"
                                            + " namespace")));
        }
    }

    private boolean isEmpty(String list) {
        try {
            return PagedList.read(transport, list, BundleRecord.class, 1).isEmpty();
        } catch (SheafException.NotFound e) {
            return true;
        }
    }

    private Optional<OrganizationUsage> usage() {
        var organization = me.organization();
        if (organization == null) {
            return Optional.empty();
        }
        try {
            var call = HttpCall.get(transport.at("/v1/organizations/" + organization.id() + "/usage"));
            return Optional.of(transport.json(call, OrganizationUsage.class));
        } catch (SheafException.NotFound | SheafException.Forbidden e) {
            return Optional.empty(); // for example for a key restricted to bundles
        }
    }

    private void checkQuota(OrganizationUsage usage, BundlePush.Content content, boolean newBundle) {
        var used = usage.used();
        var quota = usage.quota();
        if (newBundle && isOver(used.bundles(), quota.bundles())) {
            quota("the organization has " + used.bundles() + " bundles, and may have " + quota.bundles());
        }
        if (isOver(used.versions(), quota.versions())) {
            quota("the organization has " + used.versions() + " versions, and may have " + quota.versions());
        }
        Long most = quota.bytes();
        long held = used.bytes() + usage.uploads().bytes();
        // Content that the bundle already has is not stored again. Only a new bundle certainly needs the full
        // size.
        if (most != null && held + (newBundle ? content.sizeBytes() : 1) > most) {
            String sentence = "the files have " + ByteSizes.text(content.sizeBytes()) + "; the organization has "
                    + ByteSizes.text(held) + ", and may have " + ByteSizes.text(most);
            problems.add(
                    new FieldError("", content.sizeBytes() > most ? "payload-too-large" : "quota-exceeded", sentence));
        }
    }

    private static boolean isOver(long used, @Nullable Long most) {
        return most != null && used >= most;
    }

    private void quota(String sentence) {
        problems.add(new FieldError("", "quota-exceeded", sentence));
    }
}
