"""The certificate of a round: one file that draws itself from its data and examines itself.

What it is and what it cannot know is docs/certificate.md. The program it carries settles the round
a second time (`settle/`), written from the rules and sharing nothing with the scripts.
"""

from tapisvert.web.certificate.page import HouseSays as HouseSays
from tapisvert.web.certificate.page import certificate_page as certificate_page
