#!/bin/sh
# Installs `sheaf`, the command line of a Sheaf registry, for the user who runs this:
#
#   curl -fsSL REGISTRY/client/install.sh | sh
#
# It downloads the client from the registry, compares its SHA-256, unpacks it into a folder of its own below
# ~/.local/share/sheaf, and links to it from ~/.local/bin. If the machine has no Java 25, and the registry has one for its
# system, that comes with it, in the same folder. It changes nothing else: no startup file of a shell, no settings, no login.
# Run it again for an upgrade. To uninstall, delete the folder and the link.
#
#   SHEAF_INSTALL_DIR=/folder   where the client goes
#   SHEAF_BIN_DIR=/folder       where the link goes
#
# Everything is in a function that the last line calls, so half of this script does nothing.

sheaf_install() (
  set -eu
  url=@URL@
  version=@VERSION@
  sha256=@SHA256@
  size=@SIZE@
  archive=sheaf-$version.tar.gz
  scratch=

  say() { printf 'sheaf: %s\n' "$*"; }
  fail() {
    printf 'sheaf: %s\n' "$@" >&2
    exit 1
  }
  has() { command -v "$1" >/dev/null 2>&1; }

  # Downloads $1 into the file $2.
  download() {
    if has curl; then curl -fsSL --retry 2 -o "$2" "$1"; else wget -q -O "$2" "$1"; fi
  }

  # Prints the SHA-256 of the file $1.
  digest() {
    if has sha256sum; then
      sha256sum <"$1"
    elif has shasum; then
      shasum -a 256 <"$1"
    else
      openssl dgst -sha256 -r <"$1"
    fi | cut -d ' ' -f 1
  }

  # Whether there is a Java 25 or newer where the client looks for it: each has a file that states its version.
  has_java() {
    on_path=$(command -v java || true)
    [ -z "$on_path" ] || on_path=$(readlink -f "$on_path" 2>/dev/null || true)
    if [ -n "${SHEAF_JAVA_HOME:-}" ]; then set -- "$SHEAF_JAVA_HOME"; else
      set -- "${JAVA_HOME:-}" "${on_path%/bin/java}" /usr/lib/jvm/* /opt/* /opt/java/* "${HOME:-}"/.jdks/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home "${SDKMAN_DIR:-${HOME:-}/.sdkman}"/candidates/java/*
    fi
    for java in "$@"; do
      [ -n "$java" ] && [ -x "$java/bin/java" ] && [ -r "$java/release" ] || continue
      while read -r line; do
        case $line in
          JAVA_VERSION=\"*)
            line=${line#*\"} line=${line%%[!0-9]*}
            [ -z "$line" ] || [ "$line" -lt 25 ] || return 0
            ;;
        esac
      done <"$java/release"
    done
    return 1
  }

  for needed in tar gzip cut mktemp readlink; do
    has "$needed" || fail "needs $needed, which is not on the PATH."
  done
  has curl || has wget || fail "needs curl or wget, and found neither on the PATH."
  has sha256sum || has shasum || has openssl ||
    fail "needs sha256sum, shasum or openssl to check the download, and found none on the PATH."
  if [ -z "${HOME:-}" ] && { [ -z "${SHEAF_INSTALL_DIR:-}" ] || [ -z "${SHEAF_BIN_DIR:-}" ]; }; then
    fail "HOME is not set; set it, or SHEAF_INSTALL_DIR and SHEAF_BIN_DIR."
  fi
  home=${SHEAF_INSTALL_DIR:-${XDG_DATA_HOME:-${HOME:-}/.local/share}/sheaf}
  bin=${SHEAF_BIN_DIR:-${HOME:-}/.local/bin}
  for named in "$home" "$bin"; do
    case $named in /*) ;; *) fail "$named must be an absolute path." ;; esac
  done
  link=$bin/sheaf
  if [ -e "$link" ] || [ -L "$link" ]; then
    case $(readlink "$link" || true) in
      "$home"/*) ;;
      *) fail "$link is there already, and not from this script." \
        "Move it away, or name another folder for the link: SHEAF_BIN_DIR=/folder" ;;
    esac
  fi
  mkdir -p "$home" "$bin"

  if ! has_java && has uname; then
    case $(uname -s) in Linux) system=linux ;; Darwin) system=macos ;; *) system=other ;; esac
    case $(uname -m) in x86_64 | amd64) system=$system-x64 ;; aarch64 | arm64) system=$system-arm64 ;; *) system=other ;; esac
    glibc=no # which the Java for Linux is for
    for loader in /lib64/ld-linux-* /lib/ld-linux-*; do [ ! -e "$loader" ] || glibc=yes; done
    case $system-$glibc in linux-*-no) system=other ;; esac
    case $system in
      @WITH_JAVA@*) ;;
    esac
  fi

  # The digest is part of the name, so nothing that is in use is ever replaced.
  folder=$home/$version-$(printf '%.12s' "$sha256")
  if [ -x "$folder/sheaf" ]; then
    say "$version is in $folder already."
  else
    scratch=$(mktemp -d "$home/.new.XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' HUP TERM
    say "downloading $archive ($size) from $url"
    download "$url/client/$archive" "$scratch/$archive" ||
      fail "could not download $url/client/$archive; nothing was installed."
    found=$(digest "$scratch/$archive")
    [ "$found" = "$sha256" ] || fail "the download is damaged or not what the registry announced; nothing was installed." \
      "SHA-256 announced: $sha256" "SHA-256 received:  $found"
    tar -xzf "$scratch/$archive" -C "$scratch"
    rm -rf "$folder"
    mv "$scratch/sheaf-$version" "$folder"
  fi
  rm -f "$link.$$"
  ln -s "$folder/sheaf" "$link.$$"
  mv -f "$link.$$" "$link"
  say "installed $version: $link leads to $folder"
  for other in "$home"/*/; do
    if [ "$other" != "$folder/" ] && [ -x "${other}sheaf" ]; then
      say "another version is in ${other%/}; delete it when nothing uses it."
    fi
  done

  has bash || fail "it needs bash to run, which is not on the PATH; install bash (Alpine: apk add bash)."
  "$link" --print-java-home >/dev/null ||
    fail "it is installed, but it runs only once there is a Java 25 or newer."
  if [ -f "$folder/packaging/cli.classes.gz" ] && [ -z "${CI:-}" ]; then
    say "making a cache that it starts fast with (some seconds)"
    "$link" --make-caches >/dev/null 2>&1 || say "no cache was made; everything works, but starts slower."
  fi
  case ":$PATH:" in
    *":$bin:"*)
      first=$(command -v sheaf || true)
      [ "$first" = "$link" ] || say "on your PATH, $first comes before it."
      ;;
    *)
      say "$bin is not on your PATH. Add this line to the startup file of your shell (~/.profile, ~/.bashrc, ~/.zshrc):"
      say "  export PATH=\"$bin:\$PATH\""
      ;;
  esac
  say "next: sheaf login --url $url"
)

sheaf_install
