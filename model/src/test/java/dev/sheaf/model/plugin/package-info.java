@NullMarked
package dev.sheaf.model.plugin;

import org.jspecify.annotations.NullMarked;
