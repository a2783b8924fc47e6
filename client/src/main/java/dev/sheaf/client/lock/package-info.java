/// The lock file.
@NullMarked
package dev.sheaf.client.lock;

import org.jspecify.annotations.NullMarked;
