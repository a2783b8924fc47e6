/// Requests and answers as handlers see them: fields, pages, conditions, errors.
@NullMarked
package dev.sheaf.server.http.message;

import org.jspecify.annotations.NullMarked;
