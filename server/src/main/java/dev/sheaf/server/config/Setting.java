package dev.sheaf.server.config;

import static dev.sheaf.server.config.Rule.ANY;
import static dev.sheaf.server.config.Rule.BLOCKS;
import static dev.sheaf.server.config.Rule.DATABASE;
import static dev.sheaf.server.config.Rule.FILLED;
import static dev.sheaf.server.config.Rule.FLAG;
import static dev.sheaf.server.config.Rule.FOREVER;
import static dev.sheaf.server.config.Rule.HANDLE;
import static dev.sheaf.server.config.Rule.HOSTS;
import static dev.sheaf.server.config.Rule.ISSUERS;
import static dev.sheaf.server.config.Rule.KEY;
import static dev.sheaf.server.config.Rule.KEYS;
import static dev.sheaf.server.config.Rule.ORIGINS;
import static dev.sheaf.server.config.Rule.PROVIDER;
import static dev.sheaf.server.config.Rule.SITE;
import static dev.sheaf.server.config.Rule.duration;
import static dev.sheaf.server.config.Rule.number;
import static dev.sheaf.server.config.Rule.oneOf;

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
            "", SITE, "Where users reach the service, such as https://bundles.example.org; empty: the host they used."),
    ALLOWED_HOSTS(
            "", HOSTS, "Names by which they may without it, with commas, besides localhost and its own addresses."),
    TLS_CERTIFICATE("", ANY, "PEM file of the certificate with its chain, for HTTPS; empty: plain HTTP."),
    TLS_KEY("", ANY, "PEM file of its key, without a password. Both files are read again when they change."),
    HTTP2("false", FLAG, "Whether clients may choose HTTP/2, which takes HTTPS."),
    CORS_ORIGINS("", ORIGINS, "Origins of web pages that may call the API, with commas, or * for any; empty: none."),
    TRUSTED_PROXIES(
            "",
            BLOCKS,
            "Proxies whose word about a client is believed: addresses or blocks, with commas; empty: none."),
    FORWARDED_HEADER(
            "x-forwarded",
            oneOf("x-forwarded", "forwarded"),
            "What they write: x-forwarded (X-Forwarded-For, ...) or forwarded (RFC 7239)."),
    METRICS_READERS(
            "127.0.0.0/8, ::1",
            BLOCKS,
            "Addresses or blocks from which /metrics is read without a key, with commas; empty: administrators alone."),
    DATABASE_URL("", DATABASE, "jdbc:postgresql://host/db for PostgreSQL; empty: SQLite in the data folder."),
    DATABASE_USER("", ANY, "User of the PostgreSQL database."),
    DATABASE_PASSWORD("", ANY, "Password of the PostgreSQL database.", true),
    DATABASE_CONNECTIONS("16", number(2, 1_000), "Most connections to PostgreSQL at one time."),
    POSTGRES_LISTEN_URL(
            "", DATABASE, "The same database past a pooler that database-url goes through; empty: there is none."),
    S3_BUCKET("", ANY, "Bucket for large content, which must exist; empty: files in the data folder."),
    S3_REGION("us-east-1", FILLED, "Region of the bucket."),
    S3_ENDPOINT("", SITE, "Where the S3 server is, such as https://s3.example.org; empty: AWS in the region."),
    S3_ACCESS_KEY_ID("", ANY, "Access key of the bucket; empty: the AWS SDK's own sources."),
    S3_SECRET_ACCESS_KEY("", ANY, "Secret of the access key.", true),
    S3_PATH_STYLE("false", FLAG, "Whether requests name the bucket in the path and not in the host."),
    S3_CHECKSUMS(
            "auto",
            oneOf("auto", "when-supported", "when-required"),
            "when-supported, when-required as older S3 servers need it, or auto: what is taken."),
    S3_REDIRECT_MIN_BYTES(
            "0",
            number(0, Long.MAX_VALUE),
            "Blobs from this size on are sent by the bucket itself, by a redirect; 0: none."),
    MASTER_KEY(
            "", KEY, "32 bytes in base64, the same on all nodes; empty: kept in <data-dir>/secrets/master-key.", true),
    PREVIOUS_MASTER_KEYS(
            "",
            KEYS,
            "Master keys that this one replaced, separated by commas: what is kept under them goes on to work.",
            true),
    BOOTSTRAP_ORG("default", HANDLE, "Handle of the organization that the first start creates."),
    CLAIM_BY_PUSH("true", FLAG, "Whether a push into a free namespace claims it for the key's organization."),
    MAX_LIVE_KEYS("100", number(1, 1_000_000), "Most API keys of an organization that work at one time."),
    TOKEN_KEY_DAYS("90", number(0, 3_650), "Days after which access tokens get a new signing key; 0: never by itself."),
    SELF_SERVICE("false", FLAG, "Whether everybody who signed in may create organizations."),
    INVITATION_LIFETIME(
            "P7D",
            duration(Duration.ofMinutes(1)),
            "How long an invitation, or a namespace that is offered, can be accepted."),
    OIDC_ISSUER("", PROVIDER, "OpenID provider that people may sign in with, as its id_tokens name it; empty: none."),
    OIDC_CLIENT_ID("", ANY, "What that provider calls this service."),
    OIDC_CLIENT_SECRET("", ANY, "What this service proves itself with there; empty: a public client.", true),
    OIDC_DOMAINS("", ANY, "Domains of e-mail addresses that may come in that way, separated by spaces; empty: all."),
    OIDC_AUTO_PROVISION("false", FLAG, "Whether somebody new who comes in that way gets an account."),
    OIDC_LINK_BY_EMAIL("false", FLAG, "Whether an address that the provider verified finds an account made otherwise."),
    OIDC_SKIPS_TOTP("false", FLAG, "Whether who comes in that way is asked for no code of an authenticator."),
    OIDC_NAME("", ANY, "What that provider is called on the page where people sign in; empty: their organization's."),
    SESSION_IDLE(
            "P7D", duration(Duration.ofMinutes(1)), "How long somebody who signed in stays so without coming back."),
    SESSION_LIFETIME("P30D", duration(Duration.ofMinutes(1)), "How long somebody who signed in stays so at most."),
    TRUSTED_ISSUERS(
            "https://token.actions.githubusercontent.com https://gitlab.com",
            ISSUERS,
            "Issuers of id_tokens that trusted publishers may have, separated by spaces."),
    TRUSTED_AUDIENCES("", ANY, "What those may be made for besides public-url and its host, separated by spaces."),
    DELETE_ENABLED("true", FLAG, "Whether OCI clients may delete manifests, tags and blobs."),
    SPARSE_MANIFESTS("false", FLAG, "Whether OCI clients may push manifests that name content which is not there."),
    MAX_BLOB_BYTES("10737418240", number(1, Long.MAX_VALUE), "Largest blob that an OCI client may push."),
    MAX_OPEN_UPLOADS(
            "200", number(1, 1_000_000), "Most uploads by OCI clients that an organization may have open at one time."),
    MAX_OPEN_UPLOADS_PER_CREDENTIAL("100", number(1, 1_000_000), "Most of them with one credential."),
    MAX_ASSET_BYTES("104857600", number(1, Long.MAX_VALUE), "Largest asset of a bundle."),
    MAX_BUNDLE_BYTES("536870912", number(1, Long.MAX_VALUE), "Largest content of a version."),
    MAX_ASSETS("2000", number(1, 100_000), "Most assets of a version."),
    MAX_MANIFEST_BYTES("4194304", number(1_024, 64 << 20), "Largest manifest that an OCI client may push."),
    MAX_README_BYTES("524288", number(1, 16 << 20), "Largest README."),
    MAX_TEXT_BYTES("4194304", number(1, 64 << 20), "Largest text asset within JSON."),
    MAX_PUSH_BYTES("67108864", number(1_024, 1 << 30), "Largest JSON body of a push."),
    MAX_JSON_BYTES("1048576", number(1_024, 64 << 20), "Largest JSON body of any other request."),
    API_TIMEOUT(
            "PT10S",
            duration(Duration.ZERO),
            "How long a request may take, without the time in which its content moves; PT0S: any time."),
    TRANSFER_TIMEOUT(
            "PT1M", duration(Duration.ofMillis(1)), "How long a connection may stand still before it is closed."),
    QUOTA_BYTES(
            "0",
            number(0, Long.MAX_VALUE),
            "Most bytes that an organization may hold, where nothing else is set for it; 0: any number."),
    QUOTA_BUNDLES(
            "0",
            number(0, Long.MAX_VALUE),
            "Most bundles that an organization may hold, where nothing else is set for it; 0: any number."),
    QUOTA_VERSIONS(
            "0",
            number(0, Long.MAX_VALUE),
            "Most versions that an organization may hold, where nothing else is set for it; 0: any number."),
    RATE_ANONYMOUS_READS(
            "300",
            number(0, 1_000_000_000),
            "Most requests a minute from an address without a credential; 0: any number."),
    RATE_READS("3000", number(0, 1_000_000_000), "Most reads a minute with one credential; 0: any number."),
    RATE_WRITES("300", number(0, 1_000_000_000), "Most writes a minute with one credential; 0: any number."),
    RATE_FAILED_AUTHENTICATIONS(
            "20",
            number(0, 1_000_000_000),
            "Most credentials a minute from an address that are no good; 0: any number."),
    MAX_REMEMBERED_REQUESTS(
            "20000", number(1, 10_000_000), "Most answers that are kept under Idempotency-Keys for one credential."),
    MAX_CONNECTIONS(
            "0",
            number(0, 60_000),
            "Most open connections; 0: one for each 128 KiB of the heap, and no more than 4,096."),
    MAX_CONNECTIONS_PER_ADDRESS("0", number(0, 60_000), "Most of them from one address; 0: a quarter."),
    MAX_FOLLOWERS(
            "0",
            number(0, 1_000_000),
            "Most requests that wait for events together; 0: three quarters of max-connections."),
    MIN_BODY_RATE(
            "1024",
            number(0, 1 << 20),
            "Bytes a second that a body must move with, sent or read, after ten seconds; 0: any."),
    PUSH_LEASE(
            "PT24H",
            duration(Duration.ofSeconds(1)),
            "How long what was pushed is kept while nothing refers to it, as an ISO 8601 duration."),
    GC_INTERVAL(
            "PT10M",
            duration(Duration.ZERO),
            "How often a node deletes what nothing needs; PT0S: only when an administrator asks."),
    DELETION_GRACE(
            "PT24H",
            duration(Duration.ZERO),
            "How long bytes stay after they were deleted, for downloads that are running."),
    UNTAGGED_RETENTION(
            "forever", FOREVER, "How long manifests are kept that have no tag and that nothing needs, or forever."),
    SWEEP_INTERVAL(
            "P1D",
            duration(Duration.ZERO),
            "How often a node looks for content that no row names; PT0S: only when asked."),
    STRAY_AGE(
            "PT48H",
            duration(Duration.ZERO),
            "How long content that no row names is left alone before it is put aside."),
    STRAY_RETENTION(
            "P7D", duration(Duration.ZERO), "How long content that was put aside is kept before it is removed."),
    EVENT_RETENTION("P90D", duration(Duration.ofHours(1)), "How long events can be read."),
    WEBHOOKS("true", FLAG, "Whether this node delivers webhooks; false for a copy of an installation that is tried."),
    WEBHOOK_HTTP("false", FLAG, "Whether webhooks may go to http:// addresses, which anybody on the way can read."),
    WEBHOOK_PRIVATE_ADDRESSES(
            "false",
            FLAG,
            "Whether webhooks may go to addresses that are not of the public internet: this machine, its network."),
    MEMORY_BUDGET_BYTES(
            "0",
            number(0, Long.MAX_VALUE),
            "Most bytes of request bodies in memory at one time; 0: a third of the heap."),
    MIN_FREE_BYTES("268435456", number(0, Long.MAX_VALUE), "Free disk space below which content is refused."),
    BACKUP_DIR("", ANY, "Where the task `backup` writes to; empty: <data-dir>/backups."),
    BACKUP_KEEP("0", number(0, 1_000_000), "How many backups that task leaves there, the newest; 0: all."),
    SCRUB_DAYS("7", number(0, 3_650), "Days within which all stored content is compared with its digests; 0: never."),
    SHUTDOWN_SECONDS("20", number(0, 3_600), "How long a stop waits for running requests."),
    LOG_LEVEL("info", oneOf("error", "warn", "info", "debug", "trace"), "error, warn, info, debug or trace.");

    private final String fallback;
    private final Rule rule;
    private final String meaning;
    private final boolean secret;

    Setting(String fallback, Rule rule, String meaning) {
        this(fallback, rule, meaning, false);
    }

    Setting(String fallback, Rule rule, String meaning, boolean secret) {
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

    Rule rule() {
        return rule;
    }

    public String meaning() {
        return meaning;
    }

    public boolean isSecret() {
        return secret;
    }
}
