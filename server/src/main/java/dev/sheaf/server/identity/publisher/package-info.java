/// Trusted publishers: workflows of other services that may publish to this registry.
@NullMarked
package dev.sheaf.server.identity.publisher;

import org.jspecify.annotations.NullMarked;
