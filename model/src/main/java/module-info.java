/// The vocabulary of Sheaf: names, versions, references, errors, and the JSON of the API.
module dev.sheaf.model {
    requires static transitive org.jspecify;

    exports dev.sheaf.model;
    exports dev.sheaf.model.oci;
    exports dev.sheaf.model.wire;
}
