import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'

interface Props {
  clicks: { raw: number; human: number }
}

/** Both numbers of clicks: those of people first. */
export function Counts({ clicks: { raw, human } }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span>
      <b>{format.number(human)}</b> {t('ui.clicks.humanCount', { count: human })}, {format.number(raw)}{' '}
      {t('ui.clicks.rawCount', { count: raw })}
    </span>
  )
}

/** Both in a few words, below a share of readers who clicked. Nothing where there is no click. */
export function HumanOfRaw({ clicks: { raw, human } }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  if (raw === 0) return null
  return <small>{t('ui.clicks.ofRaw', { count: raw, human: format.number(human), raw: format.number(raw) })}</small>
}

/** Says of what began at a time or on a day that its clicks were not counted all along. */
export function NotAllAlong({ began }: { began: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { clickPrivacy, clicksSince } = useNewsletter()
  if (clickPrivacy === 'off' || clicksSince === null || began >= clicksSince) return null
  return (
    <Text component="small" display="block" size="xs" c="dimmed">
      {t('links.notAllAlong', { at: format.momentOfYear(clicksSince) })}
    </Text>
  )
}

/** What both numbers are, with the way to the rules, and whether those of what began then were counted all along. */
export function ClickDefinition({ began }: { began: string }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  return (
    <>
      <small>
        {t('ui.clicks.definition')}
        {may('links.read') && (
          <>
            {' '}
            <Link to={studioPaths.clickRules}>{t('shell.titles.clickRules')}</Link>
          </>
        )}
      </small>{' '}
      <NotAllAlong began={began} />
    </>
  )
}
