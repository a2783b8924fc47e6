/// Archives that strangers made, read strictly and within bounds.
@NullMarked
package dev.sheaf.model.archive;

import org.jspecify.annotations.NullMarked;
