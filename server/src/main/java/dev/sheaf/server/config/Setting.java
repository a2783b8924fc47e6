package dev.sheaf.server.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Every setting of the server. One spelling everywhere: `data-dir` in the file, `SHEAF_DATA_DIR` in the
/// environment, `--data-dir` as a flag.
public enum Setting {
    HOST("127.0.0.1", "Address to listen on."),
    PORT("8080", "Port to listen on; 0 takes a free one."),
    DATA_DIR("./data", "Folder of the database file, the content and the secrets."),
    PUBLIC_URL("", "Where users reach the service, such as https://bundles.example.org; empty: the host they used."),
    ALLOWED_HOSTS("", "Names by which they may without it, with commas, besides localhost and its own addresses."),
    TLS_CERTIFICATE("", "PEM file of the certificate with its chain, for HTTPS; empty: plain HTTP."),
    TLS_KEY("", "PEM file of its key, without a password. Both files are read again when they change."),
    HTTP2("false", "Whether clients may choose HTTP/2, which takes HTTPS."),
    CORS_ORIGINS("", "Origins of web pages that may call the API, with commas, or * for any; empty: none."),
    TRUSTED_PROXIES(
            "", "Proxies whose word about a client is believed: addresses or blocks, with commas; empty: none."),
    FORWARDED_HEADER("x-forwarded", "What they write: x-forwarded (X-Forwarded-For, ...) or forwarded (RFC 7239)."),
    METRICS_READERS(
            "127.0.0.0/8, ::1",
            "Addresses or blocks from which /metrics is read without a key, with commas; empty: administrators alone."),
    DATABASE_URL("", "jdbc:postgresql://host/db for PostgreSQL; empty: SQLite in the data folder."),
    DATABASE_USER("", "User of the PostgreSQL database."),
    DATABASE_PASSWORD("", "Password of the PostgreSQL database.", true),
    DATABASE_CONNECTIONS("16", "Most connections to PostgreSQL at one time."),
    POSTGRES_LISTEN_URL("", "The same database past a pooler that database-url goes through; empty: there is none."),
    S3_BUCKET("", "Bucket for large content, which must exist; empty: files in the data folder."),
    S3_REGION("us-east-1", "Region of the bucket."),
    S3_ENDPOINT("", "Where the S3 server is, such as https://s3.example.org; empty: AWS in the region."),
    S3_ACCESS_KEY_ID("", "Access key of the bucket; empty: the AWS SDK's own sources."),
    S3_SECRET_ACCESS_KEY("", "Secret of the access key.", true),
    S3_PATH_STYLE("false", "Whether requests name the bucket in the path and not in the host."),
    S3_CHECKSUMS("auto", "when-supported, when-required as older S3 servers need it, or auto: what is taken."),
    S3_REDIRECT_MIN_BYTES("0", "Blobs from this size on are sent by the bucket itself, by a redirect; 0: none."),
    MASTER_KEY("", "32 bytes in base64, the same on all nodes; empty: kept in <data-dir>/secrets/master-key.", true),
    PREVIOUS_MASTER_KEYS(
            "",
            "Master keys that this one replaced, separated by commas: what is kept under them goes on to work.",
            true),
    BOOTSTRAP_ORG("default", "Handle of the organization that the first start creates."),
    CLAIM_BY_PUSH("true", "Whether a push into a free namespace claims it for the key's organization."),
    MAX_LIVE_KEYS("100", "Most API keys of an organization that work at one time."),
    TOKEN_KEY_DAYS("90", "Days after which access tokens get a new signing key; 0: never by itself."),
    SELF_SERVICE("false", "Whether everybody who signed in may create organizations."),
    INVITATION_LIFETIME("P7D", "How long an invitation, or a namespace that is offered, can be accepted."),
    OIDC_ISSUER("", "OpenID provider that people may sign in with, as its id_tokens name it; empty: none."),
    OIDC_CLIENT_ID("", "What that provider calls this service."),
    OIDC_CLIENT_SECRET("", "What this service proves itself with there; empty: a public client.", true),
    OIDC_DOMAINS("", "Domains of e-mail addresses that may come in that way, separated by spaces; empty: all."),
    OIDC_AUTO_PROVISION("false", "Whether somebody new who comes in that way gets an account."),
    OIDC_LINK_BY_EMAIL("false", "Whether an address that the provider verified finds an account made otherwise."),
    OIDC_SKIPS_TOTP("false", "Whether who comes in that way is asked for no code of an authenticator."),
    OIDC_NAME("", "What that provider is called on the page where people sign in; empty: their organization's."),
    SESSION_IDLE("P7D", "How long somebody who signed in stays so without coming back."),
    SESSION_LIFETIME("P30D", "How long somebody who signed in stays so at most."),
    TRUSTED_ISSUERS(
            "https://token.actions.githubusercontent.com https://gitlab.com",
            "Issuers of id_tokens that trusted publishers may have, separated by spaces."),
    TRUSTED_AUDIENCES("", "What those may be made for besides public-url and its host, separated by spaces."),
    DELETE_ENABLED("true", "Whether OCI clients may delete manifests, tags and blobs."),
    SPARSE_MANIFESTS("false", "Whether OCI clients may push manifests that name content which is not there."),
    MAX_BLOB_BYTES("10737418240", "Largest blob that an OCI client may push."),
    MAX_OPEN_UPLOADS("200", "Most uploads by OCI clients that an organization may have open at one time."),
    MAX_OPEN_UPLOADS_PER_CREDENTIAL("100", "Most of them with one credential."),
    MAX_ASSET_BYTES("104857600", "Largest asset of a bundle."),
    MAX_BUNDLE_BYTES("536870912", "Largest content of a version."),
    MAX_ASSETS("2000", "Most assets of a version."),
    MAX_MANIFEST_BYTES("4194304", "Largest manifest that an OCI client may push."),
    MAX_README_BYTES("524288", "Largest README."),
    MAX_TEXT_BYTES("4194304", "Largest text asset within JSON."),
    MAX_PUSH_BYTES("67108864", "Largest JSON body of a push."),
    MAX_JSON_BYTES("1048576", "Largest JSON body of any other request."),
    API_TIMEOUT("PT10S", "How long a request may take, without the time in which its content moves; PT0S: any time."),
    TRANSFER_TIMEOUT("PT1M", "How long a connection may stand still before it is closed."),
    QUOTA_BYTES("0", "Most bytes that an organization may hold, where nothing else is set for it; 0: any number."),
    QUOTA_BUNDLES("0", "Most bundles that an organization may hold, where nothing else is set for it; 0: any number."),
    QUOTA_VERSIONS(
            "0", "Most versions that an organization may hold, where nothing else is set for it; 0: any number."),
    RATE_ANONYMOUS_READS("300", "Most requests a minute from an address without a credential; 0: any number."),
    RATE_READS("3000", "Most reads a minute with one credential; 0: any number."),
    RATE_WRITES("300", "Most writes a minute with one credential; 0: any number."),
    RATE_FAILED_AUTHENTICATIONS("20", "Most credentials a minute from an address that are no good; 0: any number."),
    MAX_REMEMBERED_REQUESTS("20000", "Most answers that are kept under Idempotency-Keys for one credential."),
    MAX_CONNECTIONS("0", "Most open connections; 0: one for each 128 KiB of the heap, and no more than 4,096."),
    MAX_CONNECTIONS_PER_ADDRESS("0", "Most of them from one address; 0: a quarter."),
    MIN_BODY_RATE("1024", "Bytes a second that a body must move with, sent or read, after ten seconds; 0: any."),
    PUSH_LEASE("PT24H", "How long what was pushed is kept while nothing refers to it, as an ISO 8601 duration."),
    GC_INTERVAL("PT10M", "How often a node deletes what nothing needs; PT0S: only when an administrator asks."),
    DELETION_GRACE("PT24H", "How long bytes stay after they were deleted, for downloads that are running."),
    UNTAGGED_RETENTION("forever", "How long manifests are kept that have no tag and that nothing needs, or forever."),
    SWEEP_INTERVAL("P1D", "How often a node looks for content that no row names; PT0S: only when asked."),
    STRAY_AGE("PT48H", "How long content that no row names is left alone before it is put aside."),
    STRAY_RETENTION("P7D", "How long content that was put aside is kept before it is removed."),
    MEMORY_BUDGET_BYTES("0", "Most bytes of request bodies in memory at one time; 0: a third of the heap."),
    MIN_FREE_BYTES("268435456", "Free disk space below which content is refused."),
    BACKUP_DIR("", "Where the task `backup` writes to; empty: <data-dir>/backups."),
    BACKUP_KEEP("0", "How many backups that task leaves there, the newest; 0: all."),
    SCRUB_DAYS("7", "Days within which all stored content is compared with its digests; 0: never."),
    SHUTDOWN_SECONDS("20", "How long a stop waits for running requests."),
    LOG_LEVEL("info", "error, warn, info, debug or trace.");

    private final String fallback;
    private final String meaning;
    private final boolean secret;

    Setting(String fallback, String meaning) {
        this(fallback, meaning, false);
    }

    Setting(String fallback, String meaning, boolean secret) {
        this.fallback = fallback;
        this.meaning = meaning;
        this.secret = secret;
    }

    /// The setting of that key, or empty.
    public static Optional<Setting> find(String key) {
        return Arrays.stream(values())
                .filter(setting -> setting.key().equals(key))
                .findFirst();
    }

    /// Its name in the file and, behind `--`, on the command line.
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Its name in the environment.
    public String variable() {
        return "SHEAF_" + name();
    }

    public String fallback() {
        return fallback;
    }

    public String meaning() {
        return meaning;
    }

    public boolean isSecret() {
        return secret;
    }
}
