/// `sheaf admin … --local`: tasks without a server, for operators with access to the storage.
@NullMarked
package dev.sheaf.server.local;

import org.jspecify.annotations.NullMarked;
