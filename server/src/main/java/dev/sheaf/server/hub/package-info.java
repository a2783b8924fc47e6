/// Discovery: lists, search, READMEs, feeds, badges, stars.
@NullMarked
package dev.sheaf.server.hub;

import org.jspecify.annotations.NullMarked;
