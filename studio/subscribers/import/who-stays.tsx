import { useTranslation } from 'react-i18next'
import { stayReasons, type TakenBack } from '../../../server/subscribers/import/contract.ts'
import { useFormat } from '../../format.ts'

/**
 * How many go with an import that is taken back, and how many stay, why.
 *
 * @param props.isDone whether it has happened
 */
export function WhoStays({ removed, stayed, isDone }: TakenBack & { isDone: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const counted = (count: number) => ({ count, n: format.number(count) })
  const reasons = stayReasons.flatMap((reason) => (stayed[reason] ? [{ reason, count: stayed[reason] }] : []))
  const sum = reasons.reduce((all, { count }) => all + count, 0)
  return (
    <>
      {t(isDone ? 'imports.done.removed' : 'imports.done.removes', counted(removed))}{' '}
      {sum > 0 && t(isDone ? 'imports.done.stayed' : 'imports.done.staying', counted(sum))}
      <ul>
        {reasons.map(({ reason, count }) => (
          <li key={reason}>{t(`imports.done.stays.${reason}`, counted(count))}</li>
        ))}
      </ul>
    </>
  )
}
