/// Taking versions back, advising against them, deleting them and bundles, and bringing these back.
@NullMarked
package dev.sheaf.server.console.withdraw;

import org.jspecify.annotations.NullMarked;
