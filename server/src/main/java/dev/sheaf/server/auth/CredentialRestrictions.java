package dev.sheaf.server.auth;

import dev.sheaf.engine.net.Cidr;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.key.KeyRestrictions;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The restrictions of a key (contract 5.1), checked at every use. An empty list does not restrict.
public record CredentialRestrictions(
        List<Namespace> namespaces, List<BundlePattern> bundles, List<Cidr> cidrs, JobUses jobs) {
    public static final CredentialRestrictions NONE =
            new CredentialRestrictions(List.of(), List.of(), List.of(), JobUses.ANY);
    private static final int MAX_ENTRIES = 100;

    /// `namespace/bundle`, or `namespace/start*`. Repositories of more parts (`team/app/image`) are named alike.
    record BundlePattern(Namespace namespace, String slug) {
        static BundlePattern parse(String text) {
            int slash = text.indexOf('/');
            if (slash < 0) {
                throw Problem.invalid(
                        "format", Quoted.of(text) + " must be namespace/bundle; one trailing * is allowed");
            }
            String slug = text.substring(slash + 1);
            String start = slug.endsWith("*") ? slug.substring(0, slug.length() - 1) : slug;
            if (!start.isEmpty() || !slug.equals("*")) {
                BundleName.parse(
                        slug.endsWith("*") && "-_./".indexOf(start.charAt(start.length() - 1)) >= 0
                                ? start + "x"
                                : start);
            }
            return new BundlePattern(Namespace.parse(text.substring(0, slash)), slug);
        }

        boolean matches(RepositoryName name) {
            String bundle = name.bundle().value();
            return name.namespace().equals(namespace)
                    && (slug.endsWith("*")
                            ? bundle.startsWith(slug.substring(0, slug.length() - 1))
                            : bundle.equals(slug));
        }

        boolean covers(BundlePattern other) {
            String start = slug.endsWith("*") ? slug.substring(0, slug.length() - 1) : null;
            return namespace.equals(other.namespace)
                    && (start == null ? slug.equals(other.slug) : other.slug.startsWith(start));
        }

        @Override
        public String toString() {
            return namespace + "/" + slug;
        }
    }

    public CredentialRestrictions {
        namespaces = List.copyOf(namespaces);
        bundles = List.copyOf(bundles);
        cidrs = List.copyOf(cidrs);
    }

    /// @throws ProblemException validation-failed with every invalid entry
    public static CredentialRestrictions parse(@Nullable KeyRestrictions wire) {
        if (wire == null) {
            return NONE;
        }
        var errors = new ArrayList<Problem.FieldError>();
        var parsed = new CredentialRestrictions(
                entries("/namespaces", wire.namespaces(), Namespace::parse, errors),
                entries("/bundles", wire.bundles(), BundlePattern::parse, errors),
                entries("/cidrs", wire.cidrs(), Cidr::parse, errors),
                new JobUses(
                        entries("/queues", wire.queues(), JobUses::queue, errors),
                        entries("/uses", wire.uses(), JobUses::use, errors)));
        if (!errors.isEmpty()) {
            throw new Problem.ValidationFailed(errors).raise();
        }
        return parsed;
    }

    private static <T> List<T> entries(
            String pointer, @Nullable List<String> texts, Function<String, T> parse, List<Problem.FieldError> errors) {
        var parsed = new ArrayList<T>();
        List<String> given = texts == null ? List.of() : texts;
        if (texts != null && (given.isEmpty() || given.size() > MAX_ENTRIES)) {
            errors.add(new Problem.FieldError(
                    pointer, "range", "must have 1 to " + MAX_ENTRIES + " entries; leave it out for no restriction"));
        }
        for (int i = 0; i < Math.min(given.size(), MAX_ENTRIES); i++) {
            String text = given.get(i);
            ProblemException.check(pointer + "/" + i, () -> parsed.add(parse.apply(text)))
                    .ifPresent(failed -> errors.addAll(failed.errors()));
        }
        return parsed;
    }

    public boolean isNone() {
        return namespaces.isEmpty() && bundles.isEmpty() && cidrs.isEmpty() && jobs.isNone();
    }

    /// Returns whether the key is confined to a part of the organization. A restriction to addresses does not
    /// count.
    public boolean isPart() {
        return confineBundles() || !jobs.isNone();
    }

    /// Returns whether the key is confined to some bundles or namespaces.
    public boolean confineBundles() {
        return !namespaces.isEmpty() || !bundles.isEmpty();
    }

    public boolean permit(RepositoryName name) {
        return permit(name.namespace())
                && (bundles.isEmpty() || bundles.stream().anyMatch(pattern -> pattern.matches(name)));
    }

    /// Returns whether at least a part of the namespace is permitted.
    public boolean permit(Namespace name) {
        return (namespaces.isEmpty() || namespaces.contains(name))
                && (bundles.isEmpty()
                        || bundles.stream()
                                .anyMatch(pattern -> pattern.namespace().equals(name)));
    }

    public boolean permit(InetAddress address) {
        return cidrs.isEmpty() || cidrs.stream().anyMatch(cidr -> cidr.contains(address));
    }

    /// Returns whether a key with restrictions `other` can do nothing that a key with these restrictions cannot.
    public boolean cover(CredentialRestrictions other) {
        var named = other.namespaces.isEmpty()
                ? other.bundles.stream().map(BundlePattern::namespace).toList() // bundles confine to their namespaces
                : other.namespaces;
        return within(namespaces, named, Namespace::equals)
                && within(bundles, other.bundles, BundlePattern::covers)
                && within(cidrs, other.cidrs, Cidr::covers)
                && within(jobs.queues(), other.jobs.queues(), JobUses::covers)
                && within(jobs.uses(), other.jobs.uses(), String::equals);
    }

    /// Returns the bundles, each `namespace/bundle` or `namespace/start*`.
    public List<String> namesOfBundles() {
        return bundles.stream().map(BundlePattern::toString).toList();
    }

    /// Returns the namespaces of the listed bundles; empty if no bundle is listed.
    public Set<Namespace> namespacesOfBundles() {
        return bundles.stream().map(BundlePattern::namespace).collect(Collectors.toUnmodifiableSet());
    }

    /// Returns these restrictions without the bundles of some namespaces. Empty if no bundle would remain: an
    /// empty list would not restrict at all.
    public Optional<CredentialRestrictions> withoutBundlesOf(Set<Namespace> left) {
        var others = bundles.stream()
                .filter(pattern -> !left.contains(pattern.namespace()))
                .toList();
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of(new CredentialRestrictions(namespaces, others, cidrs, jobs));
    }

    /// Returns `narrower` if it has entries, or else these. `narrower` must lie within these.
    CredentialRestrictions and(CredentialRestrictions narrower) {
        return narrower.isNone() ? this : narrower;
    }

    /// Returns these restrictions, with each non-empty list of `narrower` in place of the list here. The caller
    /// must check the result with [#cover].
    public CredentialRestrictions with(CredentialRestrictions narrower) {
        return new CredentialRestrictions(
                narrower.namespaces.isEmpty() ? namespaces : narrower.namespaces,
                narrower.bundles.isEmpty() ? bundles : narrower.bundles,
                narrower.cidrs.isEmpty() ? cidrs : narrower.cidrs,
                jobs.with(narrower.jobs));
    }

    private interface Covers<T> {
        boolean test(T wider, T narrower);
    }

    private static <T> boolean within(List<T> wider, List<T> narrower, Covers<T> covers) {
        return wider.isEmpty()
                || (!narrower.isEmpty()
                        && narrower.stream()
                                .allMatch(entry -> wider.stream().anyMatch(allowed -> covers.test(allowed, entry))));
    }

    /// Returns the JSON form; null if nothing is restricted.
    public @Nullable KeyRestrictions toWire() {
        return isNone()
                ? null
                : new KeyRestrictions(
                        texts(namespaces), texts(bundles), texts(cidrs), texts(jobs.queues()), texts(jobs.uses()));
    }

    /// Returns the form stored in rows: one entry per line, preceded by its kind; null if nothing is restricted.
    public @Nullable String encode() {
        var lines = new ArrayList<String>();
        namespaces.forEach(entry -> lines.add("namespace " + entry));
        bundles.forEach(entry -> lines.add("bundle " + entry));
        cidrs.forEach(entry -> lines.add("cidr " + entry));
        jobs.queues().forEach(entry -> lines.add("queue " + entry));
        jobs.uses().forEach(entry -> lines.add("use " + entry));
        return lines.isEmpty() ? null : String.join("\n", lines);
    }

    /// Reads what [#encode] wrote.
    public static CredentialRestrictions decode(@Nullable String rows) {
        return rows == null
                ? NONE
                : new CredentialRestrictions(
                        entries(rows, "namespace ", Namespace::parse),
                        entries(rows, "bundle ", BundlePattern::parse),
                        entries(rows, "cidr ", Cidr::parse),
                        new JobUses(entries(rows, "queue ", JobUses::queue), entries(rows, "use ", JobUses::use)));
    }

    private static <T> List<T> entries(String rows, String kind, Function<String, T> parse) {
        return rows.lines()
                .filter(line -> line.startsWith(kind))
                .map(line -> parse.apply(line.substring(kind.length())))
                .toList();
    }

    private static @Nullable List<String> texts(List<?> entries) {
        return entries.isEmpty() ? null : entries.stream().map(Object::toString).toList();
    }
}
