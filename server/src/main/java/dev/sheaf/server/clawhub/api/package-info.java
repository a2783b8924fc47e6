/// The API of ClawHub.
@NullMarked
package dev.sheaf.server.clawhub.api;

import org.jspecify.annotations.NullMarked;
