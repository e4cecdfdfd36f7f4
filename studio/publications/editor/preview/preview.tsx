import { ActionIcon, Anchor, SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { previewPublication } from '../../../../server/publications/contract.ts'
import { call } from '../../../api.ts'
import { useFormat } from '../../../format.ts'
import { useNewsletter } from '../../../shell/newsletter.tsx'
import { IconX } from '../../../ui/icons.ts'
import { QueryContent } from '../../../ui/query-content.tsx'
import type { Publication } from '../../queries.ts'
import { bodyOf, type Draft } from '../draft.ts'
import { ReaderField } from '../reader-field.tsx'
import { readerOf, readsMore } from '../readers.ts'
import classes from './preview.module.css'
import { PreviewFrame } from './preview-frame.tsx'

type PreviewReply = z.infer<typeof previewPublication.reply>
const views = ['email', 'phone', 'dark', 'web', 'text'] as const
type View = (typeof views)[number]

interface Props {
  publication: Publication
  draft: Draft
  close: () => void
  /** Where the cover is chosen, for those who may. */
  openDetails: (() => void) | undefined
}

/** Shows the draft as subscribers will see it: as a mail, on a phone, in dark mode, on the web, as plain text. */
export function Preview({ publication, draft, close, openDetails }: Props) {
  const { id: publicationId, language, subject, coverMediaId, drawsCover } = publication
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const [view, setView] = useState<View>('email')
  const [reader, setReader] = useState<string>(() => readsMore(draft.content))
  const [shown] = useDebouncedValue(draft, 700)
  const preview = useQuery({
    queryKey: [newsletter.id, 'preview', publicationId, language, subject, coverMediaId, drawsCover, shown, reader],
    queryFn: ({ signal }) =>
      call(previewPublication, {
        params: { newsletterId: newsletter.id, publicationId },
        body: { ...bodyOf(shown), reader: readerOf(reader) },
        signal,
      }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const data = views.map((value) => ({ value, label: t(`publish.preview.${value}`) }))
  const pane = useRef<HTMLElement>(null)
  const [opener] = useState(() => document.activeElement)
  // The button is gone with the preview, and the preview may cover all else.
  useEffect(() => pane.current?.focus({ preventScroll: true }), [])
  const leave = () => {
    close()
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
  }
  return (
    <aside
      ref={pane}
      className={classes.pane}
      aria-label={t('publish.preview.title')}
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && leave()}
    >
      <div className={classes.head}>
        <h2>{t('publish.preview.title')}</h2>
        <SegmentedControl
          aria-label={t('publish.preview.as')}
          data={data}
          value={view}
          onChange={(value) => setView(views.find((one) => one === value) ?? 'email')}
          className={classes.views}
        />
        <ActionIcon variant="subtle" color="gray" aria-label={t('publish.preview.close')} onClick={leave}>
          <IconX size={17} stroke={1.6} />
        </ActionIcon>
      </div>
      {preview.data?.isGated && (
        <div className={classes.readers}>
          <ReaderField value={reader} onChange={setReader} />
        </div>
      )}
      <QueryContent query={preview}>
        {(data) => (
          <Stage
            shown={data}
            view={view}
            cover={coverMediaId ? 'chosen' : drawsCover ? 'drawn' : 'none'}
            openDetails={openDetails}
          />
        )}
      </QueryContent>
    </aside>
  )
}

interface StageProps extends Pick<Props, 'openDetails'> {
  shown: PreviewReply
  view: View
  cover: 'chosen' | 'drawn' | 'none'
}

function Stage({ shown, view, cover, openDetails }: StageProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <dl className={classes.envelope}>
        <div>
          <dt>{t('publish.preview.from')}</dt>
          <dd>{shown.from}</dd>
        </div>
        <div>
          <dt>{t('publish.preview.subject')}</dt>
          <dd>
            <b>{shown.subject || '—'}</b>
          </dd>
        </div>
        <div>
          <dt>{t('publish.preview.preheader')}</dt>
          <dd>{shown.preheader || '—'}</dd>
        </div>
        <div>
          <dt>{t('publish.preview.size')}</dt>
          <dd>{format.bytes(shown.emailBytes)}</dd>
        </div>
        <div>
          <dt>{t('editor.details.cover')}</dt>
          <dd>
            {t(`editor.details.covers.${cover}`)}
            {openDetails && (
              <Anchor component="button" type="button" inherit ml={8} onClick={openDetails}>
                {t(cover === 'none' ? 'editor.details.coverChoose' : 'editor.details.coverChange')}
              </Anchor>
            )}
          </dd>
        </div>
      </dl>
      <div className={classes.stage} data-view={view}>
        {view === 'text' ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard
          <pre className={classes.plain} tabIndex={0}>
            {shown.text}
          </pre>
        ) : (
          <PreviewFrame
            html={view === 'web' ? shown.web : shown.email}
            dark={view === 'dark'}
            title={t(`publish.preview.${view}`)}
            plays={view === 'web'}
            className={classes.frame}
          />
        )}
      </div>
    </>
  )
}
