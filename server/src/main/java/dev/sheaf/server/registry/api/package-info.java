/// The OCI distribution API.
@NullMarked
package dev.sheaf.server.registry.api;

import org.jspecify.annotations.NullMarked;
