package dev.sheaf.model.wire.queue;

/// The output of a template.
public record Rendered(String rendered) {}
