import type { FastifyRequest } from 'fastify'
import { acceptedLanguage, type Language } from '../languages.ts'

/** The language of a public page: the one chosen at its foot (`?lang=`), else the browser's, else the newsletter's. */
export function pageLanguage(request: FastifyRequest, fallback: string): Language {
  const { lang } = request.query as { lang?: unknown }
  if (lang === 'en' || lang === 'fr') return lang
  return acceptedLanguage(request.headers['accept-language'], fallback === 'fr' ? 'fr' : 'en')
}
