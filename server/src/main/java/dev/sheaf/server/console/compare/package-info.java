/// The pages that compare two versions.
@NullMarked
package dev.sheaf.server.console.compare;

import org.jspecify.annotations.NullMarked;
