/// What operators and machines look at: health, problem pages, the OpenAPI document.
@NullMarked
package dev.sheaf.server.ops;

import org.jspecify.annotations.NullMarked;
