# Sourced by ./impasse and ./impasse-test: what a fresh Debian or Ubuntu machine with Rust lacks.
#
# Sets $home, $state (what is cached) and $target (what cargo builds), and defines functions.

home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
state=${IMPASSE_CACHE:-$home/.impasse}
target=${CARGO_TARGET_DIR:-$home/target}

fail() {
    echo "impasse: $*" >&2
    exit 2
}

# need FILE_OR_COMMAND PACKAGE...: adds the packages to $missing if the first is not there.
need() {
    local what=$1
    shift
    case $what in
        /*) [ -e "$what" ] || missing+=("$@") ;;
        *) command -v "$what" >/dev/null || missing+=("$@") ;;
    esac
}

install_packages() {
    [ ${#missing[@]} -gt 0 ] || return 0
    [ -z "${IMPASSE_NO_INSTALL:-}" ] ||
        fail "these packages are missing, and IMPASSE_NO_INSTALL is set: ${missing[*]}"
    local as_root=()
    command -v apt-get >/dev/null ||
        fail "these packages are missing, and there is no apt-get to install them: ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null ||
            fail "these packages are missing; install them as root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    echo "impasse: installing Debian packages for the whole system: ${missing[*]}" >&2
    {
        "${as_root[@]}" apt-get -qq update &&
            "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "${missing[@]}"
    } >"$state/packages.log" 2>&1 ||
        fail "the packages could not be installed (${missing[*]}); see $state/packages.log"
}

# Rust, and the packages that building and checking need.
prepare() {
    command -v cargo >/dev/null || fail "cargo is not on the path; install Rust 1.88 or later (rustup)"
    missing=()
    need cc gcc libc6-dev
    need clang-19 clang-19
    need /usr/lib/llvm-19/lib/clang/19/include/stddef.h libclang-common-19-dev
    need llvm-dis-19 llvm-19
    need /usr/lib/llvm-19/include/llvm-c/Core.h llvm-19-dev
    need /usr/lib/llvm-19/lib/libPolly.a libpolly-19-dev
    need /usr/include/z3.h libz3-dev
    python3 -m pip --version >/dev/null 2>&1 || missing+=(python3-pip)
    for package in "$@"; do
        dpkg --status "$package" >/dev/null 2>&1 || missing+=("$package")
    done
    install_packages
}

# Whether anything that the program is built from is newer than the last build.
is_stale() {
    local sources=("$home/crates" "$home/runtime" "$home/include" "$home/.cargo" "$home/Cargo.toml" "$home/Cargo.lock")
    [ ! -x "$target/release/impasse" ] || [ ! -e "$state/built" ] ||
        [ -n "$(find "${sources[@]}" -newer "$state/built" -print -quit)" ]
}

# build ARGUMENT...: builds the program, as these arguments select it of cargo, and the library
# bitcode. The date of the stamp is from before the build, so that what changes meanwhile is not
# missed.
build() {
    local quiet=()
    touch "$state/building"
    if [ ! -t 2 ]; then
        quiet=(--quiet)
        echo "impasse: building in $target (a few minutes, once)" >&2
    fi
    (cd "$home" && cargo build --release "${quiet[@]}" "$@") || exit 2
    "$target/release/impasse" setup || exit 2
    mv "$state/building" "$state/built"
}

# set_up ARGUMENT...: builds with these arguments if that is needed. One set-up at a time; a process
# that waited finds it done.
set_up() {
    mkdir -p "$state" || fail "$state: the folder cannot be made; set IMPASSE_CACHE to one that can"
    exec 9>"$state/lock"
    flock 9
    if is_stale; then
        prepare
        build "$@"
    fi
    exec 9>&-
}
