package dev.sheaf.server.org;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Namespace;

/// A request to claim a namespace.
public record NewNamespace(Namespace name, String displayName) {
    private static final int MAX_NAME = 200;
    private static final Namespace NONE = new Namespace("none");

    public static NewNamespace parse(RequestFields fields) {
        var name = fields.parsed("handle", Namespace::parse, NONE);
        String displayName = fields.optional("displayName", MAX_NAME);
        return new NewNamespace(name, displayName == null ? name.value() : displayName);
    }
}
