import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import {
  IconArrowBackUp,
  IconBan,
  IconChartBar,
  IconCopy,
  IconDots,
  IconExternalLink,
  IconPencil,
  IconSend,
  IconTrash,
  IconWorld,
} from '../ui/icons.ts'
import { shownTitle } from '../ui/shown-title.ts'
import type { PublicationSummary } from './queries.ts'
import { TakeOffDialog } from './take-off-dialog.tsx'
import { usePublicationActions } from './use-publication-actions.tsx'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The menu of a row: results, edit, send, take back, view on the web, duplicate, take off the web and put back, delete. Without any of these there is none. */
export function PublicationMenu({ row }: { row: PublicationSummary }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const { duplicate, putBack, remove, takeBack } = usePublicationActions()
  const [asking, ask] = useDisclosure(false)
  const [takingOff, takeOff] = useDisclosure(false)
  const title = shownTitle(row.title, t)
  const mayEdit = may('publications.write')
  const maySend = may('publications.send')
  const hasLeft = !['draft', 'scheduled'].includes(row.status)
  const isOnWeb = row.url !== null && row.publishedAt !== null
  // The place stays, by which the columns of all rows agree.
  if (!hasLeft && !isOnWeb && !mayEdit && !maySend) return <span />
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('publish.menu.more', { title })}>
            <IconDots size={17} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {hasLeft && (
            <Menu.Item component={Link} to={`/publish/${row.id}`} leftSection={<IconChartBar {...icon} />}>
              {t('publish.menu.results')}
            </Menu.Item>
          )}
          {mayEdit && row.status !== 'sending' && (
            <Menu.Item component={Link} to={`/publish/create/${row.id}`} leftSection={<IconPencil {...icon} />}>
              {t('publish.menu.edit')}
            </Menu.Item>
          )}
          {mayEdit && !hasLeft && (
            <Menu.Item component={Link} to={`/publish/create/${row.id}/send`} leftSection={<IconSend {...icon} />}>
              {t('publish.editor.preflight')}
            </Menu.Item>
          )}
          {maySend && row.status === 'scheduled' && (
            <Menu.Item onClick={() => void takeBack(row.id)} leftSection={<IconArrowBackUp {...icon} />}>
              {t('publish.takeBack.button')}
            </Menu.Item>
          )}
          {isOnWeb && (
            <Menu.Item
              component="a"
              href={row.url ?? undefined}
              target="_blank"
              rel="noopener"
              leftSection={<IconExternalLink {...icon} />}
            >
              {t('publish.menu.web')}
            </Menu.Item>
          )}
          {mayEdit && (
            <Menu.Item onClick={() => void duplicate(row.id)} leftSection={<IconCopy {...icon} />}>
              {t('publish.menu.duplicate')}
            </Menu.Item>
          )}
          {maySend && row.url && (
            <Menu.Item onClick={takeOff.open} leftSection={<IconBan {...icon} />}>
              {t('publish.offWeb.take')}
            </Menu.Item>
          )}
          {maySend && row.offWebAt && (
            <Menu.Item onClick={() => void putBack(row.id)} leftSection={<IconWorld {...icon} />}>
              {t('publish.offWeb.putBack')}
            </Menu.Item>
          )}
          {mayEdit && ['draft', 'cancelled'].includes(row.status) && (
            <Menu.Item c="var(--tirage-red)" onClick={ask.open} leftSection={<IconTrash {...icon} />}>
              {t('publish.menu.remove')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <TakeOffDialog of={row} opened={takingOff} onClose={takeOff.close} />
      <ConfirmDelete
        opened={asking}
        onClose={ask.close}
        title={t('publish.remove.title', { title })}
        confirm={t('publish.remove.confirm')}
        onConfirm={() => remove(row.id)}
      >
        {t(row.status === 'cancelled' ? 'publish.remove.cancelled' : 'publish.remove.draft')}
      </ConfirmDelete>
    </>
  )
}
