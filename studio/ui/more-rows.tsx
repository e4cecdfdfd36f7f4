import { Button, Center } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface Props {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** The button that loads the next page of rows, while there is one. */
export function MoreRows({ query }: Props) {
  const { t } = useTranslation()
  if (!query.hasNextPage) return null
  return (
    <Center mt="lg">
      <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {t('ui.loadMore')}
      </Button>
    </Center>
  )
}
