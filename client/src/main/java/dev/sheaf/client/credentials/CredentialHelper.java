package dev.sheaf.client.credentials;

import dev.sheaf.client.api.SheafException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/// A credential helper of docker: `docker-credential-<name> get` reads a host from standard input and writes
/// JSON. Its output may contain a secret, so it is never shown, and its standard error is discarded. Its time
/// and the size of its output are limited.
final class CredentialHelper {
    /// The time limit. A person may have to unlock a keyring first.
    static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    private static final int LONGEST = 64 << 10;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final String NOT_FOUND = "credentials not found in native keychain";

    private final String name;
    private final Map<String, String> environment;
    private final Duration patience;

    /// @param environment the environment of the helper, which is searched on its `PATH`
    CredentialHelper(String name, Map<String, String> environment, Duration patience) {
        this.name = name;
        this.environment = environment;
        this.patience = patience;
    }

    /// The helper failed. The message does not contain its output.
    static final class Failed extends Exception {
        private static final long serialVersionUID = 1;

        Failed(String message) {
            super(message);
        }
    }

    /// Returns the helper's output for `host`, unchecked JSON; empty if the helper has no credential for it.
    Optional<byte[]> get(String host) throws Failed {
        Process process = start();
        var answer = new FutureTask<byte[]>(() -> {
            try (var in = process.getOutputStream()) {
                in.write(host.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // the helper does not read its input; its output decides
            }
            return process.getInputStream().readNBytes(LONGEST + 1);
        });
        try {
            long end = System.nanoTime() + patience.toNanos();
            Thread.ofPlatform().daemon().name("sheaf-credential-helper").start(answer);
            byte[] bytes = answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            if (bytes.length > LONGEST) {
                throw new Failed(this + " wrote more than " + LONGEST + " bytes");
            }
            if (!process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw tooSlow();
            }
            return answered(process.exitValue(), bytes);
        } catch (TimeoutException e) {
            throw tooSlow();
        } catch (ExecutionException e) {
            throw new Failed(this + " ended early");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SheafException.Cancelled();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private Optional<byte[]> answered(int status, byte[] bytes) throws Failed {
        if (status == 0) {
            return Optional.of(bytes);
        }
        if (new String(bytes, StandardCharsets.UTF_8).strip().equals(NOT_FOUND)) {
            return Optional.empty();
        }
        throw new Failed(this + " ended with status " + status);
    }

    private Failed tooSlow() {
        return new Failed(this + " did not answer within " + patience.toSeconds() + " s");
    }

    private Process start() throws Failed {
        if (!NAME.matcher(name).matches()) {
            throw new Failed("the name of the credential helper is invalid: it may contain letters, digits and . _ -");
        }
        Path program = program().orElseThrow(() -> new Failed(this + " is not on the PATH"));
        try {
            var builder = new ProcessBuilder(List.of(program.toString(), "get"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().clear();
            builder.environment().putAll(environment);
            builder.environment().remove(Credentials.VARIABLE); // other programs must not see it
            return builder.start();
        } catch (IOException e) {
            throw new Failed(this + " cannot be started");
        }
    }

    /// Returns the first program on the `PATH`. This searches itself because some systems look in the current
    /// folder first, which may contain an untrusted program of that name.
    private Optional<Path> program() {
        String file = this + (File.separatorChar == '\\' ? ".exe" : "");
        for (String folder : path().split(File.pathSeparator)) {
            try {
                Path program = Path.of(folder).resolve(file);
                if (program.isAbsolute() && Files.isExecutable(program) && !Files.isDirectory(program)) {
                    return Optional.of(program);
                }
            } catch (InvalidPathException e) {
                // not a folder
            }
        }
        return Optional.empty();
    }

    private String path() {
        return environment.entrySet().stream()
                .filter(entry -> entry.getKey().equalsIgnoreCase("PATH"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    @Override
    public String toString() {
        return "docker-credential-" + name;
    }
}
