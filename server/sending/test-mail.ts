import { wordsIn } from '../charge/plans/offers.ts'
import { findPlan } from '../charge/plans/plans.ts'
import { testRecipientId } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { isEmptyDocument, storedDocument } from '../publications/content.ts'
import { accessOf, type Reader, shownOn } from '../publications/document/visible.ts'
import { personalPartsJob } from '../publications/mails.ts'
import { findRenderable } from '../publications/queries.ts'
import { asItWouldBe } from '../publications/would-be.ts'
import { caughtMailId } from '../relays/catcher.ts'
import type { WithRelays } from '../relays/relays.ts'
import { translator } from '../translator.ts'
import { compile, type MailedPublication } from './compile.ts'

/**
 * Sends the saved version to members, now: the mail that free subscribers, those who paid, or those with one plan get, with all its headers,
 * and marked as a test in its subject, which says for which reader it is where they read different parts. Its recipient is no subscriber, so its links unsubscribe nobody, and its clicks and opens count for nothing.
 *
 * @returns the first of them in the outbox; null when a relay took it
 * @throws AppError empty_publication, plan_not_found, invalid when an address is no member's, relay_refused or relay_unreachable with the relay's own words
 */
export async function sendTestMail(
  context: WithRelays,
  newsletter: NewsletterRow,
  { publicationId, addresses, reader }: { publicationId: string; addresses: string[]; reader: Reader },
): Promise<string | null> {
  const members = await membersAt(context, newsletter.id, addresses)
  const saved = await findRenderable(context.db, newsletter.id, publicationId)
  if (isEmptyDocument(shownOn(storedDocument(JSON.parse(saved.content)), 'email')))
    throw new AppError('empty_publication')
  const publication = await asItWouldBe(context, newsletter, saved)
  const { language } = publication
  const t = translator(language)
  const title = publication.subject || publication.title || t('publications.untitled')
  const as = await readerIn(context, { newsletterId: newsletter.id, publication, reader })
  const subject = as ? t('publications.testSubjectAs', { title, reader: as }) : t('publications.testSubject', { title })
  const compiled = await compile(context, newsletter, { ...publication, subject, isTest: true })
  const plans = [...accessOf(reader, compiled.gates).plans]
  let mailId: string | null = null
  for (const { email, name } of members) {
    const message = await compiled.messageFor({ subscriberId: testRecipientId(), email, name, language, plans })
    const outcome = await context.relays.send(newsletter.id, message)
    if (outcome.kind !== 'answered' || outcome.code >= 400) {
      const code = outcome.kind === 'unreachable' ? 'relay_unreachable' : 'relay_refused'
      throw new AppError(code, { params: { answer: outcome.text } })
    }
    mailId ??= caughtMailId(outcome)
  }
  return mailId
}

/** As whom the test is read, in the language of the publication; null where all read the same. */
async function readerIn(
  { db, threads, now }: WithRelays,
  { newsletterId, publication, reader }: { newsletterId: string; publication: MailedPublication; reader: Reader },
): Promise<string | null> {
  const { content, language } = publication
  const plan = typeof reader === 'number' ? await findPlan(db, { newsletterId, planId: reader }, now()) : null
  const { gates } = await threads.run(personalPartsJob, content, content.length)
  if (gates.length === 0) return null
  if (plan) return wordsIn(plan.words, language).name
  return translator(language)(`publications.testReaders.${reader === 'free' ? 'free' : 'paid'}`)
}

async function membersAt(
  { db }: WithRelays,
  newsletterId: string,
  addresses: string[],
): Promise<{ email: string; name: string }[]> {
  const members = await db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.email', 'user.name', 'user.is_anonymous'])
    .where('member.newsletter_id', '=', newsletterId)
    .execute()
  const names = new Map(members.map((each) => [each.email.toLowerCase(), each.is_anonymous ? '' : each.name]))
  const strangers = addresses.flatMap((to, index) => (names.has(to.toLowerCase()) ? [] : [`to.${index}`]))
  if (strangers.length > 0) {
    throw new AppError('invalid', { fields: Object.fromEntries(strangers.map((path) => [path, 'not_a_member'])) })
  }
  return addresses.map((email) => ({ email, name: names.get(email.toLowerCase()) ?? '' }))
}
