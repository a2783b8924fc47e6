/// Text as people read and write it.
@NullMarked
package dev.sheaf.model.text;

import org.jspecify.annotations.NullMarked;
