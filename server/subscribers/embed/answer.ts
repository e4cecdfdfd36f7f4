import type { FastifyReply, FastifyRequest } from 'fastify'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { translator } from '../../translator.ts'
import type { SubmittedForm } from '../subscribe.page.tsx'

/** What a script on another site reads. `stale`: send the form itself, and our page asks again. */
export interface EmbedAnswer {
  state: 'asked' | 'stale' | 'proof' | 'typo' | 'refused'
  message: string
  /** Of the two addresses, when one looks mistyped: the labels of the buttons. */
  meant?: { yes: string; no: string }
}

/** Whether a form was sent by the script, which reads JSON, and not by the browser, which shows a page. */
export const wantsJson = (request: FastifyRequest): boolean =>
  (request.headers.accept ?? '').includes('application/json')

/**
 * Lets scripts of every site read the answer. Every site may send this form anyway, and browsers send no cookie with it: there is
 * none that would count here.
 */
export const readableAnywhere = (reply: FastifyReply): FastifyReply =>
  reply
    .header('access-control-allow-origin', '*')
    .header('cache-control', 'no-store')
    .header('vary', 'accept, accept-language')

export const sendAnswer = (reply: FastifyReply, answer: EmbedAnswer, status = 200): FastifyReply =>
  readableAnywhere(reply).code(status).type('application/json; charset=utf-8').send(JSON.stringify(answer))

/** @param caught whether its mail is caught on the reader's own machine, so that none is on its way */
export function askedAnswer(newsletter: NewsletterRow, language: Language, caught: boolean): EmbedAnswer {
  const t = translator(language)
  const kind = newsletter.opt_in === 'single' ? 'askedAtOnce' : 'asked'
  const message = t(`subscribers.page.${kind}.text`, { newsletter: newsletter.name })
  return { state: 'asked', message: caught && kind === 'asked' ? t('page.caught.text') : message }
}

interface Refused {
  newsletter: NewsletterRow
  language: Language
  problem: NonNullable<SubmittedForm['problem']>
  typed: string
  meant: string | undefined
}

export function refusedAnswer({ newsletter, language, problem, typed, meant = '' }: Refused): EmbedAnswer {
  const t = translator(language)
  if (problem === 'typo') {
    return {
      state: 'typo',
      message: t('subscribers.page.meant.ask', { address: meant }),
      meant: {
        yes: t('subscribers.page.meant.yes', { address: meant }),
        no: t('subscribers.page.meant.no', { address: typed }),
      },
    }
  }
  if (problem === 'proof') return { state: 'proof', message: t('subscribers.page.proof.working') }
  return { state: 'refused', message: t(`subscribers.page.problem.${problem}`, { newsletter: newsletter.name }) }
}

/** The site that a form was sent from, as the browser says, or null for our own page. At most 200 characters. */
export function siteOf(request: FastifyRequest, publicUrl: string): string | null {
  const origin = URL.parse(request.headers.origin ?? '')?.origin
  if (!origin?.startsWith('http') || origin === new URL(publicUrl).origin || origin.length > 180) return null
  return origin
}
