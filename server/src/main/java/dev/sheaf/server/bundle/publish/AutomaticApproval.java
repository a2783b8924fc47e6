package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Version;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.model.passport.PassportChange;
import dev.sheaf.model.passport.Severity;
import dev.sheaf.model.skill.AutomaticFiles;
import dev.sheaf.model.text.WireWords;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleRow;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.passport.ScanFindings;
import dev.sheaf.server.bundle.passport.VersionPassports;
import dev.sheaf.server.bundle.requirement.RequirementRows;
import dev.sheaf.server.bundle.review.AutoRule;
import dev.sheaf.server.bundle.review.ReviewRows;
import dev.sheaf.server.registry.Descriptor;
import dev.sheaf.server.registry.Repository;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Decides whether a rule of the policy approves a push without people. A push is compared with the highest
/// version that people approved, so that many small steps do not lead further than one. What cannot be
/// compared is for people.
public final class AutomaticApproval {
    private static final Duration PAUSE = Duration.ofHours(1); // of a bundle
    private static final int MOST_CHANGED = 1_000;
    private static final Digest NO_CONFIG = Digest.sha256("{}".getBytes(StandardCharsets.UTF_8));
    private static final Set<String> ANNOTATIONS = Set.of(
            "org.opencontainers.image.created",
            "org.opencontainers.image.revision",
            "org.opencontainers.image.version");
    private static final Set<String> OF_LAYERS = Set.of(OciPackaging.TITLE, OciPackaging.EXECUTABLE);
    /// Folders whose files a program offers by themselves.
    private static final Set<String> OFFERED = Set.of(
            "commands", "command", "agents", "agent", "hooks", "prompts", "prompt", "rules", "tools", "toolsets");

    private static final Set<AssetType> OFFERED_TYPES =
            EnumSet.of(AssetType.AGENT_SPEC, AssetType.TOOLSET, AssetType.PROMPT);

    private AutomaticApproval() {}

    /// The version with which a push is compared.
    public record Base(Repository repository, Digest digest, List<Asset> files, List<Requirement> requires) {
        public Base {
            files = List.copyOf(files);
            requires = List.copyOf(requires);
        }

        /// Reads its files.
        ///
        /// @param admitting receives the number of bytes to be read; may refuse by throwing
        public Passport passport(VersionPassports passports, LongConsumer admitting) {
            return passports.required(repository, digest, files, admitting);
        }
    }

    /// What was read of the version before the transaction.
    ///
    /// @param digest null if there was no version to compare with
    public record Read(@Nullable Digest digest, @Nullable Passport passport) {
        static final Read NOTHING = new Read(null, null);

        public static Read of(Base base, Passport passport) {
            return new Read(base.digest(), passport);
        }
    }

    /// Returns the version with which a push is compared: the highest one that people approved. Empty if no
    /// rule may approve the push: if there is no such version, or readers do not get it any more; if people
    /// have rejected a push since they last approved one; if a rule approved one within the last hour; if
    /// the number waits for people.
    ///
    /// @param waiting whether the push itself waits, for scanners
    public static Optional<Base> base(
            Tx tx, Repository repository, @Nullable BundleRow bundle, Version version, boolean waiting) {
        if (bundle == null
                || (!waiting && ReviewRows.open(tx, repository.id(), version).isPresent())) {
            return Optional.empty();
        }
        var approved = ReviewRows.approvedByPeople(tx, repository.id());
        var highest = approved.stream().max(ReviewRows.Approved.BY_VERSION);
        var lastly = approved.stream().map(ReviewRows.Approved::endedAt).max(Instant::compareTo);
        if (highest.isEmpty()
                || lastly.isEmpty()
                || ReviewRows.isRejectedSince(tx, repository.id(), lastly.get())
                || ReviewRows.isRuledSince(tx, repository.id(), tx.now().minus(PAUSE))) {
            return Optional.empty();
        }
        return VersionRows.find(tx, bundle.id(), highest.get().version())
                .filter(row -> row.digest().equals(highest.get().digest())
                        && row.state() == VersionRow.State.PUBLISHED
                        && row.recalledAt() == null)
                .map(row -> new Base(
                        repository, row.digest(), AssetRows.content(tx, row.id()), RequirementRows.list(tx, row.id())));
    }

    /// Returns the number of the first rule that approves a push; 0 if none does.
    ///
    /// @param read what was read of the version before the transaction
    /// @param actor who pushed it
    public static int rule(
            List<AutoRule> rules, Base base, Read read, BundleSnapshot bundle, NewVersion push, String actor) {
        var passport = push.notes().passport();
        var before = read.passport();
        if (passport == null || before == null || !base.digest().equals(read.digest()) || !isPlain(push)) {
            return 0;
        }
        boolean setsTexts =
                !push.description().over(bundle).equals(bundle.bundle().profile());
        var old = byPath(base.files());
        var sent = byPath(push.content().assets());
        var changed = changed(old, sent);
        if (setsTexts || changed.size() > MOST_CHANGED || !isRead(passport, changed)) {
            return 0;
        }
        boolean isMore = !base.requires().containsAll(push.content().requires())
                || !PassportChange.between(before.rows(), passport.rows())
                        .added()
                        .equals(Passport.Rows.NONE)
                || changed.stream().anyMatch(path -> isCapability(old.get(path), sent.get(path), base, passport));
        var worst = worst(push);
        for (int i = 0; i < rules.size(); i++) {
            var rule = rules.get(i);
            boolean holds = (rule.publisher() == null || rule.publisher().equals(actor))
                    && (!rule.noNewCapabilities() || !isMore)
                    && (worst == null || worst.compareTo(rule.maxFinding()) <= 0)
                    && rule.admits(changed);
            if (holds) {
                return i + 1;
            }
        }
        return 0;
    }

