import { Button, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Section } from '../../ui/section.tsx'
import { usePublicationActions } from '../use-publication-actions.tsx'
import classes from './take-back.module.css'

interface Props {
  publicationId: string
  /** By the clock of this browser. */
  leavesAt: number
}

/** The seconds in which what was sent now can be taken back. The server decides: it may be too late, or still time, at zero. */
export function TakeBack({ publicationId, leavesAt }: Props) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const { takeBack } = usePublicationActions()
  const [busy, setBusy] = useState(false)
  const left = useSecondsUntil(leavesAt)
  // Said once: each second anew would talk over everything else.
  const [first] = useState(left)
  const press = async () => {
    setBusy(true)
    await takeBack(publicationId)
    setBusy(false)
  }
  return (
    <Section title={t('publish.takeBack.title')}>
      <p className={classes.left} aria-hidden="true">
        {left > 0 ? t('publish.takeBack.seconds', { count: left }) : t('publish.takeBack.now')}
      </p>
      <VisuallyHidden role="status">
        {left > 0 ? t('publish.takeBack.seconds', { count: first }) : t('publish.takeBack.now')}
      </VisuallyHidden>
      {left > 0 && <p className={classes.how}>{t('publish.takeBack.how')}</p>}
      {may('publications.send') && (
        <Button mt="md" loading={busy} onClick={() => void press()}>
          {t('publish.takeBack.button')}
        </Button>
      )}
    </Section>
  )
}

function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((moment - now) / 1000))
}
