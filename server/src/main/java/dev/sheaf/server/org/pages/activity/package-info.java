/// The viewer's own actions.
@NullMarked
package dev.sheaf.server.org.pages.activity;

import org.jspecify.annotations.NullMarked;
