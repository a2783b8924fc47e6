/// Installs bundles for agents: wishes and a lock in, changed files out.
@NullMarked
package dev.sheaf.client.install;

import org.jspecify.annotations.NullMarked;
