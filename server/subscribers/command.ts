import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { Context } from '../context.ts'
import { StartError } from '../start-error.ts'
import type { Translate } from '../translator.ts'
import { liftSuppressions } from './lift.ts'
import { type SuppressionGroup, suppressionGroups } from './suppressions.ts'

interface Terminal {
  t: Translate
  say(line: string): void
}

const options = {
  'at-least': { type: 'string', default: '2' },
  reason: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const

/**
 * `tirage bounces`: bounced subscribers of all newsletters by the answer that suppressed them, and their restoration.
 * @throws StartError for what cannot be done as asked
 */
export async function bouncesCommand({ db }: Pick<Context, 'db'>, args: string[], { t, say }: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [act = 'list', id = ''] = positionals
  const atLeast = Number(values['at-least'])
  if (!Number.isInteger(atLeast) || atLeast < 1) throw new StartError(t('cli.badNumber', { option: 'at-least' }))
  const names = new Map((await db.selectFrom('newsletter').select(['id', 'name']).execute()).map((n) => [n.id, n.name]))
  const line = (group: SuppressionGroup) => lineOf(group, names.get(group.newsletterId) ?? '', t)

  if (act === 'list') {
    const groups = await suppressionGroups(db, { newsletterId: null, atLeast })
    for (const group of groups) say(`  ${idOf(group)}  ${line(group)}`)
    return say(t(groups.length > 0 ? 'cli.bounces.how' : 'cli.bounces.none'))
  }
  if (act !== 'restore') throw new StartError(t('cli.unknownCommand', { command: `bounces ${act}` }))

  const reason = values.reason
    ?.replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 500)
  if (!reason) throw new StartError(t('cli.bounces.whyMissing'))
  const group = (await suppressionGroups(db, { newsletterId: null, atLeast: 1 })).find((one) => idOf(one) === id)
  if (!group) throw new StartError(t('cli.bounces.noGroup', { id }))
  say(`  ${line(group)}`)
  if (!values.yes) return say(t('cli.bounces.sure', { count: group.subscribers }))
  const { answer, publicationId } = group
  const { restored, kept } = await liftSuppressions(db, group.newsletterId, {
    which: { answer, publicationId },
    by: { actor: 'operator', reason },
  })
  say(t('cli.bounces.restored', { count: restored }))
  if (kept.unsubscribed > 0) say(t('cli.bounces.unsubscribed', { count: kept.unsubscribed }))
}

/** The same for the same group in every run: eight hexadecimal digits. */
const idOf = ({ newsletterId, publicationId, answer }: SuppressionGroup): string =>
  createHash('sha256')
    .update(JSON.stringify([newsletterId, publicationId, answer]))
    .digest('hex')
    .slice(0, 8)

const lineOf = (
  { subscribers, answer, publicationTitle, from, to, gone }: SuppressionGroup,
  name: string,
  t: Translate,
) =>
  [
    t('cli.bounces.group', { count: subscribers, newsletter: name, answer: answer || '—' }),
    [...new Set([from, to].map((day) => day.toISOString().slice(0, 10)))].join('–'),
    ...(publicationTitle ? [publicationTitle] : []),
    ...(gone ? [t('cli.bounces.gone')] : []),
  ].join(', ')
