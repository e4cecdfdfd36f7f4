import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { holdMarks } from '../../i18n/french-spaces.ts'
import { type getSubscriber, ownLiftReasons } from '../../server/subscribers/contract.ts'
import { useFormat } from '../format.ts'
import { knownCode } from '../known-code.ts'
import { Section } from '../ui/section.tsx'
import classes from './subscribers.module.css'

type Suppression = z.infer<typeof getSubscriber.reply>['suppressions'][number]

/** What stopped the mail to a subscriber, in the server's words, and who restored it and why. */
export function StoppedMail({ suppressions }: { suppressions: Suppression[] }) {
  const { t } = useTranslation()
  if (suppressions.length === 0) return null
  return (
    <Section title={t('subscribers.stopped.title')} className={classes.part}>
      <ul className={classes.stopped}>
        {suppressions.map((suppression) => (
          <Stop key={suppression.at + suppression.lifted?.at} suppression={suppression} />
        ))}
      </ul>
      {suppressions[0]?.lifted === null && suppressions[0].reason === 'complained' && (
        <p className={classes.hint}>{t('subscribers.stopped.complainedText')}</p>
      )}
    </Section>
  )
}

function Stop({
  suppression: { reason, words, imported, publicationTitle, at, lifted },
}: {
  suppression: Suppression
}) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      {lifted && (
        <li>
          <p>
            <b>{t('subscribers.stopped.restored')}</b>
            <time dateTime={lifted.at}>{format.moment(lifted.at)}</time>
          </p>
          {lifted.reason && <p>{whyOf(t, lifted)}</p>}
          <small>{byOf(t, lifted)}</small>
        </li>
      )}
      <li>
        <p>
          <b>{t(`subscribers.stopped.${reason}`)}</b>
          <time dateTime={at}>{format.moment(at)}</time>
        </p>
        {words && <q>{words}</q>}
        {imported && <small>{t('subscribers.stopped.imported')}</small>}
        {publicationTitle && <small>{holdMarks(publicationTitle)}</small>}
      </li>
    </>
  )
}

/** The reason that a member typed, or the sentence for the server's own. */
export function whyOf(
  t: TFunction,
  { actor, reason }: Pick<NonNullable<Suppression['lifted']>, 'actor' | 'reason'>,
): string {
  if (actor !== 'system') return reason
  return t(`subscribers.stopped.why.${knownCode(ownLiftReasons, reason) ?? 'other'}`)
}

const byOf = (t: TFunction, { actor, name }: NonNullable<Suppression['lifted']>): string => {
  if (actor !== 'member') return t(`subscribers.stopped.by.${actor}`)
  return name === null ? t('subscribers.stopped.by.formerMember') : t('subscribers.stopped.by.member', { name })
}
