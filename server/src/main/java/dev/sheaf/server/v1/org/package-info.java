/// The API of organizations: members, invitations, transfers, quotas.
@NullMarked
package dev.sheaf.server.v1.org;

import org.jspecify.annotations.NullMarked;
