import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import type { Language } from '../../../server/languages.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { bookingPath } from '../../sponsorship/booking-path.ts'
import { placementName } from '../../sponsorship/words.ts'
import { ComingDays } from '../coming-days.tsx'
import type { PublicationSlots } from '../queries.ts'
import { CheckLine } from './check-line.tsx'

type Slot = PublicationSlots['slots'][number]

interface Line {
  key: string
  kind: 'ok' | 'warn'
  title: string
  text: string
  to: string
  /** Days that it could be sent on instead. */
  coming?: Slot['coming']
}

/** Nothing more is to be done for a booking that has run. */
const isOver = ({ state }: Slot['waiting'][number]): boolean => state === 'ran' || state === 'reported'

/** The states in which a booking may still run on its day. */
const mayStillRun: readonly Slot['waiting'][number]['state'][] = [
  'requested',
  'accepted',
  'invoiced',
  'paid',
  'replacement',
  'creative_in',
  'changes_asked',
]

/** Whether a booking of the day may still run there: then the day is right, and the booking is what asks for a look. */
const isAwaited = ({ inPublication, waiting }: Pick<Slot, 'inPublication' | 'waiting'>): boolean =>
  inPublication && waiting.some(({ state }) => mayStillRun.includes(state))

/** How many of the lines ask for a look. */
export const slotWarnings = ({ slots }: PublicationSlots): number =>
  slots.reduce(
    (sum, { inPublication, sponsors, waiting, coming }) =>
      sum +
      waiting.filter((one) => !isOver(one)).length +
      (inPublication && asksForDay({ inPublication, sponsors, waiting, coming }) ? 1 : 0) +
      (inPublication ? 0 : sponsors.filter(({ kind }) => kind === 'booking').length),
    0,
  )

/** Nobody runs there and nobody may still, or words of one's own do though coming days are sold. */
const asksForDay = (slot: Pick<Slot, 'inPublication' | 'sponsors' | 'waiting' | 'coming'>): boolean =>
  !isAwaited(slot) &&
  (slot.sponsors.length === 0 || (slot.coming.length > 0 && slot.sponsors.every(({ kind }) => kind === 'house')))

interface Props {
  report: PublicationSlots
  publicationId: string
  /** Chooses a day to send on. */
  plan: (day: string) => void
}

/** What each sponsor slot will carry, and whom of the sponsors of the day it leaves out. */
export function SlotLines({ report, publicationId, plan }: Props) {
  const { t } = useTranslation()
  const language = useLanguage()
  const format = useFormat()
  const day = format.calendarDayOfYear(report.day)
  const lines = report.slots.flatMap((slot) => linesOf(slot, { t, language, day, publicationId }))
  return lines.map(({ key, coming = [], ...line }) => (
    <CheckLine key={key} {...line} fixLabel={t(line.kind === 'ok' ? 'publish.slot.open' : 'publish.slot.mend')}>
      {coming.length > 0 && <ComingDays coming={coming} plan={plan} />}
    </CheckLine>
  ))
}

interface Around {
  t: TFunction
  language: Language
  day: string
  publicationId: string
}

function linesOf(slot: Slot, { t, language, day, publicationId }: Around): Line[] {
  const placement = placementName(slot, language)
  const { inPublication, sponsors, waiting, placementId, coming } = slot
  const carries = sponsors.map(({ name }) => name).join(', ')
  const isHouse = sponsors.some(({ kind }) => kind === 'house')
  const carried: Line = {
    ...{
      key: `${placementId}`,
      kind: asksForDay(slot) ? 'warn' : 'ok',
      to: isHouse ? studioPaths.placements : studioPaths.calendar,
    },
    ...(asksForDay(slot) && { coming }),
    title: carries
      ? t('publish.slot.carries', { placement, sponsor: carries })
      : t('publish.slot.empty', { placement }),
    text: t(isHouse ? 'publish.slot.houseText' : carries ? 'publish.slot.carriesText' : 'publish.slot.emptyText', {
      day,
    }),
  }
  const isSold = sponsors.some(({ kind }) => kind === 'booking')
  /** What readers see as it stands is said with the booking that it depends on. */
  const isSaidBelow = isAwaited(slot) && !isSold
  const instead = isHouse ? 'publish.slot.waitsHouse' : 'publish.slot.waitsEmpty'
  const leftOut = sponsors.filter(({ kind }) => kind === 'booking' && !inPublication)
  return [
    ...(inPublication && !isSaidBelow ? [carried] : []),
    ...leftOut.map(
      ({ id, name }): Line => ({
        ...{ key: id, kind: 'warn', to: `/publish/create/${publicationId}` },
        title: t('publish.slot.noSlot', { sponsor: name, placement, day }),
        text: t('publish.slot.noSlotText'),
      }),
    ),
    ...waiting
      .filter((one) => !isOver(one))
      .map(
        ({ bookingId, sponsor, state }): Line => ({
          ...{ key: bookingId, kind: 'warn', to: bookingPath(bookingId) },
          title: t(inPublication ? 'publish.slot.booked' : 'publish.slot.noSlot', { sponsor, placement, day }),
          text: t(isSaidBelow ? instead : 'publish.slot.waits', { sponsor, reason: t(`publish.slot.reason.${state}`) }),
        }),
      ),
  ]
}
