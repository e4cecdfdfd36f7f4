import type { Frame, Page } from '@playwright/test'
import { currencies } from '../../server/charge/money.ts'
import { languageLabel, languages, locales } from '../../server/languages.ts'
import { translator } from '../../server/translator.ts'

/** A text that people meet, and where it stands. */
interface Shown {
  text: string
  place: string
}

/** Names and codes, which are the same in every language. */
const names = [
  ...['Tirage', 'Amazon SES', 'Postmark', 'Mailgun', 'Resend', 'SMTP', 'IN TXT', 'SVG', 'Chrome', 'Linux'],
  ...['Fraunces', 'Newsreader', 'Bricolage Grotesque', 'Radio Canada', 'Geist Mono'],
  ...['Gazette', 'Affiche', 'Revue', 'Registre', 'Système'],
  ...['Ctrl', 'Shift', 'Alt'],
  // The coupon of the demo.
  'LOWTIDE',
  ...['Stripe', ...currencies.map((currency) => currency.toUpperCase())],
  ...languages.flatMap((language) => [
    languageLabel(language),
    languageLabel(language, 'en'),
    translator(language)('subscribers.page.inThisLanguage'),
    language,
    language.toUpperCase(),
  ]),
]
/** The longer ones first: one may begin with another. */
const either = [...names, ...namesOfIntl()].toSorted((a, b) => b.length - a.length).map(RegExp.escape)
const name = new RegExp(`(?<!\\p{L})(${either.join('|')})(?!\\p{L})`, 'gu')

/** What nobody writes as a sentence: addresses, paths, time zones, colours, values of records, ids with digits in them, API keys, merge tags, what Node.js says of a connection that failed. */
const machine = [
  /\w+:\/\/\S*/g,
  /\S+@\S+/g,
  /\b[\w-]+=\S+/g,
  /\b_?[\w-]+(\.[\w-]+)+\.?(:\d+)?(\/\S*)?/g,
  /(^|\s)\/[\w/.-]+/g,
  /\b[A-Z]\w+(\/[\w-]+)+/g,
  /\blocalhost\S*/g,
  /#[0-9A-Fa-f]{6}\b/g,
  /\b\w*\d\w*\b/g,
  /\b(tir|rk|sk)_\w+/g,
  /\{\w+\}/g,
  /\b(connect|getaddrinfo|read|write) E[A-Z]+\b/g,
]

/** Words that `Intl` writes in English: months, weekdays, units. */
const intl = new Set(wordsOfIntl())

/** The plain Latin words of a text that no catalogue, no person and no standard has put there. */
export function hardCoded(text: string): string[] {
  const rest = [...machine, name].reduce((before, pattern) => before.replaceAll(pattern, ' '), text)
  const words = rest.match(/[A-Za-z]{2,}/g) ?? []
  return words.filter((word) => !intl.has(word))
}

/** Every hard-coded text of the page and of the frames in it, as `place: text`. */
export async function hardCodedIn(page: Page): Promise<string[]> {
  const shown = (await Promise.all(page.frames().map(shownIn))).flat()
  return shown.filter(({ text }) => hardCoded(text).length > 0).map(({ text, place }) => `${place}: “${text}”`)
}

const shownIn = (frame: Frame): Promise<Shown[]> =>
  // A frame may go while it is read.
  frame.evaluate(readShown).catch(() => [])

/** Runs in the browser. */
function readShown(): Shown[] {
  const shown: Shown[] = []
  const attributes = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt', 'label']
  const add = (text: string | null | undefined, element: Element, what = '') => {
    const trimmed = text?.replace(/\s+/g, ' ').trim()
    if (trimmed) shown.push({ text: trimmed, place: `${placeOf(element)}${what}` })
  }
  add(document.title, document.documentElement, ' title')
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Element) {
      if (!node.hasAttribute('aria-hidden')) {
        for (const name of attributes) add(node.getAttribute(name), node, ` @${name}`)
      }
      if (
        node instanceof HTMLMetaElement &&
        /description|title|site_name/.test(node.name + node.getAttribute('property'))
      )
        add(node.content, node, ' @content')
      if (node instanceof HTMLInputElement && isChosen(node)) add(node.value, node, ' value')
      for (const part of ['::before', '::after']) add(contentOf(node, part), node, part)
    } else if (
      node.parentElement &&
      !node.parentElement.closest('script, style, noscript, code, pre, kbd, template, [translate=no], [class*=_code_]')
    ) {
      add(node.textContent, node.parentElement)
    }
  }
  return shown

  /** A control whose text is chosen from a list, or a button. */
  function isChosen(input: HTMLInputElement): boolean {
    return input.hasAttribute('aria-haspopup') || ['submit', 'button', 'reset'].includes(input.type)
  }

  function contentOf(element: Element, part: string): string {
    return /^"(.*)"$/.exec(getComputedStyle(element, part).content)?.[1] ?? ''
  }

  function placeOf(element: Element): string {
    const steps: string[] = []
    for (let one: Element | null = element; one && steps.length < 3; one = one.parentElement) {
      const name =
        one
          .getAttribute('class')
          ?.split(/\s+/)
          .find((part) => !part.startsWith('m_')) ?? ''
      steps.unshift(one.tagName.toLowerCase() + (one.id ? `#${one.id}` : name && `.${name}`))
    }
    return steps.join(' > ')
  }
}

/** Names of countries and currencies. They are taken whole: their words are those of sentences too. */
function* namesOfIntl(): Generator<string> {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  const countries = new Intl.DisplayNames(locales.en, { type: 'region', fallback: 'none' })
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const country = countries.of(code)
    if (country) yield country
  }
  const money = new Intl.DisplayNames(locales.en, { type: 'currency' })
  for (const code of currencies) yield money.of(code) ?? code
}

function* wordsOfIntl(): Generator<string> {
  const locale = locales.en
  const days = Array.from({ length: 52 }, (_, week) => new Date(2026, 0, 1 + week * 8, 7))
  for (const style of ['long', 'short'] as const) {
    const format = new Intl.DateTimeFormat(locale, {
      weekday: style,
      month: style,
      day: 'numeric',
      timeZoneName: style,
    })
    for (const day of days) yield* format.format(day).match(/[A-Za-z]+/g) ?? []
    const relative = new Intl.RelativeTimeFormat(locale, { style, numeric: 'auto' })
    for (const unit of ['second', 'minute', 'hour', 'day'] as const) {
      for (const count of [-2, -1, 0, 1, 2]) yield* relative.format(count, unit).match(/[A-Za-z]+/g) ?? []
    }
  }
  for (const type of ['conjunction', 'disjunction'] as const) {
    yield* new Intl.ListFormat(locale, { type }).format(['1', '2']).match(/[A-Za-z]+/g) ?? []
  }
  yield* ['am', 'pm', 'kB', 'at']
}
