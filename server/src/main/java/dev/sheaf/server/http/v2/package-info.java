/// The OCI distribution API.
@NullMarked
package dev.sheaf.server.http.v2;

import org.jspecify.annotations.NullMarked;
