import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { AuthFrame } from './auth-frame.tsx'

/** Where the link of the verification mail leads. */
export function VerifiedPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const queries = useQueryClient()
  const failed = query.has('error')
  useEffect(() => void queries.invalidateQueries({ queryKey: ['me'] }), [queries])
  return (
    <AuthFrame
      title={t(failed ? 'identity.reset.oldTitle' : 'identity.verified.title')}
      lead={t(failed ? 'identity.verified.failed' : 'identity.verified.lead')}
    >
      <Button component={Link} to={failed ? '/profile' : '/dashboard'} variant="filled" color="encre" size="lg">
        {t(failed ? 'identity.verified.toProfile' : 'identity.verified.go')}
      </Button>
    </AuthFrame>
  )
}
