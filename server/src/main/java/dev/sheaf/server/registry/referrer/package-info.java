/// Manifests that refer to others, including signatures.
@NullMarked
package dev.sheaf.server.registry.referrer;

import org.jspecify.annotations.NullMarked;
