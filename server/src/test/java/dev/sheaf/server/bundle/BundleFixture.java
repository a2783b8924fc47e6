package dev.sheaf.server.bundle;

import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.publish.AutomaticApproval;
import dev.sheaf.server.bundle.publish.NewVersion;
import dev.sheaf.server.bundle.publish.Publish;
import dev.sheaf.server.bundle.tag.TagChanges;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.bundle.version.VersionChanges;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.registry.RegistryFixture;
import dev.sheaf.server.testing.EveryStack;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;

/// Bundles over a fresh registry, without HTTP.
@EveryStack
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class BundleFixture extends RegistryFixture {
    public static final RepositoryName NOTES = RepositoryName.parse("acme/notes");

    public final ChangeOrigin origin = new ChangeOrigin(caller, "192.0.2.1", "test");

    public Bundles bundles;
    public Publish publish;
    public VersionChanges versions;
    public TagChanges tagging;
    public Resolve resolve;

    @BeforeEach
    public void openBundles() {
        var quotas = new QuotaCheck(database, quota);
        var newBundles = new NewBundles(new Namespaces(database, true), quotas, node.repositories());
        bundles = new Bundles(database, node.repositories());
        publish = new Publish(
                database,
                newBundles,
                node.blobs(),
                node.manifests(),
                node.tags(),
                new BundleLimits(1 << 20, 1 << 20, 100));
        versions = new VersionChanges(database, bundles, node.tags());
        tagging = new TagChanges(database, bundles, node.tags(), node.manifests());
        resolve = new Resolve(database, node.tags());
    }

    /// The bundle as its owner reads it now.
    public final BundleSnapshot notes() {
        return bundles.read(caller, NOTES);
    }

    /// Publishes a version with one asset that holds its number.
    public final BundleSnapshot.Resolved publish(String version, String... tags) {
        return publish(version, Map.of("README.md", "version " + version), tags);
    }

    public final BundleSnapshot.Resolved publish(String version, Map<String, String> texts, String... tags) {
        var number = Version.parse(version);
        var assets = new TreeMap<>(texts)
                .entrySet().stream()
                        .map(text -> asset(text.getKey(), text.getValue()))
                        .toList();
        var packaging = OciPackaging.of(
                NOTES, number, "Notes", null, assets.stream().map(Asset::packed).toList(), List.of());
        var blobs =
                new ArrayList<>(List.of(node.blobs().stage(packaging.config().bytes())));
        new TreeMap<>(texts).values().forEach(text -> blobs.add(node.blobs().stage(bytes(text))));
        var publication = new NewVersion(
                NOTES,
                null,
                BundleProfile.of("Notes", null, null, null),
                NewVersion.Content.packed(number, assets, List.of(), packaging),
                List.of(tags).stream().map(Tag::parse).toList(),
                blobs,
                new NewVersion.Notes(null, List.of()));
        return ((Publish.Published) publish.version(origin, publication, UNREAD)).version();
    }

    private static final Publish.Reading UNREAD = new Publish.Reading() {
        @Override
        public Passport passport(NewVersion.Content content) {
            throw new IllegalStateException("no policy asks what is in it");
        }

        @Override
        public Passport passport(AutomaticApproval.Base base) {
            throw new IllegalStateException("no policy compares it");
        }
    };

    private static Asset asset(String path, String text) {
        byte[] bytes = bytes(text);
        return Asset.declared(
                LogicalPath.parse(path), null, Digest.sha256(bytes), bytes.length, "text/markdown", false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
