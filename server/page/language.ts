import type { FastifyRequest } from 'fastify'
import { acceptedLanguage, isLanguage, type Language } from '../languages.ts'

/** The language of a public page: the one chosen at its foot (`?lang=`), else the browser's, else the newsletter's. */
export function pageLanguage(request: FastifyRequest, fallback: Language): Language {
  const { lang } = request.query as { lang?: unknown }
  if (isLanguage(lang)) return lang
  return acceptedLanguage(request.headers['accept-language'], fallback)
}

/** The same page in another language, for a link at its foot. */
export const inLanguage = (language: Language): string => `?lang=${language}`
