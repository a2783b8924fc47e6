/// What holds for requests and answers of every kind, and for whatever comes on the wire.
@NullMarked
package dev.sheaf.server.http;

import org.jspecify.annotations.NullMarked;
