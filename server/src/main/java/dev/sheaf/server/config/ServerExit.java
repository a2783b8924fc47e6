package dev.sheaf.server.config;

/// Exit codes of the server program. The launcher adds 69: no suitable JDK was found.
public enum ServerExit {
    OK(0),
    FAILED(1),
    USAGE(2),
    PORT_TAKEN(3),
    DATA_DIR_UNUSABLE(4),
    DATA_DIR_LOCKED(5),
    UNFIT_SCHEMA(6),
    DATABASE_UNREACHABLE(7),
    WRONG_MASTER_KEY(8),
    STORAGE_UNREACHABLE(9),
    RESTORE_UNFINISHED(10);

    private final int code;

    ServerExit(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
