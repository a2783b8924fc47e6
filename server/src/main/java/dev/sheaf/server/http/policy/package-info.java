/// Who may ask how often, from where and how much.
@NullMarked
package dev.sheaf.server.http.policy;

import org.jspecify.annotations.NullMarked;
