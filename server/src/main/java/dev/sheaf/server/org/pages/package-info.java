/// Organizations: their usage, their rights, and their settings.
@NullMarked
package dev.sheaf.server.org.pages;

import org.jspecify.annotations.NullMarked;
