"""Languages: the first start asks for each that is there by its own name, and the one chosen is the one seen."""

from firmware import modules, texts
from hal.host import MemoryStore
from tests.firmware.hand import Hand


def shown(hand):
    """What is on the glass."""
    hand.wait(0)
    return bytes(hand.device.display.shown)


def there(*codes):
    """Called with the languages that have to be there, in the order of the list."""
    assert texts.there() == list(codes), texts.there()


def test_each_is_asked_for_in_its_own_name_and_chosen():
    codes = texts.there()
    titles = set()
    for i in range(len(codes)):
        store = MemoryStore()
        hand = Hand(store=store, language=None)
        assert hand.app.settings.fresh
        hand.app.open("language")
        names = hand.app.top()._list.labels
        assert len(names) == len(set(names)) == len(codes)
        hand.press("." + "R" * i + "A.")
        assert hand.app.where() == ["title"]
        assert texts.t("language.name") == names[i]
        titles.add(shown(hand))
        again = Hand(store=store, language=None)
        assert again.app.settings.language == codes[i]
        assert not again.app.settings.fresh
        again.app.open("settings")
        assert again.app.top()._list.labels[0] == texts.t("settings.language")
    assert len(titles) == len(codes)


def test_each_has_its_rules():
    for game in modules.GAMES:
        pages = set()
        for code in texts.there():
            hand = Hand(language=code)
            hand.app.open("help", game)
            pages.add(shown(hand))
        assert len(pages) == len(texts.there()), game