    /// Returns whether a manifest says nothing but which files there are: readers get the rest of it too,
    /// and nobody compares that.
    private static boolean isPlain(NewVersion push) {
        var content = push.content();
        var manifest = content.manifest();
        return manifest.subject().isEmpty()
                && manifest.manifests().isEmpty()
                && push.notes().packed().isEmpty()
                && ANNOTATIONS.containsAll(manifest.annotations().keySet())
                && manifest.layers().stream().allMatch(AutomaticApproval::isFile)
                && manifest.config()
                        .map(Descriptor::digest)
                        .filter(config -> isConfig(push, config))
                        .isPresent();
    }

    private static boolean isFile(Descriptor layer) {
        return layer.annotations().containsKey(OciPackaging.TITLE)
                && OF_LAYERS.containsAll(layer.annotations().keySet());
    }

    private static boolean isConfig(NewVersion push, Digest config) {
        var content = push.content();
        boolean isBundle = content.manifest()
                .config()
                .filter(one -> one.mediaType().equals(MediaType.BUNDLE_CONFIG))
                .isPresent();
        return isBundle
                ? OciPackaging.of(
                                push.name(),
                                content.version(),
                                push.description().name(),
                                push.description().description(),
                                content.assets().stream().map(Asset::packed).toList(),
                                content.requires())
                        .config()
                        .digest()
                        .equals(config)
                : config.equals(NO_CONFIG);
    }

    private static Map<String, Asset> byPath(List<Asset> files) {
        var byPath = new HashMap<String, Asset>();
        files.forEach(file -> byPath.put(file.path().value(), file));
        return byPath;
    }

    /// Returns the paths that were added, removed or modified.
    private static Set<String> changed(Map<String, Asset> old, Map<String, Asset> sent) {
        return Stream.concat(old.keySet().stream(), sent.keySet().stream())
                .filter(path -> !isSame(old.get(path), sent.get(path)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isSame(@Nullable Asset one, @Nullable Asset other) {
        return one != null && other != null && one.with(isExecutable(one)).equals(other.with(isExecutable(other)));
    }

    private static boolean isExecutable(Asset file) {
        return Boolean.TRUE.equals(file.executable());
    }

    /// Returns whether the changed files were read to their end, and nothing else is left out that could be
    /// compared.
    private static boolean isRead(Passport passport, Set<String> changed) {
        return passport.unread().size() < Passport.MAX_UNREAD
                && passport.unread().stream()
                        .noneMatch(unread -> unread.path().isEmpty() || changed.contains(unread.path()));
    }

    /// Returns whether a changed file is something that runs, that a program loads by itself, or of another
    /// kind than before.
    private static boolean isCapability(@Nullable Asset old, @Nullable Asset sent, Base base, Passport passport) {
        if (sent == null) {
            return false;
        }
        String path = sent.path().value();
        boolean runs = isExecutable(sent)
                || (old != null && isExecutable(old))
                || passport.rows().runs().stream()
                        .anyMatch(entry -> entry.what().equals(path)
                                || entry.places().stream()
                                        .anyMatch(place -> place.path().equals(path)));
        boolean isKnown = old != null
                ? old.mediaType().equals(sent.mediaType()) && old.assetType() == sent.assetType()
                : base.files().stream().anyMatch(file -> file.mediaType().equals(sent.mediaType()))
                        && base.files().stream().anyMatch(file -> file.assetType() == sent.assetType())
                        && base.files().stream().anyMatch(file -> ending(file).equals(ending(sent)))
                        && !isOffered(sent);
        return runs || !isKnown || configures(sent);
    }

    /// Returns the ending of a name, or the whole name if it has none. The types are what the pusher says; this is what
    /// programs go by.
    private static String ending(Asset file) {
        String name = file.path().fileName().toLowerCase(Locale.ROOT);
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /// Returns whether a file may set up a program: by its type, or because programs load it by themselves.
    private static boolean configures(Asset file) {
        var types = EnumSet.of(file.assetType(), AssetType.infer(file.path()));
        return types.contains(AssetType.PLUGIN)
                || types.contains(AssetType.MCP)
                || AutomaticFiles.why(file.path().value()).isPresent();
    }

    /// Returns whether a new file is one that programs offer or run by its name alone.
    private static boolean isOffered(Asset file) {
        return file.path().fileName().equalsIgnoreCase("SKILL.md")
                || OFFERED_TYPES.contains(file.assetType())
                || OFFERED_TYPES.contains(AssetType.infer(file.path()))
                || file.path().folders().stream().anyMatch(folder -> OFFERED.contains(folder.toLowerCase(Locale.ROOT)));
    }

    private static @Nullable Severity worst(NewVersion push) {
        var passport = push.notes().passport();
        return passport == null
                ? Severity.HIGH
                : ScanFindings.of(passport, push.notes().warnings()).stream()
                        .flatMap(finding -> Stream.ofNullable(finding.severity()))
                        .flatMap(word -> WireWords.find(Severity.class, word).stream())
                        .max(Severity::compareTo)
                        .orElse(null);
    }
}
