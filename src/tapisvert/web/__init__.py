"""The HTTP API: turns requests into commands and views into JSON. It contains no game rules."""

from tapisvert.web.app import create_app as create_app
