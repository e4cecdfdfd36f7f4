import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readHandle, updateNewsletter } from '../../server/newsletters/contract.ts'
import { call } from '../api.ts'
import { showNewsletter, useNewsletter } from '../shell/newsletter.tsx'
import { useErrorText } from '../ui/error-notice.tsx'
import { faultsOf } from '../ui/faults.ts'
import classes from './newsletters.module.css'

/** Where an address is shared that has no word of its own yet: offers one made from the newsletter’s name. */
export function HandleOffer() {
  const { handle, may } = useNewsletter()
  return handle === null && may('newsletter.write') && <Offer />
}

function Offer() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [typed, setTyped] = useState<string | null>(null)
  const { data } = useQuery({
    queryKey: [id, 'handle'],
    queryFn: ({ signal }) => call(readHandle, { params: { newsletterId: id }, signal }),
  })
  const take = useMutation({
    mutationFn: (handle: string) => call(updateNewsletter, { params: { newsletterId: id }, body: { handle } }),
    onSuccess: (changed) => showNewsletter(queries, changed),
  })
  if (!data) return null
  const handle = (typed ?? data.suggestion ?? '').trim()
  return (
    <form
      className={classes.handleOffer}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (handle) take.mutate(handle)
      }}
    >
      <TextInput
        label={t('subscribers.handleOffer.label', { id })}
        value={typed ?? data.suggestion ?? ''}
        maxLength={40}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        error={take.error && (faultsOf(take.error).handle ?? errorText(take.error))}
        onChange={(event) => setTyped(event.currentTarget.value)}
        rightSectionWidth="auto"
        rightSection={
          <Button type="submit" size="xs" loading={take.isPending} disabled={!handle}>
            {t('subscribers.handleOffer.take')}
          </Button>
        }
      />
    </form>
  )
}
