import type { Context } from '../context.ts'
import { renderSystemMail } from '../email/render.ts'
import { AppError } from '../errors.ts'
import { SharedLimit } from '../http/limits.ts'
import { on, type Route } from '../http/routes.ts'
import type { NewsletterRow, Scope } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import type { Message, Outcome } from '../mail/relay.ts'
import { logoOf } from '../newsletters/branded-page.tsx'
import { brandStyle } from '../newsletters/branding.ts'
import { MailPermissions } from '../newsletters/mail-permission.ts'
import type { Translate } from '../translator.ts'
import * as contract from './contract.ts'
import { listAll } from './list.ts'
import { domainLimitsOf, findRelay, type RelayRow } from './queries.ts'
import type { WithRelays } from './relays.ts'
import { addRelay, alterRelay, putDomainLimits, removeRelay } from './settings.ts'

/** A mail from a newsletter to one person; `handOver` says through which relay it goes. */
type SendMail = (
  mail: { to: string; subject: string; html: string; text: string; newsletterId: string },
  handOver: (message: Message) => Promise<Outcome>,
) => Promise<Outcome>

/** @param sendMail composes and signs the mail that tests a relay */
export function relayRoutes(context: WithRelays, sendMail: SendMail): Route[] {
  const { db, pool, relays: opened } = context
  const tests = new SharedLimit(pool, { name: 'relay tests', points: 30, seconds: 3600 })
  // Each change resolves a host, and the answer reveals whether it is in our own network.
  const changes = new SharedLimit(pool, { name: 'relay changes', points: 120, seconds: 3600 })
  const permissions = new MailPermissions(context)
  const shown = async (newsletterId: string, may: Scope['may'], { id }: RelayRow) => {
    opened.forget()
    const { relays } = await listAll(context, newsletterId, may)
    const relay = relays.find((one) => one.id === id)
    if (!relay) throw new AppError('relay_not_found')
    return relay
  }
  return [
    on(contract.listRelays, ({ newsletterId, may }) => listAll(context, newsletterId, may)),
    on(contract.createRelay, async ({ newsletterId, may, body }) => {
      await changes.take(newsletterId)
      return shown(newsletterId, may, await addRelay(context, newsletterId, body))
    }),
    on(contract.changeRelay, async ({ newsletterId, may, params, body, auditLine }) => {
      await changes.take(newsletterId)
      // A change that is refused has the name too.
      auditLine?.note({ name: (await findRelay(db, newsletterId, params.relayId)).name })
      const changed = await alterRelay(context, { newsletterId, id: params.relayId }, body)
      auditLine?.note({ name: changed.name })
      return shown(newsletterId, may, changed)
    }),
    on(contract.removeRelay, async ({ newsletterId, params, auditLine }) => {
      auditLine?.note(await removeRelay(db, newsletterId, params.relayId))
      opened.forget()
      return { done: true as const }
    }),
    on(contract.testRelay, async ({ newsletter, params, request, language, t }) => {
      const relay = await findRelay(db, newsletter.id, params.relayId)
      const to = request.caller?.user?.email
      if (!to) throw new AppError('key_cannot')
      await permissions.require(newsletter.id)
      await tests.take(newsletter.id)
      const begun = performance.now()
      const mail = testMail(context, { newsletter, relay, language, t })
      const outcome = await sendMail({ to, newsletterId: newsletter.id, ...mail }, (message) =>
        opened.sendThrough(newsletter.id, relay.id, message),
      )
      const milliseconds = Math.round(performance.now() - begun)
      return { to, outcome: nameOf(outcome), answer: outcome.text, milliseconds }
    }),
    on(contract.setDomainLimits, async ({ newsletterId, body }) => {
      await putDomainLimits(db, newsletterId, body.limits)
      opened.forget()
      return { limits: await domainLimitsOf(db, newsletterId) }
    }),
  ]
}

function nameOf(outcome: Outcome): 'accepted' | 'later' | 'refused' | 'unreachable' | 'unknown' {
  if (outcome.kind === 'answered') return outcome.code < 400 ? 'accepted' : outcome.code < 500 ? 'later' : 'refused'
  if (outcome.kind === 'broken') return outcome.written ? 'unknown' : 'unreachable'
  return outcome.kind
}

interface TestMail {
  newsletter: NewsletterRow
  relay: RelayRow
  language: Language
  t: Translate
}

function testMail({ config }: Context, { newsletter, relay, language, t }: TestMail) {
  const names = { relay: relay.name, newsletter: newsletter.name }
  const text = t('relays.mail.test.text', names)
  const mail = renderSystemMail({
    t,
    language,
    style: brandStyle(newsletter.accent, newsletter.pairing),
    from: newsletter.name,
    logo: logoOf(config, newsletter),
    title: t('relays.mail.test.title'),
    preheader: text,
    paragraphs: [text],
    action: null,
    postalAddress: newsletter.postal_address || null,
  })
  return { subject: t('relays.mail.test.subject', names), ...mail }
}
