/// Trusted publishers: workflows elsewhere that may publish.
@NullMarked
package dev.sheaf.server.identity.publisher;

import org.jspecify.annotations.NullMarked;
