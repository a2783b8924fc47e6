/// The server and docs/openapi.yaml say the same.
@NullMarked
package dev.sheaf.server.contract;

import org.jspecify.annotations.NullMarked;
