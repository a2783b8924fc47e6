/// Commands about bundles.
@NullMarked
package dev.sheaf.cli.bundle;

import org.jspecify.annotations.NullMarked;
