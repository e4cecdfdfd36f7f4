import { ActionIcon, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { readOutboxMail } from '../../../server/relays/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { fitHeight } from '../../ui/fit-height.ts'
import { htmlForFrame } from '../../ui/html-frame.ts'
import { IconArrowLeft } from '../../ui/icons.ts'
import { QueryContent } from '../../ui/query-content.tsx'
import classes from './outbox.module.css'

type Mail = Awaited<ReturnType<typeof fetchMail>>

const fetchMail = (newsletterId: string, mailId: string) => call(readOutboxMail, { params: { newsletterId, mailId } })

/** One caught mail: as a subscriber would see it, as plain text, its headers, and its source. */
export function CaughtMail({ mailId, onClose }: { mailId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const mail = useQuery({
    queryKey: [id, 'mail', mailId],
    queryFn: () => fetchMail(id, mailId),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <QueryContent query={mail}>
      {(mail) => (
        <article>
          <header className={classes.head}>
            <ActionIcon className={classes.back ?? ''} onClick={onClose} aria-label={t('outbox.back')}>
              <IconArrowLeft size={18} stroke={1.6} />
            </ActionIcon>
            <div>
              <h2>{mail.subject || t('outbox.noSubject')}</h2>
              <p>{t('outbox.fromTo', { from: mail.from, to: mail.to })}</p>
              <p>
                {format.moment(mail.at)},{' '}
                {mail.html
                  ? t('outbox.weight', {
                      all: format.bytes(mail.bytes),
                      html: format.bytes(new Blob([mail.html]).size),
                    })
                  : format.bytes(mail.bytes)}
              </p>
            </div>
          </header>
          <Views mail={mail} />
        </article>
      )}
    </QueryContent>
  )
}

/** No scripts and no forms run in it; links open in a window of their own. Its origin is ours, so that its height can be read. */
function MailFrame({ title, html }: { title: string; html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => (frame.current ? fitHeight(frame.current) : undefined), [])
  return (
    <iframe
      ref={frame}
      className={classes.frame}
      title={title}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      srcDoc={htmlForFrame(html)}
    />
  )
}

function Views({ mail }: { mail: Mail }) {
  const { t } = useTranslation()
  return (
    <Tabs defaultValue={mail.html ? 'html' : 'text'}>
      <Tabs.List>
        {mail.html && <Tabs.Tab value="html">{t('outbox.html')}</Tabs.Tab>}
        <Tabs.Tab value="text">{t('outbox.text')}</Tabs.Tab>
        <Tabs.Tab value="headers">{t('outbox.headers')}</Tabs.Tab>
        <Tabs.Tab value="source">{t('outbox.source')}</Tabs.Tab>
      </Tabs.List>
      {mail.html && (
        <Tabs.Panel value="html">
          <MailFrame key={mail.html} title={mail.subject || t('outbox.noSubject')} html={mail.html} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="text">
        <pre className={classes.text}>{mail.text ?? t('outbox.noText')}</pre>
      </Tabs.Panel>
      <Tabs.Panel value="headers">
        <dl className={classes.headers} translate="no">
          {mail.headers.map(({ name, value }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may repeat, and a mail never changes
            <div key={`${name} ${place}`}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Tabs.Panel>
      <Tabs.Panel value="source">
        <pre className={classes.source}>{mail.source}</pre>
      </Tabs.Panel>
    </Tabs>
  )
}
