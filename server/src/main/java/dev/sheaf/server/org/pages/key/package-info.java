/// The pages of an organization's keys.
@NullMarked
package dev.sheaf.server.org.pages.key;

import org.jspecify.annotations.NullMarked;
