/// How nodes tell each other that they are up to date: what they send, and what each of them has seen.
@NullMarked
package dev.sheaf.server.db.beat;

import org.jspecify.annotations.NullMarked;
