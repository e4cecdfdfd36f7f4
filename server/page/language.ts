import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { acceptedLanguage, type Language, languages } from '../languages.ts'

const Chosen = z.object({ lang: z.enum(languages) })

/** The language chosen at the foot of a public page (`?lang=`), or null. */
export const chosenLanguage = (request: FastifyRequest): Language | null =>
  Chosen.safeParse(request.query).data?.lang ?? null

/**
 * The language of a page that asks something of somebody whom its address does not name: the one chosen at its foot, else the
 * browser's, else `fallback`.
 */
export const pageLanguage = (request: FastifyRequest, fallback: Language): Language =>
  chosenLanguage(request) ?? acceptedLanguage(request.headers['accept-language'], fallback)

/**
 * The language of a page whose language is known before its reader is: the one chosen at its foot, else `known`. That is the language stored
 * with the person whom the address names, or that of the newsletter where its texts are read.
 */
export const chosenOr = (request: FastifyRequest, known: Language): Language => chosenLanguage(request) ?? known

/** The same page in another language, for a link at its foot. */
export const inLanguage = (language: Language): string => `?lang=${language}`

/** An address with a language chosen; what its query has already stays. */
function chosenIn(address: string, language: Language): string {
  const url = new URL(address)
  url.searchParams.set('lang', language)
  return url.href
}

/**
 * The addresses of a page for search engines: each version in a language is its own canonical page and names all of them, and the one without
 * `lang` is for readers of other languages (developers.google.com/search/docs/specialty/international/localized-versions).
 * `own` is the language that the address has without `lang`; left out where that follows the browser.
 */
export function pageAddresses(address: string, { chosen, own }: { chosen: Language | null; own?: Language }) {
  const inThe = (language: Language) => (language === own ? address : chosenIn(address, language))
  return {
    canonical: chosen ? inThe(chosen) : address,
    alternates: [
      ...languages.map((language) => ({ hrefLang: language, href: inThe(language) })),
      { hrefLang: 'x-default', href: address },
    ],
  }
}
