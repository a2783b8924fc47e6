/// The OCI distribution API.
@NullMarked
package dev.sheaf.server.v2;

import org.jspecify.annotations.NullMarked;
