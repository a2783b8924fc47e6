/// Where keys and sessions are kept, how one is found, and how a person gets one.
@NullMarked
package dev.sheaf.client.credentials;

import org.jspecify.annotations.NullMarked;
