package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.JavaSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Every table belongs to one package: only there do statements name it. What others may name is listed here,
/// with the reason.
class TableOwnersTest {
    private static final Path MIGRATIONS = Path.of("src/main/resources/migration");
    private static final Pattern TABLE = Pattern.compile("(?i)CREATE (?:VIRTUAL |\\$\\{unlogged})?TABLE (\\w+)");
    private static final Pattern DROPPED = Pattern.compile("(?m)^DROP TABLE (\\w+)");
    private static final Pattern TEXT =
            Pattern.compile("\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\\\n]|\\\\.)*)\"", Pattern.DOTALL);
    private static final Pattern NAMED = Pattern.compile("\\b(?:FROM|JOIN|INTO|UPDATE)\\s+(\\w+)");

    private static final Map<String, Set<String>> OWNERS = Map.ofEntries(
            Map.entry("db", Set.of("announcement", "setting")),
            Map.entry("auth", Set.of("pepper", "signing_key", "revoked_token")),
            Map.entry("audit", Set.of("audit")),
            Map.entry("event", Set.of("event", "event_feed")),
            Map.entry("work", Set.of("work")),
            Map.entry("webhook", Set.of("webhook", "webhook_progress", "delivery", "delivery_attempt")),
            Map.entry(
                    "queue",
                    Set.of(
                            "habitat",
                            "queue",
                            "instruction",
                            "job",
                            "job_attempt",
                            "job_progress",
                            "job_hidden",
                            "job_count",
                            "worker",
                            "schedule",
                            "job_route")),
            Map.entry("rate", Set.of("node")),
            Map.entry("idempotency", Set.of("idempotent_request")),
            Map.entry("maintenance", Set.of("task_run")),
            Map.entry(
                    "org",
                    Set.of(
                            "organization",
                            "usage_delta",
                            "namespace",
                            "membership",
                            "invitation",
                            "namespace_transfer",
                            "api_key",
                            "key_policy")),
            Map.entry(
                    "identity",
                    Set.of(
                            "account",
                            "account_identity",
                            "password_ticket",
                            "totp",
                            "recovery_code",
                            "sign_in_attempt",
                            "session",
                            "device_grant",
                            "trusted_publisher",
                            "used_id_token")),
            Map.entry(
                    "registry",
                    Set.of(
                            "repository",
                            "blob",
                            "blob_content",
                            "link",
                            "manifest",
                            "manifest_content",
                            "manifest_blob",
                            "manifest_child",
                            "manifest_absent",
                            "signature",
                            "tombstone",
                            "tag",
                            "tag_history",
                            "upload",
                            "object_deletion",
                            "stray")),
            Map.entry(
                    "bundle",
                    Set.of(
                            "bundle",
                            "version",
                            "version_warning",
                            "version_requirement",
                            "dependency_change",
                            "packed_file",
                            "version_pull",
                            "version_day",
                            "version_client_day",
                            "version_credential_day",
                            "past_yank",
                            "asset",
                            "working_asset",
                            "download_day",
                            "download_seen",
                            "said_profile",
                            "review",
                            "review_decision",
                            "review_file",
                            "review_finding",
                            "review_policy",
                            "review_scan")),
            Map.entry("apm", Set.of("apm_archive")),
            Map.entry("skill", Set.of("skill_archive", "derived_image")),
            Map.entry("hub", Set.of("hub_entry", "hub_facet", "hub_person_star", "hub_skill", "hub_star", "hub_text")));

    /// Statements that name tables of others.
    ///
    /// @param file the class
    private record Exception(String file, Set<String> tables, String reason) {}

