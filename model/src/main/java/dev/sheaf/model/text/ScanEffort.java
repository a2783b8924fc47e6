package dev.sheaf.model.text;

/// The work of a scan. It is counted and not measured, so that the same files give the same result on each machine.
/// Bound to its thread.
public final class ScanEffort {
    /// The largest effort for a version, in characters that patterns read. It is about a second.
    public static final long MOST = 150_000_000;

    private final long most;
    private long spent;

    /// Begins a scan with the usual effort.
    public ScanEffort() {
        this(MOST);
    }

    /// @param most the effort at which the scan should end
    public ScanEffort(long most) {
        this.most = most;
    }

    /// Adds work that no metered text counts.
    public void spend(long characters) {
        spent += characters;
    }

    /// Returns whether the scan should end.
    public boolean isSpent() {
        return spent >= most;
    }

    /// Returns the effort that was spent.
    public long spent() {
        return spent;
    }

    /// Returns a text that counts how often its characters are read.
    public CharSequence metered(String text) {
        return new Metered(text);
    }

    private final class Metered implements CharSequence {
        private final String text;

        Metered(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            spent++;
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
