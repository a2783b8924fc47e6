/// Manifests that refer to others, and signatures among them.
@NullMarked
package dev.sheaf.server.registry.referrer;

import org.jspecify.annotations.NullMarked;
