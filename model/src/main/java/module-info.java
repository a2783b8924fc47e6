/// The vocabulary of Sheaf: names, versions, references, errors, and the JSON of the API.
module dev.sheaf.model {
    requires static transitive org.jspecify;
    requires org.snakeyaml.engine;

    exports dev.sheaf.model;
    exports dev.sheaf.model.archive;
    exports dev.sheaf.model.oci;
    exports dev.sheaf.model.key;
    exports dev.sheaf.model.passport;
    exports dev.sheaf.model.plugin;
    exports dev.sheaf.model.skill;
    exports dev.sheaf.model.text;
    exports dev.sheaf.model.wire;
    exports dev.sheaf.model.wire.account;
    exports dev.sheaf.model.wire.admin;
    exports dev.sheaf.model.wire.bundle;
    exports dev.sheaf.model.wire.hub;
    exports dev.sheaf.model.wire.key;
    exports dev.sheaf.model.wire.org;
    exports dev.sheaf.model.wire.queue;
    exports dev.sheaf.model.wire.webhook;
}
