package dev.sheaf.server.testing.browser;

/// How a person uses the console.
public enum Hand {
    /// Requests and raw HTML, without a browser.
    HTTP,
    MOUSE,
    /// Tab, Enter, Space, arrows and letters.
    KEYBOARD,
    /// A mouse, in a browser that runs no scripts.
    NO_SCRIPT
}
