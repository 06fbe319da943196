"""One term for one thing, in every language: corrections by native speakers stay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest

from lastcard.text.locale import LANGUAGES, catalog

FORBIDDEN_WORDS: Final = {
    "en": {
        r"\bthe own\b|\bof own\b": "your, their",
        r"\bthr(ow|ew|own|owing|ows) off\b": "discard",
        r"\b(lay|lays|laid|laying)\b (it|as|an?|last)\b": "play, played",
        r"as last card": "as the last card",
        r"\b(himself|herself)\b": "themselves, yourself",
        r"\bare are\b|empty color": "that are left; even if you hold the color",
        r"\bcolour": "color",
        r"\bone (may|could|draws)\b|without a fitting card": "you; when none can be played",
    },
    "es": {
        r"\bfarol": "engaño",
        r"\btir(ar|a|as|e|ón|ones) (de |a )?la palanca|\baccionar?n? la palanca": "jalar la palanca",
        r"\b[Rr]onda": "mano",
        r"\b(tu|su|sus|tus) mano\b": "tus cartas, sus cartas: la mano es lo que se reparte y se gana",
        r"debajo de la primera": "debajo de la carta de arriba",
        r"esos cinco": "los cinco",
        r"\bvosotros\b|\bordenador\b|\bmóvil\b": "ustedes, computadora, celular",
        r"cartas? de reglas\b": "carta de regla",
        r"Descarta hasta una": "como máximo una",
        r"\ben la mano[ ,;.](?!\{)|mano lenta": "tus cartas, dedos lentos: la mano es lo que se reparte y se gana",
        r"\b[Tt]om(ar|as?|an|adas?|aste)\b(?! (asiento|su tiempo|el teclado))": "robar, as in Spain",
        r"(Dale|Quítale) .* al azar": "a ciegas",
        r"\bcant(ar|a|as|ó) UNO": "gritar UNO",
        r"\b[Tt]u consejo": "pista",
        r"palabra por palabra": "jugada a jugada",
    },
    "fr": {
        r"même si vous pourriez": "même si vous pouvez",
        r"\bannonc(er|ez|é|e) UNO": "crier UNO",
        r"vous a remarqué|\b[Ss]ignale[rz]?\b(?! ce qui|$| \{name\}$)|\b[Ss]urpris\b": "prendre en défaut",
        r"interviens|intervenir": "s’interposer",
        r"\b[Rr]obots?\b": "bot",
        r"\b[Pp]ig(er?|ez|ent|ée?s?)\b|\b[Cc]lavard|\b[Bb]rass": "piocher, chat, mélange: French of France",
        r"cartes? de règles\b": "carte de règle",
        r"\b[Tt]u (es|as|étais|avais)\b|\bt’a\b": "vous",
        r"\b[Dd]éfaussez (?!-vous)(une?|jusqu)": "se défausser de",
        r" [:»%]|« ": "a space that does not break",
        r"[\w}»”)’][;!?](?!\w)": "a narrow space before ; ! ?",
        r"\bTirez le levier|Glissez": "actionner, faire glisser",
        r"sans correspondance": "sans qu’elles aient à correspondre",
        r"(avez déjà|fait|cartes?|Action|être) défauss": "se défausser de",
        r"\b[Cc]artes? blanches?\b|\bjokers?\b": "Joker",
        r"(Donnez|Prenez) .* au hasard": "à l’aveugle",
        r"^Plus de conseils": "sans conseils: it may also mean more of them",
        r"\b[Vv]otre conseil": "indice",
        r"^Partie \{n\}": "étape: a partie is a match",
        r"\bchiffre\.": "numéro",
        r"\b[Jj]ouée \{count\}": "joué: un coup",
        r"mot à mot": "coup par coup",
    },
    "pt": {
        r"\b(pego|pegou|peguei|apanhad[oa]|percebe|apontar)\b": "flagrar",
        r"Curinga (Direcionada|Troca)(?<!Carta Curinga Direcionada)(?<!Carta Curinga Troca)": "Carta Curinga …",
        r"\brobôs?\b|\bbate-papo\b|\bconfigurações\b": "bot, chat, ajustes",
        r"depois segue o": "depois é a vez do",
        r", sem escolher": "às cegas",
        r"\btelefones?\b": "celular",
        r"\blance a lance|palavra por palavra": "jogada a jogada",
    },
    "pl": {
        r"\bdzik(a|ie|ą|ich|iej|imi)\b": "karta wyboru koloru; karta „Wybierz kolor”",
        r"\bpod rząd\b": "z rzędu",
        r"losow(ą|e|ych|ej) kart": "w ciemno",
        r"\b[Tt]ur[ayęą]\b": "kolejka",
        r"\b[Mm]ecz": "partia",
        r"(?<=\w )(Ciebie|Tobie|Ci|Twój|Two(ja|je|ją|jego|jej|im|ich|imi))\b": "ciebie, twoje",
        r"[Pp]ociągnij dźwignię|\bciągnie(sz)? (się )?za dźwignię": "pociągnij za dźwignię",
        r"Odrzuć do jednej|odrzucić do jednej": "najwyżej po jednej",
        r"^„.*” odkryt": "Karta „…” odkryta",
        r"Kolejka się nie zmienia": "Nie zmienia to, czyja jest kolejka",
        r"one się liczą": "wliczają się do punktów",
        r"słowo po słowie": "ruch po ruchu",
    },
}
"""Words that a text must not have, and their replacements."""

REQUIRED_WORDS: Final = {
    "rules.effect.swap": {"en": "must", "es": "deben", "fr": "devez", "pt": "devem", "pl": "musicie"},  # AW-24
    "option.seven_zero.true": {"en": "must", "es": "debe", "fr": "doit", "pt": "deve", "pl": "musi"},  # 6.3
    "rules.out.no_effect.all_wild": {
        "en": "Skip Two", "es": "Salta Dos", "fr": "Passer Deux", "pt": "Pular 2", "pl": "Podwójny postój",
    },  # AW-43
    "option.wj_discard_multi.same_next_player_one_turn": {
        "en": "one turn", "es": "un turno", "fr": "un tour", "pt": "uma vez", "pl": "jedną kolejkę",
    },  # WJ-43
}  # fmt: skip
"""Words that a text must have in every language, by its clause: a translation loses them easily."""

NAMES: Final = ("card.all_wild.", "game.all-wild")
"""Names of cards, and one game in which every card is a „dzika karta”."""


def forms(language: str) -> Iterator[tuple[str, str]]:
    """Every text of a language, plural forms one by one, with its key."""
    for key, text in catalog(language).texts.items():
        for form in text.values() if isinstance(text, dict) else [text]:
            yield key, form


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_word_for_one_thing(language: str) -> None:
    wrong = [
        f"{key}: {form!r} has {found[0]!r}; say {instead}"
        for pattern, instead in FORBIDDEN_WORDS[language].items()
        for key, form in forms(language)
        if (found := re.search(pattern, form)) and not key.startswith(NAMES)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_what_a_clause_demands(language: str) -> None:
    texts = catalog(language)
    assert [key for key, words in REQUIRED_WORDS.items() if words[language] not in texts.text(key)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_equivalent_options_have_one_text(language: str) -> None:
    """LC-40: with the cards of these games ``equal_or_higher`` is ``cross``."""
    texts = catalog(language)
    assert texts.text("option.stacking.equal_or_higher") == texts.text("option.stacking.cross")


@pytest.mark.parametrize("language", LANGUAGES)
def test_marks_are_those_of_the_language(language: str) -> None:
    """Quotation marks are those of the language, without straight ones, and without double or wide spaces."""
    quotes = {"en": "“”", "es": "«»", "fr": "«»", "pt": "“”", "pl": "„”"}[language]
    others = set("“”„«»\"'") - set(quotes) - ({"”"} if language == "pl" else set())
    if language == "en":
        others -= {"'"}
    wrong = [(key, form) for key, form in forms(language) if others & set(form) or "  " in form]
    assert not wrong
    percent = "\u00a0%" if language == "fr" else "%"  # as browsers write numbers
    assert not [form for _, form in forms(language) if re.search(rf"[\d}}](?!{percent})\s?%", form)]
    # A unit alone on the next line is easily misread.
    assert not [form for _, form in forms(language) if re.search(r"\} (s|MB|Mo)(?![\w’])", form)]
