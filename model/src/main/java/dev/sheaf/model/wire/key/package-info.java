/// JSON of API keys.
@NullMarked
package dev.sheaf.model.wire.key;

import org.jspecify.annotations.NullMarked;
