/// Reading from an OCI registry.
@NullMarked
package dev.sheaf.client.oci;

import org.jspecify.annotations.NullMarked;
