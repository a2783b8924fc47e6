/// Installs bundles for agents. The input is the wanted bundles and a lock; the output is changed files.
@NullMarked
package dev.sheaf.client.install;

import org.jspecify.annotations.NullMarked;
