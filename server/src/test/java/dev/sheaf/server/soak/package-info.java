/// `make soak`: clients and the collector at work for a long time.
@NullMarked
package dev.sheaf.server.soak;

import org.jspecify.annotations.NullMarked;
