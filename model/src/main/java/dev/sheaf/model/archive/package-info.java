/// Archives from untrusted sources, read strictly and with limits.
@NullMarked
package dev.sheaf.model.archive;

import org.jspecify.annotations.NullMarked;
