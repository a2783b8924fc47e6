package dev.sheaf.server.queue;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Selector;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.template.Template;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/// Bundles as queues use them: which version a reference means, and the prompts of instructions. Thread-safe.
public final class Prompts {
    private final Bundles bundles;
    private final Resolve resolve;
    private final AssetBytes contents;

    public Prompts(Bundles bundles, Resolve resolve, AssetBytes contents) {
        this.bundles = bundles;
        this.resolve = resolve;
        this.contents = contents;
    }

    /// The prompt of an instruction is gone.
    public static final class GoneException extends RuntimeException {
        private static final long serialVersionUID = 1;

        GoneException(String message) {
            super(message, null, false, false);
        }
    }

    /// The bundle of an instruction is gone, or the organization may not read it any more.
    public static final class BundleGoneException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final String bundle;

        BundleGoneException(String bundle) {
            super("the bundle " + bundle + " is not there any more");
            this.bundle = bundle;
        }

        public String bundle() {
            return bundle;
        }
    }

    /// The version that a selector means now to an organization; empty where there is none, or none that it may
    /// read.
    public Optional<Digest> digest(UUID organization, RepositoryName name, Selector selector) {
        return find(organization, name)
                .flatMap(bundle -> resolve.find(bundle, selector))
                .map(found -> found.version().digest());
    }

    private Optional<Snapshot> find(UUID organization, RepositoryName name) {
        return bundles.find(name)
                .filter(bundle -> bundle.visibility() == Visibility.PUBLIC
                        || bundle.organizationId().equals(organization));
    }

    /// The text at a path of a version.
    ///
    /// @throws GoneException where there is none, or it is too large or no text
    String text(Snapshot bundle, Digest digest, String path) {
        var asset = resolve.find(bundle, new Selector.ByDigest(digest))
                .flatMap(found -> found.assets().stream()
                        .filter(its -> its.path().toString().equals(path))
                        .findFirst())
                .orElseThrow(() -> new GoneException(
                        "the prompt " + path + " of " + bundle.name() + "@" + digest + " is not there any more"));
        if (asset.size() > Template.MAX_SOURCE) {
            throw new GoneException("the prompt " + path + " is larger than " + Template.MAX_SOURCE + " bytes");
        }
        return AssetBytes.text(bytes(bundle, asset))
                .orElseThrow(() -> new GoneException("the prompt " + path + " is not UTF-8 text"));
    }

    private byte[] bytes(Snapshot bundle, StoredAsset asset) {
        try {
            return contents.bytes(bundle.repository(), asset);
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.BlobUnknown) {
                throw new GoneException("the bytes of " + asset.path() + " of " + bundle.name() + " are gone");
            }
            throw e;
        }
    }

    /// Returns the template of an instruction. The organization must be allowed to read its bundle now.
    ///
    /// @throws BundleGoneException if the bundle is gone, or private to another organization
    /// @throws GoneException if the bundle has no such prompt
    public String source(UUID organization, InstructionRow instruction) {
        String template = instruction.template();
        if (template != null) {
            return template;
        }
        String named = Objects.requireNonNull(instruction.bundle());
        var bundle = find(organization, RepositoryName.parse(named)).orElseThrow(() -> new BundleGoneException(named));
        return text(bundle, Objects.requireNonNull(instruction.digest()), Objects.requireNonNull(instruction.path()));
    }
}