    private static final List<Exception> EXCEPTIONS = List.of(
            new Exception(
                    "IndexedRows",
                    Set.of("organization", "namespace", "repository"),
                    "it reads damaged tables from their indexes alone, which nobody else may do"),
            new Exception(
                    "CollectorRows",
                    Set.of("version", "working_asset", "review"),
                    "what reaches content and what is deleted are one statement, or something could come in between"),
            new Exception(
                    "RecalledRows",
                    Set.of("version"),
                    "a manifest that is a version of its own is not part of another one"),
            new Exception(
                    "RemovalRows",
                    Set.of("version", "working_asset", "namespace"),
                    "what reaches content and what is deleted are one statement, or something could come in between"),
            new Exception(
                    "FsckRows",
                    Set.of(
                            "version",
                            "asset",
                            "bundle",
                            "repository",
                            "blob",
                            "blob_content",
                            "link",
                            "manifest",
                            "manifest_content",
                            "manifest_blob",
                            "manifest_child",
                            "tag",
                            "object_deletion"),
                    "it checks how the tables of all agree"),
            new Exception("BackupRows", Set.of("organization", "setting", "blob"), "a backup is of all tables"),
            new Exception(
                    "StatsRows",
                    Set.of(
                            "organization",
                            "namespace",
                            "api_key",
                            "repository",
                            "bundle",
                            "version",
                            "tag",
                            "manifest",
                            "blob",
                            "link",
                            "session",
                            "stray",
                            "upload",
                            "object_deletion"),
                    "it counts the rows of all"),
            new Exception(
                    "UsageRows",
                    Set.of("repository", "link", "blob", "manifest", "bundle", "version", "upload"),
                    "what there is and what was recorded of it are compared in one state of the database"),
            new Exception("BlobRows", Set.of("version"), "versions are read again once what they lacked is whole"),
            new Exception(
                    "TransferRows",
                    Set.of("repository", "upload", "review"),
                    "what a namespace holds goes with it, or ends"),
            new Exception(
                    "ActorRows",
                    Set.of("membership", "api_key", "worker"),
                    "a page asks once for all names that it shows"),
            new Exception("MembershipRows", Set.of("account"), "members are listed and counted as the people they are"),
            new Exception("LiveSessionRows", Set.of("session"), "rights change below the package that has sessions"),
            new Exception("PublisherRows", Set.of("bundle", "repository"), "says which bundles are not there yet"),
            new Exception(
                    "RepositoryRows",
                    Set.of("namespace", "review_policy"),
                    "a repository is found with its owner and whether it is reviewed, in one query"),
            new Exception(
                    "HeldRows",
                    Set.of("review", "version"),
                    "what refers to a version opens with it, unless it waits for approval itself; what is no version"
                            + " closes"),
            new Exception(
                    "BundlePolicyRows", Set.of("namespace"), "the scanners of an earlier owner are not asked any more"),
            new Exception(
                    "PushScanRows",
                    Set.of("repository", "namespace"),
                    "a question to a scanner is found with the organization of its push, in one query"),
            new Exception(
                    "ReviewRows",
                    Set.of("repository", "namespace"),
                    "a push that waits is found with its bundle's name, in one query"),
            new Exception(
                    "BundleRows", Set.of("repository", "namespace"), "a bundle is found with its name, in one query"),
            new Exception(
                    "TrashRows",
                    Set.of("repository", "namespace"),
                    "a deleted bundle is found by its owner, in one query"),
            new Exception(
                    "OwnPullRows",
                    Set.of("repository", "namespace"),
                    "the pulls of all bundles of an owner are added up in one query"),
            new Exception(
                    "AdvisoryRows",
                    Set.of("manifest", "repository", "namespace"),
                    "the recalls of a namespace are listed with the names of their bundles in one query"),
            new Exception(
                    "UseReportRows",
                    Set.of("repository", "namespace"),
                    "all bundles of an owner are looked through in one query"),
            new Exception("AssetRows", Set.of("repository"), "an asset is found with its bundle's name, in one query"),
            new Exception(
                    "RequirementRows",
                    Set.of("repository", "namespace"),
                    "a required bundle is found by its name, with its owner, in one query"),
            new Exception(
                    "ClosureRows",
                    Set.of("repository", "namespace", "manifest"),
                    "the required bundles of many versions are found with their owners, in one query"),
            new Exception(
                    "DependentRows",
                    Set.of("repository", "namespace"),
                    "dependents are found with their owners, in one query"),
            new Exception("Migrations", Set.of("setting"), "the schema is noted before there is a Database"),
            new Exception("AuditGuard", Set.of("setting"), "the triggers ask for them"),
            new Exception(
                    "VersionRows",
                    Set.of("manifest", "tag", "repository", "namespace"),
                    "a version is found by its manifest, and with its bundle's name, in one query"),
            new Exception("WorkingAssetRows", Set.of("blob", "link"), "an asset is found with its blob, in one query"),
            new Exception("DownloadRows", Set.of("hub_entry"), "a bundle's counters stand in its entry of the hub"),
            new Exception(
                    "HubRows",
                    Set.of("repository", "namespace", "bundle", "version", "download_day", "signature"),
                    "pages show what was hidden, deleted or signed since the entry was written"));

    @Test
    void everyTableHasOneOwner() throws IOException {
        var tables = new TreeSet<String>(Set.of("hub_text"));
        try (var files = Files.list(MIGRATIONS)) {
            for (var file : files.sorted().toList()) { // V23, V24, ...
                String script = Files.readString(file);
                TABLE.matcher(script).results().forEach(match -> tables.add(match.group(1)));
                DROPPED.matcher(script).results().forEach(match -> tables.remove(match.group(1)));
            }
        }

        assertThat(OWNERS.values().stream().flatMap(Set::stream)).containsExactlyInAnyOrderElementsOf(tables);
    }

    @Test
    void onlyTheOwnerNamesATable() throws IOException {
        var allowed = new TreeMap<String, Set<String>>();
        EXCEPTIONS.forEach(exception -> allowed.put(exception.file(), exception.tables()));
        var foreign = new TreeMap<String, Set<String>>();
        for (Path file : JavaSources.files()) {
            var named = named(Files.readString(file));
            named.removeAll(OWNERS.getOrDefault(JavaSources.part(file), Set.of()));
            if (!named.isEmpty()) {
                foreign.put(file.getFileName().toString().replace(".java", ""), named);
            }
        }

        assertThat(foreign).isEqualTo(allowed);
    }

    /// The tables that the statements of a source file name.
    private static Set<String> named(String source) {
        var tables = new TreeSet<String>();
        TEXT.matcher(source)
                .results()
                .forEach(text -> NAMED.matcher(text.group(1) == null ? text.group(2) : text.group(1))
                        .results()
                        .map(match -> match.group(1))
                        .filter(name -> OWNERS.values().stream().anyMatch(all -> all.contains(name)))
                        .forEach(tables::add));
        return tables;
    }
}
