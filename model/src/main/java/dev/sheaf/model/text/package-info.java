/// Text for people to read and write.
@NullMarked
package dev.sheaf.model.text;

import org.jspecify.annotations.NullMarked;
