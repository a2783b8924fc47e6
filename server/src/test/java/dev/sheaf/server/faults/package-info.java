/// Three nodes behind nginx under a mixed load, while their database, bucket, disks, clocks and they themselves fail.
@NullMarked
package dev.sheaf.server.faults;

import org.jspecify.annotations.NullMarked;
