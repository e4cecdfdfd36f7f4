"""Cuts the fonts of public pages, and of the sign-in pages, down to what English and French need, so that a page loads little of them before its first words.

Each face becomes two files: what nearly every page is written with, and the other characters, which a browser fetches only
for a page that has one of them. Run by hand when a face changes; the result is kept in server/page/fonts:
    pip install fonttools brotli
    python3 scripts/subset-fonts.py <folder with the full .woff2 files>
"""
import hashlib
import io
import pathlib
import sys

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

# Keep in step with `ordinary` in server/page/files.ts, from which browsers know which file they need.
ORDINARY = set(range(0x20, 0x7F)) | {ord(character) for character in (
    "\u00a0\u202f\u2009\u2010\u2011–—‘’“”«»…·•°№€£×→←"
    "àâçèéêëîïôùûüÿæœÀÂÇÈÉÊËÎÏÔÙÛÜŸÆŒ"
)}
CHARACTERS = set(range(0x20, 0x7F)) | set(range(0xA0, 0x100)) | {
    0x131, 0x152, 0x153, 0x178, 0x2BC, 0x2C6, 0x2DA, 0x2DC, 0x2002, 0x2003, 0x2009, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014,
    0x2018, 0x2019, 0x201A, 0x201C, 0x201D, 0x201E, 0x2020, 0x2021, 0x2022, 0x2026, 0x202F, 0x2030, 0x2032, 0x2033, 0x2039,
    0x203A, 0x2044, 0x20AC, 0x2116, 0x2122, 0x2190, 0x2191, 0x2192, 0x2193, 0x2212, 0x2215, 0xFEFF, 0xFFFD,
}

# What text needs, and the figures that our styles ask for. Small capitals, swashes and fractions would be a third of a file.
FEATURES = ["kern", "liga", "clig", "calt", "ccmp", "locl", "mark", "mkmk", "rlig", "rvrn", "lnum", "onum", "pnum", "tnum"]

# Newsreader's optical size is split into a text cut and a display cut: two small files instead of one large one.
FACES = [
    ("newsreader-latin-opsz-normal", "newsreader", {"wght": (400, 600), "opsz": 18}),
    ("newsreader-latin-opsz-normal", "newsreader-display", {"wght": 450, "opsz": 60}),
    ("newsreader-latin-opsz-italic", "newsreader-italic", {"wght": 400, "opsz": 18}),
    ("radio-canada-latin-wght-normal", "radio-canada", {"wght": (400, 700)}),
    ("bricolage-grotesque-latin-wght-normal", "bricolage-grotesque", {"wght": (400, 800)}),
    ("fraunces-latin-opsz-normal", "fraunces", {"wght": (400, 600), "opsz": 72}),
    ("geist-mono-latin-wght-normal", "geist-mono", {"wght": (400, 700)}),
]


def complete(font):
    """Gives glyphs without variation data an empty list of it, which the subsetter expects to find."""
    if "gvar" in font:
        variations = font["gvar"].variations
        font["gvar"].variations = {g: variations[g] if g in variations else [] for g in font.getGlyphOrder()}
    return font


def cut(font, characters):
    options = Options()
    options.flavor = "woff2"
    options.hinting = False
    options.layout_features = FEATURES
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    font.flavor = "woff2"
    data = io.BytesIO()
    font.save(data)
    return data.getvalue()


# The titles on the sheet beside the sign-in forms (`sheetTitles` in i18n/). A letter that is missing here has a browser fetch the whole face.
SHEET = "Low Water The wind’s view Four metres Sand that walks Basse mer L’avis du vent Quatre mètres Le sable marche"

# All that the sign-in pages are set in besides Radio Canada: their titles, the name of the product, and the sheet. Each looks as the full face does.
SIGN_IN = [
    ("newsreader-latin-opsz-normal", "newsreader-title", {"wght": 450, "opsz": 40}, ORDINARY),
    ("newsreader-latin-opsz-normal", "newsreader-wordmark", {"wght": 500}, {ord(letter) for letter in "Tirage"}),
    ("newsreader-latin-opsz-normal", "newsreader-sheet", {}, {ord(letter) for letter in SHEET}),
]

source = pathlib.Path(sys.argv[1])
target = pathlib.Path(__file__).parent.parent / "server" / "page" / "fonts"
for name, short, axes in FACES:
    for short_name, characters in ((short, ORDINARY), (f"{short}-rare", CHARACTERS - ORDINARY)):
        font = complete(instantiateVariableFont(TTFont(source / f"{name}.woff2", recalcTimestamp=False), axes))
        data = cut(font, characters)
        for stale in target.glob(f"{short_name}.????????.woff2"):
            stale.unlink()
        # The name changes with the content, so that browsers may keep a file for ever.
        file = f"{short_name}.{hashlib.sha256(data).hexdigest()[:8]}.woff2"
        (target / file).write_bytes(data)
        print(f"{file}: {len(data)} bytes")

for name, short, axes, characters in SIGN_IN:
    font = complete(instantiateVariableFont(TTFont(source / f"{name}.woff2", recalcTimestamp=False), axes))
    # The build adds a hash to the name.
    (target.parent.parent.parent / "studio" / "ui" / "fonts" / f"{short}.woff2").write_bytes(cut(font, characters))
