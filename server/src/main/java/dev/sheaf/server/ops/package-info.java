/// Health, metrics, problem pages, and the OpenAPI document.
@NullMarked
package dev.sheaf.server.ops;

import org.jspecify.annotations.NullMarked;
