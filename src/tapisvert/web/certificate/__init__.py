"""The certificate of a round: one HTML file that renders and checks its own data.

docs/certificate.md describes it and its limits. Its embedded program settles the round a second
time (`settle/`). That program is written from the rules and shares no code with the scripts.
"""

from tapisvert.web.certificate.page import HouseSays as HouseSays
from tapisvert.web.certificate.page import certificate_page as certificate_page
