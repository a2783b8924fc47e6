package dev.sheaf.client.api;

import java.time.Duration;

/// Reports the progress of an operation. Called from several threads at once; must be fast and must not throw.
public interface Progress {
    /// The direction of a transfer.
    enum Activity {
        DOWNLOAD,
        UPLOAD
    }

    /// The steps of a push or pull.
    enum Step {
        /// Nothing has changed yet; the next call continues with what has been sent or fetched.
        PREPARING,
        /// The registry is publishing, or files are being moved into place: if the operation is stopped now,
        /// its outcome is unknown.
        CHANGING,
        /// The version is published, or all files are in place.
        CHANGED
    }

    /// A transfer. [#close] is called once, also after a failure.
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
        /// Closed once, also after a failure.
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

    /// Reports the start of a transfer of `totalBytes` for the bundle with this name or reference, without bytes
    /// that are cached or already there.
    default Transfer begin(Activity activity, String name, long totalBytes) {
        return Transfer.NONE;
    }

    /// Reports the next step, on the thread that called the operation. The first step is not reported.
    default void step(Step step) {}

    /// Reports something that is not a failure, such as a skipped link.
    default void notice(String message) {}

    /// Reports every three seconds that the registry has not answered yet.
    ///
    /// @param registry its address
    /// @param elapsed since the request began
    default void waiting(String registry, Duration elapsed) {}
}
