/// API keys and what they allow.
@NullMarked
package dev.sheaf.model.key;

import org.jspecify.annotations.NullMarked;
