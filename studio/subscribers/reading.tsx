import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { useKept } from '../newsletters/use-kept.ts'
import { Section } from '../ui/section.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import classes from './reading.module.css'
import { type Detail, deliveryText } from './subscriber-parts.tsx'

const MOST = 12
/** Fewer say nothing of a habit. */
const LEAST = 3

type Delivery = Detail['deliveries'][number]
const kinds = ['clicked', 'opened', 'accepted', 'failed'] as const
type Kind = (typeof kinds)[number]

/** How much they read of what they received last, oldest first: of what they received since the newsletter keeps who opens or who clicks. */
export function Reading({ deliveries }: Pick<Detail, 'deliveries'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const kept = Object.values(useKept())
  const isKnown = (at: string) => kept.some(({ isKept, since }) => isKept && (since === null || at >= since))
  // What was caught reached nobody.
  const shown = deliveries
    .filter(({ state, at }) => state !== 'caught' && isKnown(at))
    .slice(0, MOST)
    .toReversed()
  const first = shown[0]
  const last = shown.at(-1)
  if (shown.length < LEAST || !first || !last) return null
  const read = shown.filter((one) => ['clicked', 'opened'].includes(kindOf(one))).length
  const values = { n: format.number(shown.length) }
  const legend = (
    <ul className={classes.legend}>
      {kinds
        .filter((kind) => kind !== 'failed' || shown.some((one) => kindOf(one) === kind))
        .map((kind) => (
          <li key={kind}>
            <i data-kind={kind} />
            {t(`subscribers.reading.${kind}`)}
          </li>
        ))}
    </ul>
  )
  return (
    <Section title={t('subscribers.reading.title')} aside={legend} className={classes.reading}>
      <div className={classes.row}>
        <p>
          <b>{format.number(read)}</b> <span>{t('subscribers.reading.ofLast', values)}</span>
        </p>
        <div className={classes.strip} style={{ '--count': shown.length }}>
          <div
            role="img"
            aria-label={t('subscribers.reading.label', { ...values, read: format.number(read) })}
            className={classes.bars}
          >
            {shown.map((one) => (
              <i
                key={one.publicationId}
                data-kind={kindOf(one)}
                title={t('subscribers.reading.one', { title: shownTitle(one.title, t), state: deliveryText(t, one) })}
              />
            ))}
          </div>
          <div className={classes.days}>
            <span>{format.day(first.at)}</span>
            <span>{format.day(last.at)}</span>
          </div>
        </div>
      </div>
    </Section>
  )
}

function kindOf({ clicks, openedAt, state, returned }: Delivery): Kind {
  if (clicks > 0) return 'clicked'
  if (openedAt) return 'opened'
  return state === 'accepted' && (!returned || returned === 'complaint') ? 'accepted' : 'failed'
}
