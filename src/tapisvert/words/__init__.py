"""The French and English catalogues, for the browser and the command line."""

from tapisvert.words.catalogue import LANGUAGES as LANGUAGES
from tapisvert.words.catalogue import Catalogue as Catalogue
from tapisvert.words.catalogue import catalogue as catalogue
from tapisvert.words.catalogue import pick as pick
from tapisvert.words.catalogue import read_words as read_words
from tapisvert.words.telling import explain as explain
from tapisvert.words.telling import hand_words as hand_words
from tapisvert.words.telling import tell as tell
