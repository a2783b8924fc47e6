/// Reads from OCI registries.
@NullMarked
package dev.sheaf.client.oci;

import org.jspecify.annotations.NullMarked;
