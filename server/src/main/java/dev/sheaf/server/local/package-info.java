/// `sheaf admin … --local`: what is done without a server, by whoever has the storage at hand.
@NullMarked
package dev.sheaf.server.local;

import org.jspecify.annotations.NullMarked;
