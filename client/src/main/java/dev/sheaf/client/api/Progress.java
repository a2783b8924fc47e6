package dev.sheaf.client.api;

import java.time.Duration;

/// Hears how far an operation is. Called from several threads at once; must be quick and must not throw.
public interface Progress {
    /// What moves bytes.
    enum Activity {
        DOWNLOAD,
        UPLOAD
    }

    /// How far a push or pull is with what it was called for.
    enum Step {
        /// Of what was asked for nothing is done yet; what was sent or fetched so far is found again by the next call.
        PREPARING,
        /// The registry is publishing, or files are being put in place: who stops now does not know how far that came.
        CHANGING,
        /// The version is published, or all files are in place.
        CHANGED
    }

    /// One transfer. [#close] is called once, also after a failure.
    interface Transfer extends AutoCloseable {
        /// Hears nothing.
        Transfer NONE = new Transfer() {
            @Override
            public void advance(long bytes) {
                // nobody listens
            }

            @Override
            public void close() {
                // nothing to end
            }
        };

        /// `bytes` more have arrived; negative where bytes had to be thrown away and come again.
        void advance(long bytes);

        /// One file of it, of so many bytes, begins. What it advances counts for the whole, too. Closed once, also
        /// after a failure.
        default Transfer part(String name, long bytes) {
            var whole = this;
            return new Transfer() {
                @Override
                public void advance(long more) {
                    whole.advance(more);
                }

                @Override
                public void close() {
                    // the whole goes on
                }
            };
        }

        @Override
        void close();
    }

    /// Hears nothing.
    Progress NONE = new Progress() {};

    /// A transfer of `totalBytes` of the bundle of this name or reference begins; what is cached or already there
    /// does not count.
    default Transfer begin(Activity activity, String name, long totalBytes) {
        return Transfer.NONE;
    }

    /// A push or pull comes to this step, on the thread that called it. The first is not told of.
    default void step(Step step) {
        // whoever lets it end by itself
    }

    /// Something worth knowing that is no failure, such as a skipped link.
    default void notice(String message) {
        // whoever does not want to know it
    }

    /// The registry has not answered yet; told every three seconds, so that nobody looks at a still screen.
    ///
    /// @param registry its address
    /// @param elapsed since the request began
    default void waiting(String registry, Duration elapsed) {
        // whoever draws nothing has no screen
    }
}
