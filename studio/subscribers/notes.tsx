import { Button, Group, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addNote, deleteNote, listNotes } from '../../server/subscribers/detail/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import classes from './subscriber-page.module.css'

const notesKey = (newsletterId: string, subscriberId: string) => [newsletterId, 'subscribers', 'notes', subscriberId]

/** What members noted about a subscriber, and a form to note more. */
export function Notes({ subscriberId }: { subscriberId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const [deleting, setDeleting] = useState<string | null>(null)
  const params = { newsletterId: id, subscriberId }
  const queryKey = notesKey(id, subscriberId)
  const notes = useQuery({ queryKey, queryFn: () => call(listNotes, { params }) })
  return (
    <Section title={t('subscribers.detail.notes')}>
      {may('subscribers.write') && <NoteForm subscriberId={subscriberId} />}
      <QueryContent query={notes}>
        {({ notes: rows }) => (
          <ul className={classes.notes}>
            {rows.length === 0 && <li className={classes.hint}>{t('subscribers.detail.noNotes')}</li>}
            {rows.map((note) => (
              <li key={note.id}>
                <p>{note.text}</p>
                <small>
                  {[note.by ?? t('subscribers.detail.someone'), format.momentOfYear(note.at)].join(' · ')}
                  {may('subscribers.write') && (
                    <Button
                      size="xs"
                      variant="subtle"
                      color="rouge"
                      aria-label={t('subscribers.detail.deleteNote')}
                      onClick={() => setDeleting(note.id)}
                    >
                      {t('subscribers.detail.delete')}
                    </Button>
                  )}
                </small>
              </li>
            ))}
          </ul>
        )}
      </QueryContent>
      <ConfirmDelete
        opened={deleting !== null}
        onClose={() => setDeleting(null)}
        title={t('subscribers.detail.deleteNoteAsk')}
        confirm={t('subscribers.detail.delete')}
        onConfirm={async () => {
          await call(deleteNote, { params: { ...params, noteId: deleting ?? '' } })
          await queries.invalidateQueries({ queryKey })
        }}
      >
        {t('subscribers.detail.deleteNoteText')}
      </ConfirmDelete>
    </Section>
  )
}

function NoteForm({ subscriberId }: { subscriberId: string }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const { form, error, busy, isUnsaved, submit } = useServerForm({ initialValues: { text: '' } }, async ({ text }) => {
    await call(addNote, { params: { newsletterId: id, subscriberId }, body: { text } })
    form.reset()
    await queries.invalidateQueries({ queryKey: notesKey(id, subscriberId) })
  })
  return (
    <form onSubmit={submit} noValidate className={classes.noteForm} data-unsaved={isUnsaved || undefined}>
      <Textarea
        label={t('subscribers.detail.writeNote')}
        description={t('subscribers.detail.noteHint')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2_000}
        {...form.getInputProps('text')}
      />
      <ErrorNotice error={error} />
      {form.values.text.trim() !== '' && (
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t('subscribers.detail.keepNote')}
          </Button>
        </Group>
      )}
    </form>
  )
}
