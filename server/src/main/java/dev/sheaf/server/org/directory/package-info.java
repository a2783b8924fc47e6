/// Organizations as a whole: made, listed, named, and the namespaces that go from one to another.
@NullMarked
package dev.sheaf.server.org.directory;

import org.jspecify.annotations.NullMarked;
