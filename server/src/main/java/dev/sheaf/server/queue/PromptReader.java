package dev.sheaf.server.queue;

import dev.sheaf.engine.template.Template;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.text.Utf8Text;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.version.Resolve;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/// Resolves references to bundles for queues, and reads the prompts of instructions. Thread-safe.
public final class PromptReader {
    private final Bundles bundles;
    private final Resolve resolve;
    private final AssetBytes contents;

    public PromptReader(Bundles bundles, Resolve resolve, AssetBytes contents) {
        this.bundles = bundles;
        this.resolve = resolve;
        this.contents = contents;
    }

    /// Thrown if the prompt of an instruction does not exist or cannot be used.
    public static final class GoneException extends RuntimeException {
        private static final long serialVersionUID = 1;

        GoneException(String message) {
            super(message, null, false, false);
        }
    }

    /// Thrown if the bundle of an instruction was deleted, or the organization may no longer read it.
    public static final class BundleGoneException extends RuntimeException {
        private static final long serialVersionUID = 1;

        BundleGoneException(String bundle) {
            super("the bundle " + bundle + " of the instruction is deleted, or private to another organization");
        }
    }

    /// Returns the version to which a selector points now; empty if there is none that the organization may
    /// read.
    public Optional<Digest> digest(UUID organization, RepositoryName name, VersionSelector selector) {
        return find(organization, name)
                .flatMap(bundle -> resolve.find(bundle, selector))
                .map(found -> found.version().digest());
    }

    private Optional<BundleSnapshot> find(UUID organization, RepositoryName name) {
        return bundles.find(name)
                .filter(bundle -> bundle.visibility() == Visibility.PUBLIC
                        || bundle.organizationId().equals(organization));
    }

    /// Returns the text at a path of a version.
    ///
    /// @throws GoneException if there is no such file, or it is too large or not text
    String text(BundleSnapshot bundle, Digest digest, String path) {
        String version = bundle.name() + "@" + digest;
        var asset = resolve
                .find(bundle, new VersionSelector.ByDigest(digest))
                .orElseThrow(() -> new GoneException("the version " + version + " no longer exists"))
                .assets()
                .stream()
                .filter(its -> its.path().toString().equals(path))
                .findFirst()
                .orElseThrow(() -> new GoneException(version + " has no file " + path));
        if (asset.size() > Template.MAX_SOURCE) {
            throw new GoneException("the prompt " + path + " is larger than " + Template.MAX_SOURCE + " bytes");
        }
        return Utf8Text.of(bytes(bundle, asset))
                .orElseThrow(() -> new GoneException("the prompt " + path + " is not UTF-8 text"));
    }

    private byte[] bytes(BundleSnapshot bundle, StoredAsset asset) {
        try {
            return contents.bytes(bundle.repository(), asset);
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.BlobUnknown) {
                throw new GoneException("the bytes of " + asset.path() + " of " + bundle.name() + " were deleted");
            }
            throw e;
        }
    }

    /// Returns the template of an instruction. The organization must be allowed to read its bundle now.
    ///
    /// @throws BundleGoneException if the bundle was deleted, or is private to another organization
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
