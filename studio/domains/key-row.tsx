import { ActionIcon, Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { activateDomainKey, removeDomainKey, retireDomainKey } from '../../server/domains/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { IconDots } from '../ui/icons.ts'
import { StatusMark, type StatusShape } from '../ui/status-mark.tsx'
import classes from './domain.module.css'
import { type DomainChecks, type DomainKey, showDomain } from './queries.ts'
import { RecordToSet } from './record.tsx'

type Published = DomainChecks['keys'][number]['published'] | undefined
type Act = 'force' | 'retire' | 'remove'

const shapes: Record<DomainKey['state'], StatusShape> = { waiting: 'draft', active: 'sent', retired: 'paused' }
const algorithms = { 'rsa-sha256': 'RSA', 'ed25519-sha256': 'Ed25519' }
const calls = { force: activateDomainKey, retire: retireDomainKey, remove: removeDomainKey }
/** Receivers check mail on its way for some days; after a week nobody needs an old key. */
const WEEK = 7 * 86_400_000

/** One key: its state, its record, and the actions on it. */
export function KeyRow({ item, of, published }: { item: DomainKey; of: string; published: Published }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const unseen = item.state === 'active' && item.seenAt === null
  return (
    <li>
      <StatusMark shape={unseen ? 'paused' : shapes[item.state]}>
        {t(unseen ? 'domain.keys.unseen' : `domain.keys.${item.state}`)}
      </StatusMark>
      <div>
        <h3>
          <code>{item.selector}</code> <span>{[algorithms[item.algorithm], item.bits].filter(Boolean).join(' ')}</span>
        </h3>
        <Remark item={item} of={of} published={published} />
        {item.state === 'waiting' && <RecordToSet record={item.record} />}
        {item.state === 'active' && (
          <details className={classes.shown} open={published === 'none' || undefined}>
            <summary>{t('domain.keys.show')}</summary>
            <RecordToSet record={item.record} />
          </details>
        )}
      </div>
      {may('domains.manage') && <Acts item={item} />}
    </li>
  )
}

function Remark({ item, of, published }: { item: DomainKey; of: string; published: Published }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, activeAt, createdAt, retiredAt } = item
  const differs = published === 'other' || published === 'revoked' || published === 'unreadable' ? published : null
  const until = retiredAt && new Date(new Date(retiredAt).getTime() + WEEK)
  return (
    <p>
      {item.domain !== of && `${t('domain.keys.former', { domain: item.domain })}. `}
      {state === 'retired' && t('domain.keys.until', { date: format.dayOfYear(until) })}
      {state === 'active' && t('domain.keys.since', { date: format.dayOfYear(activeAt) })}
      {state === 'waiting' && t('domain.keys.made', { date: format.dayOfYear(createdAt) })}
      {differs && <strong> {t(`domain.keys.${differs}`)}</strong>}
    </p>
  )
}

function Acts({ item }: { item: DomainKey }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Act | null>(null)
  const [last, setLast] = useState<Act>('remove')
  const { selector, state } = item
  const acts: Act[] = [...(state === 'waiting' ? ['force' as const] : []), state === 'active' ? 'retire' : 'remove']
  const ask = (act: Act) => {
    setLast(act)
    setAsked(act)
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('domain.keys.actions', { selector })}>
            <IconDots size={18} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {acts.map((act) => (
            <Menu.Item key={act} {...(act !== 'force' && { color: 'rouge' })} onClick={() => ask(act)}>
              {t(`domain.keys.${act}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDelete
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t(`domain.keys.${last}Ask`, { selector })}
        confirm={t(`domain.keys.${last}`)}
        {...(last === 'force' && { keep: t('domain.keys.wait') })}
        onConfirm={async () =>
          showDomain(queries, id, await call(calls[last], { params: { newsletterId: id, keyId: item.id } }))
        }
      >
        {t(`domain.keys.${last}Text`)}
      </ConfirmDelete>
    </>
  )
}
