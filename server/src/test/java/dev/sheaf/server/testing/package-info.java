/// What tests share: whole nodes, fresh databases and buckets, requests, and the smallest rows that others hang on.
@NullMarked
package dev.sheaf.server.testing;

import org.jspecify.annotations.NullMarked;
