import { Alert, Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { askForProof, giveProof, listSenders } from '../../server/newsletters/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import classes from './newsletters.module.css'

const fetchSenders = (newsletterId: string) => call(listSenders, { params: { newsletterId } })
type Senders = Awaited<ReturnType<typeof fetchSenders>>

/** The addresses that the newsletter has now, and which of them are proven. */
export function useSenders() {
  const { id, senderAddress, replyTo } = useNewsletter()
  return useQuery({ queryKey: [id, 'senders', senderAddress, replyTo], queryFn: () => fetchSenders(id) })
}

/** How each sender address is proven, and the form that proves one by a code. */
export function SenderProofs() {
  const { data } = useSenders()
  return (
    <div className={classes.proofs}>
      {data?.senders.map((sender) => (
        <Sender key={sender.address} sender={sender} needed={data.needed} scheduled={data.scheduled} />
      ))}
    </div>
  )
}

interface SenderProps extends Pick<Senders, 'needed' | 'scheduled'> {
  sender: Senders['senders'][number]
}

function Sender({ sender: { address, proof }, needed, scheduled: { count, first } }: SenderProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { may } = useNewsletter()
  const state = proof ?? (needed ? 'open' : 'caught')
  const color = proof ? 'vert' : needed ? 'ocre' : 'gray'
  return (
    <Alert color={color} mt="md" title={t(`newsletters.sender.proof.${state}`, { address })}>
      {proof === null && needed && first && (
        <p>
          {t('newsletters.sender.proof.scheduled', {
            count,
            n: format.number(count),
            when: format.momentOfYear(first),
          })}
        </p>
      )}
      {proof === null && needed && may('newsletter.write') && <ProofForm address={address} />}
    </Alert>
  )
}

function ProofForm({ address }: { address: string }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const params = { newsletterId: id }
  const { form, error, busy, submit } = useServerForm<{ code: string }>(
    { initialValues: { code: '' } },
    async ({ code }) => {
      await call(giveProof, { params, body: { address, code } })
      await queries.invalidateQueries({ queryKey: [id, 'senders'] })
    },
  )
  const ask = useMutation({
    mutationFn: () => call(askForProof, { params, body: { address } }),
    // The code in the field is of an earlier mail now.
    onSuccess: () => form.reset(),
  })
  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.inline}>
        <TextInput
          label={t('newsletters.sender.proof.code')}
          required
          maxLength={40}
          autoComplete="one-time-code"
          {...form.getInputProps('code')}
        />
        <Button type="submit" variant="filled" color="encre" loading={busy}>
          {t('newsletters.sender.proof.prove')}
        </Button>
        <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
          {t('newsletters.sender.proof.send')}
        </Button>
      </div>
      {ask.isSuccess && <p role="status">{t('newsletters.sender.proof.sent')}</p>}
      <ErrorNotice error={error ?? ask.error} />
    </form>
  )
}
