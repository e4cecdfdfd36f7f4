import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { acceptedLanguage, type Language, languages } from '../languages.ts'

const Chosen = z.object({ lang: z.enum(languages) })

/** The language chosen at the foot of a public page (`?lang=`), or null. */
export const chosenLanguage = (request: FastifyRequest): Language | null =>
  Chosen.safeParse(request.query).data?.lang ?? null

/** The language of a public page: the one chosen at its foot, else the browser's, else `fallback`. */
export const pageLanguage = (request: FastifyRequest, fallback: Language): Language =>
  chosenLanguage(request) ?? acceptedLanguage(request.headers['accept-language'], fallback)

/** The same page in another language, for a link at its foot. */
export const inLanguage = (language: Language): string => `?lang=${language}`
