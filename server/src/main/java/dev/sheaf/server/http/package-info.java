/// HTTP without any feature: routes, calls, answers, errors, JSON, paging, conditional requests, limits.
@NullMarked
package dev.sheaf.server.http;

import org.jspecify.annotations.NullMarked;
