/// JGit's UploadPack over a repository, and the packs sent from it.
@NullMarked
package dev.sheaf.server.git.upload;

import org.jspecify.annotations.NullMarked;
