package dev.sheaf.cli.completion;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.model.wire.queue.Queue;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Collects names at a registry that begin with the typed text. A registry may answer anything, so invalid
/// names are dropped; valid names contain nothing that a shell or a terminal interprets. Thread-safe.
final class RegistryNames {
    /// The maximum number of names per list.
    private static final int MOST = 100;
    /// The maximum number of namespaces whose bundles are listed.
    private static final int MOST_NAMESPACES = 3;

    private static final Pattern SLUG = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?");

    private final WordUnderCursor cursor;
    private final List<String> found = new CopyOnWriteArrayList<>();

    RegistryNames(WordUnderCursor cursor) {
        this.cursor = cursor;
    }

    /// Returns the names found so far.
    List<String> found() {
        return found.stream().distinct().toList();
    }

    /// @param known whether requests have a credential
    void find(SheafClient client, boolean known) {
        switch (cursor.kind()) {
            case NAMESPACE -> {
                if (known) {
                    add(namespaces(client));
                }
            }
            case BUNDLE -> bundles(client, known);
            case REFERENCE -> references(client, known);
            case VERSION -> ofBundle(bundle -> versions(client, bundle));
            case TAG -> ofBundle(bundle -> tags(client, bundle));
            case QUEUE -> {
                if (known) {
                    add(queues(client));
                }
            }
        }
    }

    private void ofBundle(Function<RepositoryName, Stream<String>> names) {
        var bundle = cursor.bundle();
        if (bundle != null) {
            add(names.apply(bundle));
        }
    }

    private void references(SheafClient client, boolean known) {
        int colon = cursor.typed().indexOf(':');
        if (colon < 0) {
            bundles(client, known);
            return;
        }
        var bundle = RepositoryName.parse(cursor.typed().substring(0, colon));
        add(tags(client, bundle).map(tag -> bundle + ":" + tag));
        add(versions(client, bundle).map(version -> bundle + ":" + version));
    }

    private void bundles(SheafClient client, boolean known) {
        int slash = cursor.typed().indexOf('/');
        if (slash >= 0) {
            var namespace = Namespace.parse(cursor.typed().substring(0, slash));
            add(bundles(client, namespace, cursor.typed().substring(slash + 1)));
            return;
        }
        if (known) {
            own(client);
        }
        add(names(client.hub().names(cursor.typed(), MOST), Function.identity(), RepositoryName::parse));
    }

    /// Adds the organization's names. A credential without an organization still sees public names.
    private void own(SheafClient client) {
        try {
            namespaces(client)
                    .filter(name -> name.startsWith(cursor.typed()))
                    .limit(MOST_NAMESPACES)
                    .forEach(name -> add(bundles(client, Namespace.parse(name), "")));
        } catch (SheafException e) {
            // without these names
        }
    }

    private static Stream<String> bundles(SheafClient client, Namespace namespace, String text) {
        return names(client.bundles(namespace, text, MOST), BundleRecord::ref, RepositoryName::parse);
    }

    private static Stream<String> namespaces(SheafClient client) {
        return names(client.organization(null).namespaces(), NamespaceRecord::handle, Namespace::parse);
    }

    private static Stream<String> versions(SheafClient client, RepositoryName bundle) {
        return names(client.bundle(bundle).versions(MOST), VersionSummary::version, Version::parse);
    }

    private static Stream<String> tags(SheafClient client, RepositoryName bundle) {
        return names(client.bundle(bundle).tags().list(), TagStatus::name, Tag::parse);
    }

    private static Stream<String> queues(SheafClient client) {
        return client.queues(null).list(null, null).stream().map(Queue::slug).filter(SLUG.asMatchPredicate());
    }

    private static <T> Stream<String> names(List<T> entries, Function<T, String> name, Function<String, ?> parse) {
        return entries.stream().map(name).filter(text -> keepsTheRules(text, parse));
    }

    private static boolean keepsTheRules(String text, Function<String, ?> parse) {
        try {
            return parse.apply(text).toString().equals(text);
        } catch (ProblemException e) {
            return false;
        }
    }

    private void add(Stream<String> names) {
        found.addAll(names.filter(name -> name.startsWith(cursor.typed()))
                .limit(MOST)
                .toList());
    }
}
