#!/bin/sh
# Runs a command on a separate Wayland compositor without a screen: build/first-light/wayland.sh COMMAND [ARGUMENT...]
# Ends with the command's status, which cage itself does not pass on. Needs cage, and does not run as root.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 700 "$folder"
# Electron takes Wayland by these; X11 programs would find the display of cage's Xwayland in DISPLAY.
XDG_RUNTIME_DIR=$folder XDG_SESSION_TYPE=wayland STATUS_FILE=$folder/status \
  WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1 \
  cage -- sh -c 'unset DISPLAY; status=0; "$@" || status=$?; echo "$status" > "$STATUS_FILE"' sh "$@" || true
[ -s "$folder/status" ] || { echo 'cage did not run the command.' >&2; exit 70; }
exit "$(cat "$folder/status")"
