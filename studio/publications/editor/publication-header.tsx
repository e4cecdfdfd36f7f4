import { ActionIcon } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { IconArrowLeft, IconCalendar } from '../../ui/icons.ts'
import { shownTitle } from '../../ui/shown-title.ts'
import type { Publication } from '../queries.ts'
import classes from './publication-header.module.css'

interface Props {
  publication: Publication
  title: string
  /** Names the page among those of the publication, in the tab of the browser. */
  page: string
  /** On a page whose heading it is. */
  isHeading?: boolean
  /** Shown beside the title, such as whether the draft is saved. */
  status?: ReactNode
  /** Beside the time at which it leaves. */
  besideTime?: ReactNode
  children: ReactNode
}

/** The header of the editor and of the send page: back, title, schedule, and the page's own buttons. */
export function PublicationHeader(props: Props) {
  const { publication, title, page, isHeading = false, status, besideTime, children } = props
  const { t } = useTranslation()
  const format = useFormat()
  const { name: newsletter } = useNewsletter()
  const Name = isHeading ? 'h1' : 'b'
  const name = shownTitle(title, t)
  useEffect(() => {
    document.title = `${page} · ${name} · ${newsletter} · Tirage`
  }, [page, name, newsletter])
  const leaves = publication.status === 'scheduled' && publication.scheduledAt
  const scheduled = leaves && (
    <>
      <IconCalendar size={12} stroke={1.6} aria-hidden="true" />
      {format.moment(leaves)}
    </>
  )
  return (
    <>
      <header className={classes.header}>
        <ActionIcon component={Link} to="/publish" variant="subtle" color="gray" aria-label={t('publish.editor.back')}>
          <IconArrowLeft size={18} stroke={1.6} />
        </ActionIcon>
        <span className={classes.publication}>
          {publication.number !== null && <span>{t('publish.no', { number: publication.number })}</span>}
          <Name>{name}</Name>
        </span>
        {scheduled && (
          <span className={classes.leaves}>
            <span className={classes.scheduled}>{scheduled}</span>
            {besideTime}
          </span>
        )}
        <span className={classes.saveStatus}>{status}</span>
        <span className={classes.spacer} />
        {children}
      </header>
      {scheduled && (
        <p className={classes.scheduledLine}>
          {t('delivery.results.scheduled')} {scheduled}
          {besideTime}
        </p>
      )}
    </>
  )
}
