import { Button, Group, Select, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { createTag } from '../../server/segments/contract.ts'
import { type BulkAct, startBulkChange } from '../../server/subscribers/bulk/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { tagsQuery } from '../segments/queries.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { focusMain } from '../ui/focus-place.ts'

type Asked = z.input<typeof startBulkChange.body>

interface Props {
  act: BulkAct
  count: number
  chosen: Asked['chosen']
  onClose: () => void
  onStarted: () => void
}

/** Says how many it is about and what can be undone, and starts the act. An erasure is typed out first. */
export function BulkDialog(props: Props) {
  return props.act === 'erase' ? <EraseDialog {...props} /> : <ActDialog {...props} act={props.act} />
}

/** Starts the act for exactly so many. When they are others by now, nothing happens, and they are counted again. */
function useStart({ onClose, onStarted }: Pick<Props, 'onClose' | 'onStarted'>) {
  const { id } = useNewsletter()
  const queries = useQueryClient()
  return async (body: Asked) => {
    try {
      await call(startBulkChange, { params: { newsletterId: id }, body })
    } catch (refusal) {
      await queries.invalidateQueries({ queryKey: [id, 'subscribers', 'count'] })
      throw refusal
    }
    onClose()
    onStarted()
    // What opened it goes with the choice. What became of it, and the way back, are said where the page begins.
    focusMain()
    await queries.invalidateQueries({ queryKey: [id, 'bulk'] })
  }
}

function ActDialog({ act, count, chosen, ...rest }: Props & { act: 'tag' | 'untag' | 'unsubscribe' }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  const start = useStart(rest)
  const [tag, setTag] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  /** A new tag is made once its people are tagged: whoever thinks otherwise leaves none behind. */
  const idOfTag = async (): Promise<number> => {
    const name = newName(tag)
    if (name === null) return Number(tag)
    const made = await call(createTag, { params: { newsletterId }, body: { name } })
    await queries.invalidateQueries({ queryKey: tagsQuery(newsletterId).queryKey })
    setTag(String(made.id))
    return made.id
  }
  const run = async () => {
    setBusy(true)
    setError(null)
    try {
      await start(
        act === 'unsubscribe'
          ? { act, chosen, expected: count }
          : { act, tagId: await idOfTag(), chosen, expected: count },
      )
    } catch (refusal) {
      setError(refusal)
    }
    setBusy(false)
  }
  return (
    <Dialog
      opened
      onClose={rest.onClose}
      title={t(`subscribers.bulk.title.${act}`, { count, n: format.number(count) })}
    >
      <Text size="sm" c="var(--tirage-ink2)">
        {t(`subscribers.bulk.text.${act}`, { count })}
      </Text>
      {act !== 'unsubscribe' && <TagField value={tag} choose={setTag} mayMake={act === 'tag'} />}
      <ErrorNotice error={error} />
      <Group mt="lg" justify="flex-end" gap="sm">
        <Button onClick={rest.onClose}>{t('ui.cancel')}</Button>
        <Button
          variant="filled"
          color="encre"
          loading={busy}
          disabled={act !== 'unsubscribe' && tag === null}
          onClick={() => void run()}
        >
          {t(`subscribers.bulk.act.${act}`)}
        </Button>
      </Group>
    </Dialog>
  )
}

const MAKE = 'make:'
/** The name of a tag that is yet to be made; null of one that is there. */
const newName = (tag: string | null): string | null => (tag?.startsWith(MAKE) ? tag.slice(MAKE.length) : null)

interface TagFieldProps {
  /** The id of a tag, or `make:` and the name of a new one. */
  value: string | null
  choose: (tag: string | null) => void
  /** Whether a name that no tag has is offered as a new one. */
  mayMake: boolean
}

function TagField({ value, choose, mayMake }: TagFieldProps) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const { data: tags = [] } = useQuery(tagsQuery(id))
  const [typed, setTyped] = useState('')
  const named = (name: string) => ({ value: MAKE + name, label: t('subscribers.bulk.newTag', { name }) })
  const chosen = newName(value)
  const name = typed.trim()
  const isNew =
    name !== '' &&
    (chosen === null || typed !== named(chosen).label) &&
    ![...tags.map((tag) => tag.name), chosen ?? ''].some((one) => one.toLowerCase() === name.toLowerCase())
  return (
    <Select
      mt="md"
      label={t('subscribers.bulk.which')}
      placeholder={t('segments.choose')}
      searchable
      data-autofocus
      data={[
        ...tags.map((tag) => ({ value: String(tag.id), label: tag.name })),
        ...(chosen === null ? [] : [named(chosen)]),
        ...(mayMake && isNew ? [named(name)] : []),
      ]}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      maxLength={60}
      onChange={choose}
      nothingFoundMessage={tags.length === 0 ? t('subscribers.bulk.noTags') : t('subscribers.bulk.noSuchTag', { name })}
    />
  )
}

function EraseDialog({ count, chosen, ...rest }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const start = useStart(rest)
  const n = format.number(count)
  return (
    <ConfirmDelete
      opened
      onClose={rest.onClose}
      title={t('subscribers.bulk.title.erase', { count, n })}
      confirm={t('subscribers.bulk.act.erase')}
      typed={t('subscribers.bulk.typed', { count })}
      onConfirm={() => start({ act: 'erase', chosen, expected: count })}
    >
      {t('subscribers.bulk.text.erase', { count, n })}
    </ConfirmDelete>
  )
}
