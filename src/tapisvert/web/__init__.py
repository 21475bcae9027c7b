"""The HTTP API. It holds no rule: it turns requests into commands and views into JSON."""

from tapisvert.web.app import create_app as create_app
