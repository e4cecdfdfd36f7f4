import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { confirmAddress } from '../../server/identity/contract.ts'
import { ApiError, call } from '../api.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { AuthFrame } from './auth-frame.tsx'

/** The page of the link in the verification mail. A button confirms the address; opening the link does not. */
export function VerifiedPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const queries = useQueryClient()
  const token = query.get('token')
  const confirm = useMutation({
    mutationFn: () => call(confirmAddress, { body: { token: token ?? '' } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['me'] }),
  })
  if (confirm.isSuccess)
    return (
      <AuthFrame title={t('identity.verified.title')} lead={t('identity.verified.lead')}>
        <Button component={Link} to="/dashboard" variant="filled" color="encre" size="lg">
          {t('identity.verified.go')}
        </Button>
      </AuthFrame>
    )
  if (!token || (confirm.error instanceof ApiError && confirm.error.code === 'link_used'))
    return (
      <AuthFrame title={t('identity.reset.oldTitle')} lead={t('identity.verified.failed')}>
        <Button component={Link} to="/profile" variant="filled" color="encre" size="lg">
          {t('identity.verified.toProfile')}
        </Button>
      </AuthFrame>
    )
  return (
    <AuthFrame title={t('identity.verified.askTitle')} lead={t('identity.verified.askLead')}>
      <Button
        variant="filled"
        color="encre"
        size="lg"
        fullWidth
        loading={confirm.isPending}
        onClick={() => confirm.mutate()}
      >
        {t('identity.verified.submit')}
      </Button>
      <ErrorNotice error={confirm.error} />
    </AuthFrame>
  )
}
