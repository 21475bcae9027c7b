#!/bin/sh
# See to it that the tests on PostgreSQL have one to start: Debian's, where we may install it.
# Never fails: without one the tests run, and say aloud what was NOT RUN. The stamp named by the
# first argument is written only when there is a server, so that the next run looks again.

stamp=$1

found() {
    command -v initdb || ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null
}

if ! found >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing PostgreSQL for the tests (once) ..."
    export DEBIAN_FRONTEND=noninteractive
    # Only the programs: the tests start servers of their own, this machine needs none.
    mkdir -p /etc/postgresql-common &&
        { [ -e /etc/postgresql-common/createcluster.conf ] ||
            echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf; }
    apt-get update -qq &&
        apt-get install -y -qq --no-install-recommends postgresql >/dev/null
fi

if found >/dev/null; then
    if [ -n "$stamp" ]; then touch "$stamp"; fi
else
    echo "No PostgreSQL here: the tests on it will be reported as NOT RUN."
    echo "To run them, install a server (Debian: apt-get install postgresql)."
fi
exit 0
