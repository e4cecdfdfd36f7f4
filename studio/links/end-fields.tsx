import { SimpleGrid, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { DateField } from '../ui/date-field.tsx'

/** Until when a link leads to its target, and where it leads then. */
export function EndFields({ field }: { field: (name: 'expiresAt' | 'fallback') => GetInputPropsReturnType }) {
  const { t } = useTranslation()
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <DateField label={t('links.end')} description={t('links.endText')} {...field('expiresAt')} />
      <TextInput
        label={t('links.fallback')}
        description={t('links.fallbackText')}
        placeholder="https://"
        {...field('fallback')}
      />
    </SimpleGrid>
  )
}
