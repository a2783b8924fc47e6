/// docs/openapi.yaml, read by tests.
@NullMarked
package dev.sheaf.server.testing.contract;

import org.jspecify.annotations.NullMarked;
