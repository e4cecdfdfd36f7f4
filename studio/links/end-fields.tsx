import { Group, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'

/** Until when a link leads to its target, and where it leads then. */
export function EndFields({ field }: { field: (name: 'expiresAt' | 'fallback') => GetInputPropsReturnType }) {
  const { t } = useTranslation()
  return (
    <Group grow align="flex-start">
      <TextInput type="date" label={t('links.end')} description={t('links.endText')} {...field('expiresAt')} />
      <TextInput
        label={t('links.fallback')}
        description={t('links.fallbackText')}
        placeholder="https://"
        {...field('fallback')}
      />
    </Group>
  )
}
