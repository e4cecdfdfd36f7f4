import { useTranslation } from 'react-i18next'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { useFormat } from '../../format.ts'
import type { PreFlightReport } from '../queries.ts'
import { CheckLine } from './check-line.tsx'
import classes from './send.module.css'

interface SizeProps {
  mail: PreFlightReport['mail']
  isLong: boolean
  mend: string
}

/** The size of the mail against what Gmail shows, and what takes most of it. */
export function MailSize({ mail: { bytes, parts }, isLong, mend }: SizeProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const size = format.bytes(bytes)
  const most = parts
    .slice(0, 3)
    .map(({ part, bytes: each }) => t(`preFlight.size.part.${part}`, { size: format.bytes(each) }))
    .join(', ')
  const made = most && t('preFlight.size.most', { list: most })
  return (
    <CheckLine
      kind={isLong ? 'warn' : 'ok'}
      title={t(isLong ? 'preFlight.too_long_for_gmail' : 'preFlight.size.fine', { size })}
      text={`${t(isLong ? 'preFlight.text.too_long_for_gmail' : 'preFlight.size.fineText')} ${made}`.trim()}
      {...(isLong && { to: mend, fixLabel: t('preFlight.mend.too_long_for_gmail') })}
    />
  )
}

interface ContrastProps {
  low: PreFlightReport['lowContrasts']
  count: number
  mend: string
}

/** Words in colours that are hard to read, and how these look. */
export function Contrast({ low, count, mend }: ContrastProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <CheckLine
      kind="warn"
      title={t('preFlight.low_contrast', { count, n: format.number(count) })}
      text={t('preFlight.text.low_contrast')}
      to={mend}
      fixLabel={t('preFlight.mend.low_contrast', { count })}
      {...(low[0] && { place: { at: 'words', words: low[0].words } })}
    >
      <ul className={classes.found}>
        {low.map(({ words, color, ground, ratio, needed }) => (
          <li key={color + ground}>
            <span className={classes.swatch} style={{ color, background: ground }} aria-hidden="true">
              Aa
            </span>
            <q>{words}</q>
            <span>{t('preFlight.contrast.ratio', { ratio: format.number(ratio), needed: format.number(needed) })}</span>
          </li>
        ))}
      </ul>
    </CheckLine>
  )
}

/** Who gets it so late reads it on another day. */
const LONG_SECONDS = 12 * 3_600

/** How long the mails take at what the relays may carry. */
export function SendingTime({ seconds }: { seconds: number | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (seconds === null) return <CheckLine kind="ok" title={t('publish.time.free')} text={t('publish.time.freeText')} />
  const isLong = seconds > LONG_SECONDS
  const until = format.soon(new Date(Date.now() + seconds * 1_000))
  return (
    <CheckLine
      kind={isLong ? 'warn' : 'ok'}
      title={t('publish.time.takes', { time: format.lasting(seconds) })}
      text={t(isLong ? 'publish.time.longText' : 'publish.time.text', { until })}
      {...(isLong && { to: studioPaths.relaySettings, fixLabel: t('publish.time.mend') })}
    />
  )
}
