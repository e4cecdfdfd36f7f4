/** What is typed in place of others: letters without accents, above all on phones, straight apostrophes and usual spaces. */
const alike: Readonly<Record<string, string>> = {
  ...{ a: 'aàâäáãå', c: 'cç', e: 'eéèêë', i: 'iîïíì', n: 'nñ', o: 'oôöóòõ', u: 'uùûüú', y: 'yÿý' },
  ...{ "'": "'’", ' ': ' \u00a0\u202f' },
}
const ligatures: Readonly<Record<string, string>> = { oe: 'œ', ae: 'æ' }

/**
 * The regular expression, for `~*`, that finds a part of a text whichever of the two has accents: `zoe` finds `Zoé`, and `Zoé` finds `Zoe`.
 * The part's own signs are only signs.
 */
export function containing(part: string): string {
  const text = part.normalize('NFC').toLowerCase().replaceAll('œ', 'oe').replaceAll('æ', 'ae').replaceAll('’', "'")
  return text.replaceAll(/[oa]e|./gsu, (found) => {
    const letters = [...found].map(letter).join('')
    return ligatures[found] ? `(${letters}|${ligatures[found]})` : letters
  })
}

function letter(one: string): string {
  const [plain = one] = one.normalize('NFD')
  const all = alike[plain]
  if (all) return `[${all.includes(one) ? all : all + one}]`
  return /[\\^$.|?*+()[\]{}]/.test(one) ? `\\${one}` : one
}
