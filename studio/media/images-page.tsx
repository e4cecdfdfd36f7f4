import { Anchor, Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { deleteMedia, getMediaUsage, listMedia } from '../../server/media/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { SettingsPage } from '../newsletters/settings-page.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { bookingPath } from '../sponsorship/booking-path.ts'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import { usePagedRows } from '../ui/use-pages.ts'
import classes from './images.module.css'

type Image = Awaited<ReturnType<typeof fetchImages>>['rows'][number]
type Use = Image['uses'][number]
type Usage = Awaited<ReturnType<typeof fetchUsage>>

const fetchImages = (newsletterId: string, cursor?: string) =>
  call(listMedia, { params: { newsletterId }, query: { cursor, limit: 30 } })
const fetchUsage = (newsletterId: string) => call(getMediaUsage, { params: { newsletterId } })

/** What is kept of uploaded images: how much of the room, each image with where it is used, and a way to delete it. */
export function ImagesPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const usage = useQuery({ queryKey: [id, 'media', 'usage'], queryFn: () => fetchUsage(id) })
  const { query, rows } = usePagedRows([id, 'media', 'list'], (cursor) => fetchImages(id, cursor))
  const [deleting, setDeleting] = useState<Image | null>(null)
  return (
    <SettingsPage title={t('shell.settings.images')} lead={t('media.lead')}>
      <QueryContent query={usage}>{(shares) => <Room shares={shares} />}</QueryContent>
      <Section title={t('media.title')}>
        <QueryContent query={query}>
          {() =>
            rows.length === 0 ? (
              <EmptyState title={t('media.none')}>{t('media.noneText')}</EmptyState>
            ) : (
              <ul className={classes.list}>
                {rows.map((image) => (
                  <ImageRow key={image.id} image={image} onDelete={may('media.write') ? setDeleting : null} />
                ))}
              </ul>
            )
          }
        </QueryContent>
        <MoreRows query={query} />
      </Section>
      <DeleteImage image={deleting} onClose={() => setDeleting(null)} />
    </SettingsPage>
  )
}

function Room({ shares: { newsletter, person } }: { shares: Usage }) {
  const { t } = useTranslation()
  return (
    <div className={classes.room}>
      <Share label={t('media.ofNewsletter')} share={newsletter} />
      {person && <Share label={t('media.ofPerson')} share={person} />}
      {person && person.standing !== 'proven' && (
        <p className={classes.raise}>{t(`errors.raise.${person.standing}`)}</p>
      )}
    </div>
  )
}

function Share({ label, share: { used, most } }: { label: string; share: Usage['newsletter'] }) {
  const { t } = useTranslation()
  const megabytes = (bytes: number) => Math.ceil(bytes / 10_000) / 100
  return (
    <div>
      <h2>{label}</h2>
      <ProgressBar
        value={Math.max(used.bytes / Math.max(1, most.bytes), used.files / Math.max(1, most.files))}
        of={1}
        label={label}
        state="sent"
      />
      <p>{t('media.bytes', { used: megabytes(used.bytes), most: megabytes(most.bytes) })}</p>
      <p>{t('media.files', { used: used.files, most: most.files })}</p>
    </div>
  )
}

function ImageRow({ image, onDelete }: { image: Image; onDelete: ((image: Image) => void) | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { width, height, bytes, fileName, createdAt, removedAt, uses, url } = image
  return (
    <li className={classes.row}>
      <a href={url} target="_blank" rel="noopener" className={classes.thumb}>
        <img src={`${url}?w=320`} alt={image.alt || fileName} loading="lazy" />
      </a>
      <div className={classes.about}>
        <strong>{fileName}</strong>
        <small>
          {t('media.size', { width, height })} · {format.bytes(bytes, 1000)} · {format.dayOfYear(createdAt)}
        </small>
        {removedAt ? (
          <p className={classes.unused}>{t('media.unused', { day: format.dayOfYear(removedAt) })}</p>
        ) : (
          <Uses uses={uses} />
        )}
      </div>
      {onDelete && (
        <Button
          size="xs"
          variant="subtle"
          color="rouge"
          aria-label={t('media.deleteOf', { name: fileName })}
          onClick={() => onDelete(image)}
        >
          {t('media.delete')}
        </Button>
      )}
    </li>
  )
}

function Uses({ uses }: { uses: Use[] }) {
  return (
    <ul className={classes.uses}>
      {uses.map((use) => (
        <UseOf
          key={use.kind === 'logo' ? 'logo' : use.kind === 'booking' ? use.bookingId : use.publicationId}
          use={use}
        />
      ))}
    </ul>
  )
}

function UseOf({ use }: { use: Use }) {
  const { t } = useTranslation()
  if (use.kind === 'logo') return <li>{t('media.logo')}</li>
  const [address, name] =
    use.kind === 'booking'
      ? [bookingPath(use.bookingId), t('media.ofSponsor', { sponsor: use.sponsor })]
      : [`/publish/create/${use.publicationId}`, shownTitle(use.title, t)]
  return (
    <li>
      <Anchor component={Link} to={address}>
        {name}
      </Anchor>{' '}
      <small>{use.kind === 'revision' ? t('media.inRevision') : use.isOut ? t('media.out') : t('media.draft')}</small>
    </li>
  )
}

/** Says what is lost: an image that readers have cannot be taken back without leaving an empty place. */
function DeleteImage({ image, onClose }: { image: Image | null; onClose: () => void }) {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  const uses = image?.uses ?? []
  const loss = uses.some(({ isOut }) => isOut) ? 'lossOut' : uses.length > 0 ? 'lossUsed' : 'loss'
  return (
    <ConfirmDelete
      opened={image !== null}
      onClose={onClose}
      title={t('media.deleteAsk', { name: image?.fileName })}
      confirm={t('media.delete')}
      onConfirm={async () => {
        if (!image) return
        await call(deleteMedia, {
          params: { newsletterId, mediaId: image.id },
          query: { evenIfUsed: uses.length > 0 ? 'true' : 'false' },
        })
        await queries.invalidateQueries({ queryKey: [newsletterId, 'media'] })
      }}
    >
      {t(`media.${loss}`)}
    </ConfirmDelete>
  )
}
