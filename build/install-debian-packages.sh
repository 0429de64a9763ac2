#!/bin/sh
# Installs what the packaging tests and the kiosk try-out need on Debian or Ubuntu. Run it as root.
# Without these packages the tests that need them are skipped, by name.
set -eu
packages="
  lintian apparmor man-db desktop-file-utils shared-mime-info
  xvfb xwayland cage grim openbox xdotool imagemagick
"
export DEBIAN_FRONTEND=noninteractive
apt-get update
# shellcheck disable=SC2086
apt-get install --yes --no-install-recommends $packages
