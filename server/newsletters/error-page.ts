import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../errors.ts'
import { sentenceOf } from '../http/error-handler.ts'
import { defaultLanguage, type Language } from '../languages.ts'
import { pageLanguage } from '../page/language.ts'
import { sendPage } from '../page/send.ts'
import { translator } from '../translator.ts'
import { noticePage } from './branded-page.tsx'

type Doing = 'subscribe' | 'confirm' | 'leave' | 'read'

/** Answers an error with a page in the visitor’s language. */
export function sendErrorPage(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = pageLanguage(request, defaultLanguage)
  const page = noticePage(null, language, wordsFor(error, request, language))
  return sendPage(reply, page, { status: error.status, cacheControl: 'no-store' })
}

function wordsFor(error: AppError, request: FastifyRequest, language: Language) {
  const { code, status } = error
  const t = translator(language)
  if (code === 'database_away')
    return { title: t('page.error.away.title'), text: t(`page.error.away.${doing(request)}`) }
  if (status === 404) return { title: t('page.error.missing.title'), text: t('page.error.missing.text') }
  if (status === 507 || status === 503) return { title: t('page.error.away.title'), text: sentenceOf(error, language) }
  if (status >= 500) return { title: t('page.error.broken.title'), text: t('page.error.broken.text') }
  return { title: t('page.error.refused'), text: sentenceOf(error, language) }
}

function doing({ url, method }: FastifyRequest): Doing {
  const first = url.split(/[/?]/)[1]
  if (first === 'unsub') return 'leave'
  if (first === 'confirm') return 'confirm'
  return method === 'POST' && (first === 'subscribe' || first === 'sub') ? 'subscribe' : 'read'
}
