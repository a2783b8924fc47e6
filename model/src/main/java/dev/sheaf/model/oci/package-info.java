/// The OCI form of a bundle (contract 4): media types, and the bytes of config and manifest.
@NullMarked
package dev.sheaf.model.oci;

import org.jspecify.annotations.NullMarked;
