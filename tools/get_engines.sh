#!/bin/sh
# See to it that the tables can be tried in two more engines: Debian's Firefox, and WebKitGTK with
# its driver and a display to draw on. Only `make test-all` and `make engines` need them: they are 400 MB.
# Never fails: without one the tests run, and say aloud what was NOT RUN. The stamp named by the
# first argument is written only when both are there, so that the next run looks again.

stamp=$1
packages="firefox-esr webkit2gtk-driver xvfb fonts-dejavu-core"

found() {
    { command -v firefox-esr || command -v firefox; } &&
        command -v WebKitWebDriver && command -v Xvfb
}

if ! found >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing Firefox and WebKitGTK for the tests of the engines (once) ..."
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq &&
        apt-get install -y -qq --no-install-recommends $packages >/dev/null
fi

if found >/dev/null; then
    if [ -n "$stamp" ]; then touch "$stamp"; fi
else
    echo "Firefox or WebKitGTK is not here: its rounds will be reported as NOT RUN."
    echo "To run them, install both (Debian: apt-get install $packages)."
fi
exit 0
