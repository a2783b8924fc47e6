/// The registry with programs of others: clients, proxies, providers of identities.
@NullMarked
package dev.sheaf.server.foreign;

import org.jspecify.annotations.NullMarked;
