# shellcheck shell=bash disable=SC2016
# Sourced by the scripts: Debians of their own, in directories. Needs root, and mmdebstrap.

# make_chroot <directory> <suite> <package>...: once; it stays for the next time. A mirror may lag behind: signatures are
# looked at, their last day is not. $architecture, if there is one, replaces this machine's; all is from the main archive
# then, since security updates leave some of them out. $variant, if set, replaces minbase.
make_chroot() {
  local directory=$1 suite=$2
  shift 2
  [[ -d $directory ]] && return
  rm -rf "$directory.part"
  mkdir -p "$(dirname "$directory")"
  mmdebstrap --quiet --variant="${variant:-minbase}" --aptopt='Acquire::Check-Valid-Until "false"' \
    ${architecture:+"--arch=$architecture"} --include="$(IFS=,; echo "$*")" \
    "$suite" "$directory.part" ${architecture:+http://deb.debian.org/debian} &&
    mv "$directory.part" "$directory"
}

# clone_into <directory>: what is committed here, as /inferwire, on a branch main.
clone_into() {
  rm -rf "$1/inferwire"
  git clone --quiet . "$1/inferwire"
  git -C "$1/inferwire" checkout --quiet -B main
}

# in_chroot <directory> <command>...: with a /proc, and with terminals for the test of the conversation. Neither they nor
# a process of the command outlive this.
in_chroot() {
  unshare --mount --pid --fork --kill-child -- bash -euc '
    mount -t proc proc "$1/proc"
    mount -t devpts -o newinstance,ptmxmode=666 devpts "$1/dev/pts"
    exec chroot "$@"' in_chroot "$@"
}

# in_layer <layer> <directory[:directory...]> <command>...: the same in a pile of directories, the topmost named
# first. What the command writes goes to <layer>/upper, which may be part of another pile; they stay as they are.
# $shared_cache, if there is one, is /cache of all of them.
in_layer() {
  local layer=$1 below=$2
  shift 2
  mkdir -p "$layer"/{upper,work,root}
  unshare --mount --pid --fork --kill-child -- bash -euc '
    layer=$1 below=$2 cache=$3
    shift 3
    mount -t overlay -o "lowerdir=$below,upperdir=$layer/upper,workdir=$layer/work" overlay "$layer/root"
    mount -t proc proc "$layer/root/proc"
    mount -t devpts -o newinstance,ptmxmode=666 devpts "$layer/root/dev/pts"
    if [[ -n $cache ]]; then
      mkdir -p "$layer/root/cache"
      mount --bind "$cache" "$layer/root/cache"
    fi
    exec chroot "$layer/root" "$@"' in_layer "$layer" "$below" "${shared_cache:-}" "$@"
}
