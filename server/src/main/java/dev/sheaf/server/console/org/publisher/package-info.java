/// The pages of an organization's trusted publishers.
@NullMarked
package dev.sheaf.server.console.org.publisher;

import org.jspecify.annotations.NullMarked;
