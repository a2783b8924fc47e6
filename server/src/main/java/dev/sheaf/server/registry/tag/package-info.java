/// Tags of repositories, and their history.
@NullMarked
package dev.sheaf.server.registry.tag;

import org.jspecify.annotations.NullMarked;
