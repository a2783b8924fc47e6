/// The pages of an organization's trusted publishers.
@NullMarked
package dev.sheaf.server.org.pages.publisher;

import org.jspecify.annotations.NullMarked;
