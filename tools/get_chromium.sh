#!/bin/sh
# See to it that the browser tests have a browser: Debian's Chromium, where we may install it. Its
# headless shell is the same engine without windows, and a third faster in our tests.
# Never fails: without one the tests run, and say aloud what was NOT RUN. The stamp named by the
# first argument is written only when there is a browser, so that the next run looks again.

stamp=$1

found() {
    command -v chromium-headless-shell || command -v chromium || command -v chromium-browser ||
        command -v google-chrome
}

if ! found >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing Chromium for the browser tests (once) ..."
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq &&
        apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-dejavu-core >/dev/null
fi

if found >/dev/null; then
    if [ -n "$stamp" ]; then touch "$stamp"; fi
else
    echo "No Chromium here: the browser tests will be reported as NOT RUN."
    echo "To run them, install Chromium (Debian: apt-get install chromium-headless-shell fonts-dejavu-core)."
fi
exit 0
