import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { welcomesQuery } from '../../welcomes/queries.ts'
import classes from './editor.module.css'

/** Says of a publication that is a welcome that what is saved leaves, or will when the welcome goes on. */
export function WelcomeNotice({ publicationId }: { publicationId: string }) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const { data = [] } = useQuery(welcomesQuery(newsletter.id))
  const of = data.filter((welcome) => welcome.publication.id === publicationId)
  if (of.length === 0) return null
  const isHeld = of.every(({ paused }) => paused)
  return (
    <Alert color="ocre" className={classes.notice}>
      {t(isHeld ? 'welcomes.onEditHeld' : 'welcomes.onEdit')}
    </Alert>
  )
}
