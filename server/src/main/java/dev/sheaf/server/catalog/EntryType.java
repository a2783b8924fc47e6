package dev.sheaf.server.catalog;

/// The kinds of entries, by their media types.
public enum EntryType {
    SKILL("application/agent-skills+zip"),
    PLUGIN("application/agent-plugins+zip"),
    CATALOG("application/ai-catalog+json"),
    REGISTRY("application/ai-registry+json");

    private final String mediaType;

    EntryType(String mediaType) {
        this.mediaType = mediaType;
    }

    public String mediaType() {
        return mediaType;
    }
}
