/// The viewer's own actions.
@NullMarked
package dev.sheaf.server.console.activity;

import org.jspecify.annotations.NullMarked;
