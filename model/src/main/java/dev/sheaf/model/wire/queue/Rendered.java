package dev.sheaf.model.wire.queue;

/// What a template gives.
public record Rendered(String rendered) {}
