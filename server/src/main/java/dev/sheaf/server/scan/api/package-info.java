/// The routes for scanners of others.
@NullMarked
package dev.sheaf.server.scan.api;

import org.jspecify.annotations.NullMarked;
