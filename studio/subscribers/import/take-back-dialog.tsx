import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TakenBack } from '../../../server/subscribers/import/contract.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import { takeBackQuery, useTakeBack, type WholeImport } from './queries.ts'
import { WhoStays } from './who-stays.tsx'

interface Props {
  one: WholeImport
  opened: boolean
  onClose: () => void
}

/** Asks before an import is taken back, and says how many would go and how many would stay. */
export function TakeBackDialog({ one, opened, onClose }: Props) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const takeBack = useTakeBack(one.id)
  const [keepLeft, setKeepLeft] = useState(true)
  const preview = useQuery(takeBackQuery(id, one.id, opened && one.state === 'done'))
  const outcome = preview.data && (keepLeft ? preview.data : withoutLeft(preview.data))
  const hasLeft = preview.data ? (preview.data.stayed.left ?? 0) > 0 : (one.counts?.keptAway ?? 0) > 0
  return (
    <ConfirmDelete
      opened={opened}
      onClose={onClose}
      title={t('imports.done.ask')}
      confirm={t('imports.done.takeBack')}
      isPossible={outcome?.removed !== 0}
      onConfirm={() => takeBack(keepLeft)}
    >
      {t('imports.done.text')}
      {preview.isLoading && <p>{t('imports.done.counting')}</p>}
      {outcome && (
        <div role="status">
          <WhoStays {...outcome} isDone={false} />
        </div>
      )}
      {hasLeft && (
        <Checkbox
          mt="sm"
          label={t('imports.done.keepLeft')}
          description={t('imports.done.keepLeftHint')}
          checked={keepLeft}
          onChange={(event) => setKeepLeft(event.currentTarget.checked)}
        />
      )}
    </ConfirmDelete>
  )
}

/** The same when whoever the file says has left goes too. */
function withoutLeft({ removed, stayed: { left = 0, ...stayed } }: TakenBack): TakenBack {
  return { removed: removed + left, stayed }
}
