package dev.sheaf.server.config;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;

/// Settings about the same subject, in the order in which they are declared.
public enum SettingGroup {
    ADDRESS("Address and network", Setting.HOST, Setting.METRICS_READERS),
    DATABASE("Database", Setting.DATABASE_URL, Setting.POSTGRES_LISTEN_URL),
    BUCKET("Bucket for content", Setting.S3_BUCKET, Setting.S3_REDIRECT_MIN_BYTES),
    MASTER_KEYS("Master key", Setting.MASTER_KEY, Setting.PREVIOUS_MASTER_KEYS),
    ORGANIZATIONS("Organizations and keys", Setting.BOOTSTRAP_ORG, Setting.INVITATION_LIFETIME),
    SIGN_IN("Signing in", Setting.OIDC_ISSUER, Setting.TRUSTED_AUDIENCES),
    REQUESTS("What clients may send", Setting.DELETE_ENABLED, Setting.TRANSFER_TIMEOUT),
    QUOTAS("Quotas of organizations", Setting.QUOTA_BYTES, Setting.QUOTA_VERSIONS),
    RATES("Rates of requests", Setting.READ_ONLY, Setting.MAX_REMEMBERED_REQUESTS),
    CONNECTIONS("Connections", Setting.MAX_CONNECTIONS, Setting.MIN_BODY_RATE),
    REMOVAL("Removal of content", Setting.PUSH_LEASE, Setting.STRAY_RETENTION),
    RETENTION("How long records are kept", Setting.EVENT_RETENTION, Setting.AUDIT_ARCHIVE),
    WEBHOOKS("Webhooks", Setting.WEBHOOKS, Setting.WEBHOOK_PRIVATE_ADDRESSES),
    RESOURCES("Memory and disk", Setting.MEMORY_BUDGET_BYTES, Setting.GIT_CACHE_BYTES),
    BACKUP("Backup and checks", Setting.BACKUP_DIR, Setting.SCRUB_DAYS),
    START("Start and stop", Setting.START_WAIT_SECONDS, Setting.SHUTDOWN_SECONDS),
    LOG("Traces and log", Setting.TRACE_ENDPOINT, Setting.LOG_LEVEL);

    private final String title;
    private final List<Setting> settings;

    SettingGroup(String title, Setting first, Setting last) {
        this.title = title;
        this.settings = List.copyOf(EnumSet.range(first, last));
    }

    public String title() {
        return title;
    }

    public List<Setting> settings() {
        return settings;
    }

    /// Returns the group of a setting.
    public static SettingGroup of(Setting setting) {
        return Arrays.stream(values())
                .filter(group -> group.settings.contains(setting))
                .findFirst()
                .orElseThrow();
    }
}
