/// Skills as ClawHub's clients know them: by owner and slug, with versions, files and verdicts.
@NullMarked
package dev.sheaf.server.clawhub;

import org.jspecify.annotations.NullMarked;
