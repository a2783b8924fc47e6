package dev.sheaf.server.config;

import static dev.sheaf.server.config.SettingRule.ANY;
import static dev.sheaf.server.config.SettingRule.BLOCKS;
import static dev.sheaf.server.config.SettingRule.COLLECTOR;
import static dev.sheaf.server.config.SettingRule.DATABASE;
import static dev.sheaf.server.config.SettingRule.FILLED;
import static dev.sheaf.server.config.SettingRule.FLAG;
import static dev.sheaf.server.config.SettingRule.FOREVER;
import static dev.sheaf.server.config.SettingRule.HANDLE;
import static dev.sheaf.server.config.SettingRule.HEADERS;
import static dev.sheaf.server.config.SettingRule.HOSTS;
import static dev.sheaf.server.config.SettingRule.ISSUERS;
import static dev.sheaf.server.config.SettingRule.KEY;
import static dev.sheaf.server.config.SettingRule.KEYS;
import static dev.sheaf.server.config.SettingRule.ORIGINS;
import static dev.sheaf.server.config.SettingRule.PROVIDER;
import static dev.sheaf.server.config.SettingRule.SHARE;
import static dev.sheaf.server.config.SettingRule.SITE;
import static dev.sheaf.server.config.SettingRule.duration;
import static dev.sheaf.server.config.SettingRule.foreverOr;
import static dev.sheaf.server.config.SettingRule.number;
import static dev.sheaf.server.config.SettingRule.oneOf;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The settings of the server. Each has one spelling: `data-dir` in the file, `SHEAF_DATA_DIR` in the environment,
/// `--data-dir` as a flag.
public enum Setting {
    HOST("127.0.0.1", FILLED, "Address to listen on."),
    PORT("8080", number(0, 65_535), "Port to listen on; 0 takes a free one."),
    DATA_DIR("./data", ANY, "Folder of the database file, the content and the secrets."),
    PUBLIC_URL(
            "",
            SITE,
            "Address of the registry for users, such as https://bundles.example.org; empty: the host of"
                    + " each request."),
    ALLOWED_HOSTS(
            "",
            HOSTS,
            "Host names of the registry without public-url, separated by commas; localhost and its addresses"
                    + " always work."),
    AI_CATALOG(
            "false",
            FLAG,
            "Whether /.well-known/ai-catalog.json lists all public bundles for agents; needs a public-url with a domain"
                    + " name."),
    TLS_CERTIFICATE("", ANY, "PEM file of the certificate with its chain, for HTTPS; empty: plain HTTP."),
    TLS_KEY(
            "",
            ANY,
            "PEM file of the certificate's key, without a password. Both files are read again when they change."),
    HTTP2("false", FLAG, "Whether clients may choose HTTP/2, which requires HTTPS."),
    CORS_ORIGINS(
            "",
            ORIGINS,
            "Origins of web pages that may call the API, separated by commas, or * for any; empty: no other origin."),
    TRUSTED_PROXIES(
            "",
            BLOCKS,
            "Proxies whose headers are trusted: addresses or blocks, separated by commas; empty: no proxy."),
    FORWARDED_HEADER(
            "x-forwarded",
            oneOf("x-forwarded", "forwarded"),
            "Headers of these proxies: x-forwarded (X-Forwarded-For, ...) or forwarded (RFC 7239)."),
    METRICS_READERS(
            "",
            BLOCKS,
            "Addresses or blocks that read /metrics without a key, separated by commas; empty: only administrators."),
    DATABASE_URL("", DATABASE, "jdbc:postgresql://host/db for PostgreSQL; empty: SQLite in the data folder."),
    DATABASE_USER("", ANY, "User of the PostgreSQL database."),
    DATABASE_PASSWORD("", ANY, "Password of the PostgreSQL database.", true),
    DATABASE_CONNECTIONS("16", number(2, 1_000), "Maximum number of connections to PostgreSQL."),
    POSTGRES_LISTEN_URL("", DATABASE, "Address of the same database that bypasses a pooler; empty: no pooler."),
    S3_BUCKET("", ANY, "Bucket for large content; it must exist. Empty: files in the data folder."),
    S3_REGION("us-east-1", FILLED, "Region of the bucket."),
    S3_ENDPOINT("", SITE, "Address of the S3 server, such as https://s3.example.org; empty: AWS in the region."),
    S3_ACCESS_KEY_ID("", ANY, "Access key of the bucket; empty: the AWS SDK's own sources."),
    S3_SECRET_ACCESS_KEY("", ANY, "Secret of the access key.", true),
    S3_PATH_STYLE("false", FLAG, "Whether requests name the bucket in the path instead of the host."),
    S3_CHECKSUMS(
            "auto",
            oneOf("auto", "when-supported", "when-required"),
            "When to send checksums: when-supported, when-required (for older S3 servers), or auto, which tries both."),
    S3_REDIRECT_MIN_BYTES(
            "0",
            number(0, Long.MAX_VALUE),
            "From this size, clients fetch blobs from the bucket itself, through a redirect; 0: never."),
    MASTER_KEY(
            "", KEY, "32 bytes in base64, the same on all nodes; empty: kept in <data-dir>/secrets/master-key.", true),
    PREVIOUS_MASTER_KEYS(
            "", KEYS, "Master keys that this one replaced, separated by commas; data under them stays usable.", true),
    BOOTSTRAP_ORG("default", HANDLE, "Handle of the organization that the first start creates."),
    CLAIM_BY_PUSH("true", FLAG, "Whether a push into a free namespace claims it for the key's organization."),
    MAX_LIVE_KEYS("100", number(1, 1_000_000), "Maximum number of working API keys per organization."),
    TOKEN_KEY_DAYS(
            "90", number(0, 3_650), "Days after which access tokens get a new signing key; 0: never automatically."),
    SELF_SERVICE("false", FLAG, "Whether every signed-in person may create organizations."),
    INVITATION_LIFETIME(
            "P7D",
            duration(Duration.ofMinutes(1)),
            "How long an invitation or an offer of a namespace can be accepted."),
    OIDC_ISSUER("", PROVIDER, "OpenID provider for sign-in, as in the iss of its id_tokens; empty: no such sign-in."),
    OIDC_CLIENT_ID("", ANY, "Client id of this registry at the provider."),
    OIDC_CLIENT_SECRET("", ANY, "Client secret at the provider; empty: a public client.", true),
    OIDC_DOMAINS("", ANY, "Accepted domains of verified e-mail addresses, separated by spaces; empty: all."),
    OIDC_AUTO_PROVISION("false", FLAG, "Whether a new person gets an account at the first sign-in with the provider."),
    OIDC_LINK_BY_EMAIL("false", FLAG, "Whether an address that the provider verified signs in to an existing account."),
    OIDC_SKIPS_TOTP("false", FLAG, "Whether a sign-in with the provider needs no authenticator code."),
    OIDC_NAME("", ANY, "Name of the provider on the sign-in page; empty: \"your organization's provider\"."),
    SESSION_IDLE("P7D", duration(Duration.ofMinutes(1)), "How long a session lasts without use."),
    SESSION_LIFETIME("P30D", duration(Duration.ofMinutes(1)), "How long a session lasts at most."),
    TRUSTED_ISSUERS(
            "https://token.actions.githubusercontent.com https://gitlab.com",
            ISSUERS,
            "Issuers of id_tokens for trusted publishers, separated by spaces."),
    TRUSTED_AUDIENCES(
            "",
            ANY,
            "Further accepted values of their claim aud, besides public-url and its host, separated by spaces."),
    DELETE_ENABLED("true", FLAG, "Whether OCI clients may delete manifests, tags and blobs."),
    SPARSE_MANIFESTS("false", FLAG, "Whether OCI clients may push manifests that name missing content."),
    MAX_BLOB_BYTES("10737418240", number(1, Long.MAX_VALUE), "Largest blob that an OCI client may push."),
    MAX_OPEN_UPLOADS("200", number(1, 1_000_000), "Maximum number of open uploads by OCI clients per organization."),
    MAX_OPEN_UPLOADS_PER_CREDENTIAL(
            "100", number(1, 1_000_000), "Maximum number of open uploads by OCI clients per credential."),
    MAX_ASSET_BYTES("104857600", number(1, Long.MAX_VALUE), "Largest asset of a bundle."),
    MAX_BUNDLE_BYTES("536870912", number(1, Long.MAX_VALUE), "Largest content of a version."),
    MAX_ASSETS("2000", number(1, 100_000), "Maximum number of assets per version."),
    MAX_MANIFEST_BYTES("4194304", number(1_024, 64 << 20), "Largest manifest that an OCI client may push."),
    MAX_README_BYTES("524288", number(1, 16 << 20), "Largest README."),
    MAX_TEXT_BYTES("4194304", number(1, 64 << 20), "Largest text asset in JSON."),
    MAX_PUSH_BYTES("67108864", number(1_024, 1 << 30), "Largest JSON body of a push."),
    MAX_JSON_BYTES("1048576", number(1_024, 64 << 20), "Largest JSON body of other requests."),
    API_TIMEOUT(
            "PT10S",
            duration(Duration.ZERO),
            "How long a request may take, without the transfer of its content; PT0S: unlimited."),
    TRANSFER_TIMEOUT("PT1M", duration(Duration.ofMillis(1)), "How long a connection may be idle before it is closed."),
    QUOTA_BYTES(
            "0",
            number(0, Long.MAX_VALUE),
            "Maximum number of bytes per organization, unless it has its own quota; 0: unlimited."),
    QUOTA_BUNDLES(
            "0",
            number(0, Long.MAX_VALUE),
            "Maximum number of bundles per organization, unless it has its own quota; 0: unlimited."),
    QUOTA_VERSIONS(
            "0",
            number(0, Long.MAX_VALUE),
            "Maximum number of versions per organization, unless it has its own quota; 0: unlimited."),
    READ_ONLY("false", FLAG, "Whether requests that change something are refused on this node."),
    RATE_ANONYMOUS_READS(
            "300",
            number(0, 1_000_000_000),
            "Maximum number of requests per minute and address without a credential; 0: unlimited."),
    RATE_READS(
            "3000", number(0, 1_000_000_000), "Maximum number of reads per minute with one credential; 0: unlimited."),
    RATE_WRITES(
            "300", number(0, 1_000_000_000), "Maximum number of writes per minute with one credential; 0: unlimited."),
    RATE_CONTENT(
            "6000",
            number(0, 1_000_000_000),
            "Maximum number of files, blobs and manifests per minute with one credential, or from one address without a"
                    + " credential; 0: unlimited."),
    RATE_RUNNER(
            "6000",
            number(0, 1_000_000_000),
            "Maximum number of calls under /v1/runner per minute with one credential; 0: unlimited."),
    RATE_FAILED_AUTHENTICATIONS(
            "20",
            number(0, 1_000_000_000),
            "Maximum number of wrong credentials per minute from one address; 0: unlimited."),
    MAX_REMEMBERED_REQUESTS(
            "20000", number(1, 10_000_000), "Maximum number of stored Idempotency-Key answers per credential."),
    MAX_CONNECTIONS(
            "0", number(0, 60_000), "Maximum number of open connections; 0: one per 128 KiB of heap, up to 4,096."),
    MAX_CONNECTIONS_PER_ADDRESS(
            "0", number(0, 60_000), "Maximum number of open connections per address; 0: a quarter of max-connections."),
    MAX_FOLLOWERS(
            "0",
            number(0, 1_000_000),
            "Maximum number of requests that wait for events; 0: three quarters of max-connections."),
    MIN_BODY_RATE("1024", number(0, 1 << 20), "Bytes per second at which a body must move after ten seconds; 0: any."),
    PUSH_LEASE(
            "PT24H",
            duration(Duration.ofSeconds(1)),
            "How long pushed content is kept without a reference, as an ISO 8601 duration."),
    GC_INTERVAL("PT10M", duration(Duration.ZERO), "How often a node deletes unneeded content; PT0S: only on request."),
    DELETION_GRACE("PT24H", duration(Duration.ZERO), "How long deleted bytes stay, for running downloads."),
    UNTAGGED_RETENTION("forever", FOREVER, "How long manifests without a tag or other need are kept, or forever."),
    SWEEP_INTERVAL(
            "P1D",
            duration(Duration.ZERO),
            "How often a node looks for content that no row names; PT0S: only on request."),
    STRAY_AGE(
            "PT48H",
            duration(Duration.ZERO),
            "How long content that no row names is left alone before it is set aside."),
    STRAY_RETENTION("P7D", duration(Duration.ZERO), "How long content that was set aside is kept before removal."),
    EVENT_RETENTION("P90D", duration(Duration.ofHours(1)), "How long events can be read."),
    TAG_HISTORY_RETENTION("forever", foreverOr(Duration.ofDays(1)), "How long the moves of tags are kept, or forever."),
    DOWNLOAD_RETENTION(
            "P396D",
            foreverOr(Duration.ofDays(91)),
            "How long downloads are kept by day, or forever; older days become one sum."),
    ENDED_RETENTION(
            "P365D",
            foreverOr(Duration.ofDays(1)),
            "How long ended API keys, invitations and offers of namespaces are kept, or forever."),
    AUDIT_RETENTION(
            "forever",
            foreverOr(Duration.ofDays(30)),
            "How long entries of the audit log are kept, or forever; older ones go to audit-archive."),
    AUDIT_ARCHIVE("", ANY, "Folder for removed entries of the audit log; empty: <data-dir>/audit."),
    WEBHOOKS("true", FLAG, "Whether this node delivers webhooks; use false for a trial copy of an installation."),
    WEBHOOK_HTTP("false", FLAG, "Whether webhooks may go to http:// addresses, which others on the network can read."),
    WEBHOOK_PRIVATE_ADDRESSES(
            "false", FLAG, "Whether webhooks may go to non-public addresses, such as this machine and its network."),
    MEMORY_BUDGET_BYTES(
            "0",
            number(0, Long.MAX_VALUE),
            "Maximum memory for request bodies and their processing, in bytes; 0: depends on the heap."),
    MIN_FREE_BYTES("268435456", number(0, Long.MAX_VALUE), "Free disk space below which content is refused."),
    GIT_CACHE_BYTES(
            "10737418240",
            number(1 << 20, Long.MAX_VALUE),
            "Maximum size of the copies of bundles that are kept on this node's disk for git."),
    BACKUP_DIR("", ANY, "Folder that the task `backup` writes to; empty: <data-dir>/backups."),
    BACKUP_KEEP("0", number(0, 1_000_000), "How many of the newest backups that task keeps; 0: all."),
    BACKUP_HOURS(
            "0",
            number(0, 8_760),
            "Hours after which one of the nodes runs the task `backup` by itself; 0: only when it is asked."),
    SCRUB_DAYS("7", number(0, 3_650), "Days within which all stored content is verified; 0: never."),
    START_WAIT_SECONDS(
            "60",
            number(0, 86_400),
            "How long a start waits for a database or bucket that does not answer, before it fails."),
    DRAIN_SECONDS(
            "0",
            number(0, 3_600),
            "How long a stopping node still serves while it is not ready, so that a load balancer removes it first."),
    SHUTDOWN_SECONDS("20", number(0, 3_600), "How long a stop waits for running requests."),
    TRACE_ENDPOINT(
            "",
            COLLECTOR,
            "Address that accepts traces by OTLP over HTTP, such as http://127.0.0.1:4318; empty: no traces."),
    TRACE_HEADERS("", HEADERS, "Headers for it, such as Authorization=Bearer abc, separated by commas.", true),
    TRACE_RATIO("1", SHARE, "Share of requests whose trace is recorded, from 0 to 1."),
    ACCESS_LOG("0", number(0, 1_000_000), "Logs one of this many requests, and all server errors; 0: no access log."),
    LOG_FORMAT("text", oneOf("text", "json"), "text, or json for one JSON object per line."),
    LOG_LEVEL("info", oneOf("error", "warn", "info", "debug", "trace"), "error, warn, info, debug or trace.");

    private final String fallback;
    private final SettingRule rule;
    private final String meaning;
    private final boolean secret;

    Setting(String fallback, SettingRule rule, String meaning) {
        this(fallback, rule, meaning, false);
    }

    Setting(String fallback, SettingRule rule, String meaning, boolean secret) {
        this.fallback = fallback;
        this.rule = rule;
        this.meaning = meaning;
        this.secret = secret;
    }

    /// Returns the setting with the given key.
    public static Optional<Setting> find(String key) {
        return Arrays.stream(values())
                .filter(setting -> setting.key().equals(key))
                .findFirst();
    }

    /// Returns the name in the file and, after `--`, on the command line.
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Returns the name of the environment variable.
    public String variable() {
        return "SHEAF_" + name();
    }

    public String fallback() {
        return fallback;
    }

    SettingRule rule() {
        return rule;
    }

    public String meaning() {
        return meaning;
    }

    public boolean isSecret() {
        return secret;
    }
}
