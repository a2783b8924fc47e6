/// What one did oneself.
@NullMarked
package dev.sheaf.server.console.activity;

import org.jspecify.annotations.NullMarked;
