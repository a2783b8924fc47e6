/// The routes of ARD.
@NullMarked
package dev.sheaf.server.ard.api;

import org.jspecify.annotations.NullMarked;
