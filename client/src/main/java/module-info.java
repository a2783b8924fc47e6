/// The SDK of Sheaf. Only exported packages are API.
@SuppressWarnings("requires-automatic") // the keyring library has no module name
module dev.sheaf.client {
    requires transitive dev.sheaf.model;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.annotation;
    requires static java.keyring;
    requires transitive java.net.http;
    requires org.slf4j;
    requires org.snakeyaml.engine;
    requires tools.jackson.databind;

    exports dev.sheaf.client;
    exports dev.sheaf.client.agents;
    exports dev.sheaf.client.api;
    exports dev.sheaf.client.bundle;
    exports dev.sheaf.client.credentials;
    exports dev.sheaf.client.lock;
    exports dev.sheaf.client.network;
    exports dev.sheaf.client.queue;
    exports dev.sheaf.client.work;

    // records that are read from and written to JSON
    opens dev.sheaf.client to
            tools.jackson.databind;
    opens dev.sheaf.client.credentials to
            tools.jackson.databind;
    opens dev.sheaf.client.oci to
            tools.jackson.databind;
    opens dev.sheaf.client.push to
            tools.jackson.databind;
    opens dev.sheaf.client.queue to
            tools.jackson.databind;
    opens dev.sheaf.client.work to
            tools.jackson.databind;
}
