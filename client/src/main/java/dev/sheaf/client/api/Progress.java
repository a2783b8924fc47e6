package dev.sheaf.client.api;

import java.time.Duration;

/// Receives the progress of an operation. Several threads may call the methods at the same time.
/// Implementations must be fast and must not throw.
public interface Progress {
    /// The direction of a transfer.
    enum Activity {
        DOWNLOAD,
        UPLOAD
    }

    /// The steps of a push or pull.
    enum Step {
        /// Nothing has changed yet. The next call reuses the content that has been sent or fetched.
        PREPARING,
        /// The registry is publishing, or files are being moved into place. If the operation is stopped now,
        /// its outcome is unknown.
        CHANGING,
        /// The version is published, or all files are in place.
        CHANGED
    }

    /// A transfer. [#close] is called once, even after a failure.
    interface Transfer extends AutoCloseable {
        /// Ignores all reports.
        Transfer NONE = new Transfer() {
            @Override
            public void advance(long bytes) {}

            @Override
            public void close() {}
        };

        /// Reports that `bytes` more were transferred; negative if bytes were discarded and will be transferred
        /// again.
        void advance(long bytes);

        /// Reports the start of one file of the given size. Its progress also counts for the whole transfer.
        /// Closed once, even after a failure.
        default Transfer part(String name, long bytes) {
            var whole = this;
            return new Transfer() {
                @Override
                public void advance(long more) {
                    whole.advance(more);
                }

                @Override
                public void close() {
                    // the whole transfer stays open
                }
            };
        }

        @Override
        void close();
    }

    /// Ignores all reports.
    Progress NONE = new Progress() {};

    /// Reports the start of a transfer for the bundle with this name or reference. `totalBytes` does not
    /// include bytes that need not be transferred, such as cached ones.
    default Transfer begin(Activity activity, String name, long totalBytes) {
        return Transfer.NONE;
    }

    /// Reports the next step, on the thread that called the operation. The first step is not reported.
    default void step(Step step) {}

    /// Reports something that is not a failure, such as a skipped link.
    default void notice(String message) {}

    /// Suggests a command of `sheaf` after a notice; a program that is not the command ignores it.
    default void hint(String message) {}

    /// Reports every three seconds that the registry has not answered yet.
    ///
    /// @param registry the registry's address
    /// @param elapsed the time since the request began
    default void waiting(String registry, Duration elapsed) {}
}
