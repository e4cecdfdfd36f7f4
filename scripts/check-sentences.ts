import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import en from '../i18n/en.ts'
import fr from '../i18n/fr.ts'

/** Same keys and placeholders in both languages, each key used, each sentence set as a printer would set it. */
const root = join(import.meta.dirname, '..')
const sentences = { en: flatten(en), fr: flatten(fr) }

const problems = [...sameKeys(), ...samePlaceholders(), ...everyKeyIsUsed(), ...wellSet('en'), ...wellSet('fr')]
for (const problem of problems) console.error(problem)
console.log(`${sentences.en.size} sentences in each language, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0

function flatten(tree: object, path = ''): Map<string, string> {
  const entries = Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${path}${key}`, value]] : [...flatten(value, `${path}${key}.`)],
  )
  return new Map(entries)
}

/** Plurals are one sentence with a form a language needs: `_one` and `_other` here, `_many` too there. */
function withoutPlural(key: string): string {
  return key.replace(/_(zero|one|two|few|many|other)$/, '')
}

function sameKeys(): string[] {
  const keys = { en: keysOf('en'), fr: keysOf('fr') }
  const missing = (here: Set<string>, there: Set<string>, name: string) =>
    [...there].filter((key) => !here.has(key)).map((key) => `${key}: missing in ${name}`)
  return [...missing(keys.fr, keys.en, 'fr'), ...missing(keys.en, keys.fr, 'en')]
}

function keysOf(language: 'en' | 'fr'): Set<string> {
  return new Set([...sentences[language].keys()].map(withoutPlural))
}

function samePlaceholders(): string[] {
  return [...sentences.en].flatMap(([key, english]) => {
    const french = sentences.fr.get(key)
    // One form of a plural may say « a » where another gives the number.
    if (french === undefined || withoutPlural(key) !== key) return []
    const [expected, found] = [placeholders(english), placeholders(french)]
    return expected === found ? [] : [`${key}: placeholders are “${expected}” in en and “${found}” in fr`]
  })
}

function placeholders(sentence: string): string {
  const found = sentence.matchAll(/\{\{\s*(\w+)[^}]*\}\}|<\/?(\w+)\s*\/?>/g)
  return [...new Set([...found].map(([whole]) => whole))].sort().join(' ')
}

/** A key in quotes, or a template that may become it: what is computed is taken to be any one name. */
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
  return [...keysOf('en')].filter((key) => !used(key)).map((key) => `${key}: no code uses it`)
}

function asPattern(template: string): RegExp {
  const parts = template.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', '\\.').replaceAll(/[^\w\\.]/g, ''))
  return new RegExp(`^${parts.join('[\\w.]+')}$`)
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

function wellSet(language: 'en' | 'fr'): string[] {
  return [...sentences[language]].flatMap(([key, sentence]) =>
    faults(language, sentence).map((fault) => `${key}: ${fault} in ${language}: ${sentence.slice(0, 80)}`),
  )
}

function faults(language: 'en' | 'fr', sentence: string): string[] {
  const text = sentence.replaceAll(/\{\{[^}]*\}\}/g, 'x').replaceAll(/\w+:\/\/\S+|<[^>]*>/g, 'x')
  const rules: [string, RegExp][] = [
    ['straight apostrophe', /\p{L}'\p{L}/u],
    ['straight quotes', /"/],
    ['three dots instead of …', /\.\.\./],
    ['exclamation mark', /!/],
  ]
  const french: [string, RegExp][] = [
    ['no narrow space (U+202F) before ; or ?', /[^\u202f][;?]/],
    ['no fixed space (U+00A0) before :', /[^\u00a0\d]:(?!\d)/],
    ['no fixed space (U+00A0) inside « »', /«[^\u00a0]|[^\u00a0]»/],
  ]
  return [...rules, ...(language === 'fr' ? french : [])].filter(([, rule]) => rule.test(text)).map(([fault]) => fault)
}
