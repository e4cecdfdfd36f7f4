import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogues } from '../i18n/catalogues.ts'
import { defaultLanguage, type Language, languages } from '../server/languages.ts'

/** Same keys and placeholders in every language, each key used, each sentence typeset by the rules of its language. */
const root = join(import.meta.dirname, '..')
const written = flatten(catalogues[defaultLanguage])
const translations = languages.filter((language) => language !== defaultLanguage)

/** What is wrong in any language, and what is wrong in one. */
const faults: Record<string, RegExp> = {
  'straight apostrophe': /\p{L}'\p{L}/u,
  'straight quotes': /"/,
  'three dots instead of …': /\.\.\./,
  'exclamation mark': /!/,
  'hyphen that does not break (U+2011)': /\u2011/,
  'no fixed space (U+00A0) between a size and its unit': /(?:\d|\}\}) (?:[kMG][Bo]|ko)\b/,
}
const faultsIn: Partial<Record<Language, Record<string, RegExp>>> = {
  fr: {
    'no narrow space (U+202F) before ; or ?': /[^\u202f][;?]/,
    'no fixed space (U+00A0) before :': /[^\u00a0\d]:(?!\d)/,
    'no fixed space (U+00A0) inside « »': /«[^\u00a0]|[^\u00a0]»/,
    'no fixed space (U+00A0) after N°': /[Nn]°[^\u00a0]/,
    'no fixed space (U+00A0) between a number and its unit of time':
      /(?:\d|\}\}) (?:min|secondes?|minutes?|heures?|jours?|semaines?|mois|ans?)\b/,
  },
}

/** The words that the glossary bans from the sentences of a language, each with the one that it has in their place. */
const glossaryOf: Partial<Record<Language, string>> = { fr: 'French' }
/** Sentences that quote the words of others. */
const quotes = new Set(['stripe.step.openText'])

const problems = [
  ...translations.flatMap((language) => [...sameKeys(language), ...samePlaceholders(language)]),
  ...everyKeyIsUsed(),
  ...languages.flatMap(wellSet),
  ...languages.flatMap(inTheWordsOfTheGlossary),
]
for (const problem of problems) console.error(problem)
console.log(`${written.size} sentences in each language, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0

function flatten(tree: object, path = ''): Map<string, string> {
  const entries = Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${path}${key}`, value]] : [...flatten(value, `${path}${key}.`)],
  )
  return new Map(entries)
}

/** A plural is one sentence with the forms that its language needs: `_one` and `_other` in English, `_many` too in French. */
function withoutPlural(key: string): string {
  return key.replace(/_(zero|one|two|few|many|other)$/, '')
}

function keysOf(sentences: Map<string, string>): Set<string> {
  return new Set([...sentences.keys()].map(withoutPlural))
}

function sameKeys(language: Language): string[] {
  const [here, there] = [keysOf(flatten(catalogues[language])), keysOf(written)]
  const missing = (expected: Set<string>, found: Set<string>, name: string) =>
    [...expected.difference(found)].map((key) => `${key}: missing in ${name}`)
  return [...missing(there, here, language), ...missing(here, there, defaultLanguage)]
}

function samePlaceholders(language: Language): string[] {
  const translated = flatten(catalogues[language])
  return [...written].flatMap(([key, sentence]) => {
    const translation = translated.get(key)
    // One form of a plural may say « a » where another gives the number.
    if (translation === undefined || withoutPlural(key) !== key) return []
    const [expected, found] = [placeholders(sentence), placeholders(translation)]
    return expected === found
      ? []
      : [`${key}: placeholders are “${expected}” in ${defaultLanguage} and “${found}” in ${language}`]
  })
}

function placeholders(sentence: string): string {
  const found = sentence.matchAll(/\{\{\s*(\w+)[^}]*\}\}|<\/?(\w+)\s*\/?>/g)
  return [...new Set([...found].map(([whole]) => whole))].sort().join(' ')
}

/** A key is used when it is in quotes, or when a template may become it: a computed part may be any name. */
function everyKeyIsUsed(): string[] {
  const source = ['server', 'studio', 'e2e'].flatMap((folder) => sourceFiles(join(root, folder)))
  const text = source.map((file) => readFileSync(file, 'utf8')).join('\n')
  const literals = new Set(
    [...text.matchAll(/['"]([a-z]\w*(?:\.\w+)+)['"]/g)].map(([, key]) => withoutPlural(key ?? '')),
  )
  const templates = [...text.matchAll(/`((?:[a-z]\w*\.)[^`\s]*\$\{[^`]*)`/g)].map(([, template]) =>
    asPattern(template ?? ''),
  )
  const used = (key: string) => literals.has(key) || templates.some((pattern) => pattern.test(key))
  return [...keysOf(written)].filter((key) => !used(key)).map((key) => `${key}: no code uses it`)
}

function asPattern(template: string): RegExp {
  const parts = template.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', '\\.').replaceAll(/[^\w\\.]/g, ''))
  return new RegExp(`^${parts.join('[\\w.-]+')}$`)
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

function wellSet(language: Language): string[] {
  const rules = Object.entries({ ...faults, ...faultsIn[language] })
  return [...flatten(catalogues[language])].flatMap(([key, sentence]) => {
    const text = sentence.replaceAll(/\{\{[^}]*\}\}/g, 'x').replaceAll(/\w+:\/\/\S+|<[^>]*>/g, 'x')
    const broken = rules.filter(([, rule]) => rule.test(text))
    return broken.map(([fault]) => `${key}: ${fault} in ${language}: ${sentence.slice(0, 80)}`)
  })
}

function inTheWordsOfTheGlossary(language: Language): string[] {
  const banned = bannedIn(language)
  return [...flatten(catalogues[language])].flatMap(([key, sentence]) => {
    if (quotes.has(key)) return []
    const found = banned.filter(({ pattern }) => pattern.test(sentence))
    return found.map(({ word, instead }) => `${key}: “${word}” in ${language}, where the glossary has “${instead}”`)
  })
}

/** The rows of the table `| French | never |` in the glossary. */
function bannedIn(language: Language) {
  const name = glossaryOf[language]
  if (!name) return []
  const glossary = readFileSync(join(root, 'docs', 'words.md'), 'utf8')
  const rows = new RegExp(`^\\| ${name} \\| never \\|\\n\\|[-|]+\\|\\n((?:\\|.*\\n)+)`, 'm').exec(glossary)?.[1]
  if (!rows) throw new Error(`docs/words.md has no table of the words never used in ${name}`)
  return rows
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [, instead = '', never = ''] = row.split('|').map((cell) => cell.trim())
      return never.split(', ').map((word) => ({ word, instead, pattern: asWords(word) }))
    })
}

/** Matches whole words, in capitals too, whatever spaces are between them. */
function asWords(text: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${text.split(' ').map(RegExp.escape).join('\\s+')}(?![\\p{L}\\p{N}])`, 'iu')
}
